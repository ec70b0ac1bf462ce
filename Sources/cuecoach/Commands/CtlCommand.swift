import ArgumentParser

struct CtlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl", abstract: "Control a coach that runs as a service.",
    discussion: """
      The coach is this user's, else the machine's; cuecoach serve starts one.

      Examples:
        cuecoach ctl start tabata                 now
        cuecoach ctl start tabata --at 18:00      the next time it is 18:00
        cuecoach ctl start emom --in 5m --as ben  under a name of its own
        cuecoach ctl quick 8 30s 15s              eight times 30 s, with 15 s between them
        cuecoach ctl pause                        every workout
        cuecoach ctl next ben                     only one
        cuecoach ctl status --watch               as on the screen of a run

      Exit codes: 0 done, 1 refused or no coach is running, 2 a mistake in the command.
      """,
    subcommands: [
      CtlStartCommand.self, CtlQuickCommand.self, CtlPauseCommand.self, CtlResumeCommand.self,
      CtlToggleCommand.self,
      CtlNextCommand.self, CtlBackCommand.self, CtlRepCommand.self,
      CtlSignalCommand.self, CtlValueCommand.self, CtlStopCommand.self,
      CtlWhereAmICommand.self, CtlSayTimeCommand.self, CtlVolumeCommand.self, CtlSayCommand.self,
      CtlStatusCommand.self, CtlPresetsCommand.self,
      CtlSessionsCommand.self, CtlDiscardCommand.self, CtlHistoryCommand.self,
      CtlScheduleCommand.self, CtlSchedulesCommand.self, CtlUnscheduleCommand.self,
      CtlOutputCommand.self,
    ])
}
