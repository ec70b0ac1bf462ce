// SPDX-License-Identifier: Apache-2.0

/// An emulated sound card: a PCM plugin that the real libasound loads by path.
///
/// It has no functions to call. A configuration named by ALSA_CONFIG_PATH has
/// `pcm_type.cuecoach_card { lib "/absolute/path.so" }`; card.conf.in shows all of it.
///
/// Playback, S16_LE, 1 or 2 channels, 48 000 Hz or what `rate` says, periods of 64 to 24 000 frames, buffers up to 2 s
/// (the limits are in bytes of stereo: mono may have twice the frames).
///
/// Parameters of the PCM's block, all optional:
///
///   rate                frames a second, 48 000
///   ppm                 card clock against CLOCK_MONOTONIC; 50 = the card runs fast
///   step_us             the pointer (hence avail, and delay) moves in steps of that much card
///                       time since the start and lags the truth; 0 = exact
///   interpolated_delay  yes: delay is exact to now even while the pointer steps (bcm2835)
///   lie_ms, lie_us      for the first lie_ms after a start the delay is wrong: by lie_us at
///                       first, then swinging to the other side and back with less and less
///                       amplitude; never reported below 0
///   queue_lost          the queue at an xrun on demand. yes (default): it is lost unheard, and
///                       the xrun is immediate. no: it is played to its end, then the xrun;
///                       only what is written after the demand is lost
///   control             path of the control file
///   capture             path of the recording of what was heard
///   log                 path of the event log, which also locks the card: a second open is
///                       refused with EBUSY, as on hardware
///
/// Control file: text, read again at every call into the card, so a change takes effect at the
/// client's next call. Write it in place or rename over it. No file = `run`; empty = no change (the moment
/// between truncation and writing; at open, `run`). One word:
///
///   run      normal operation; also replug, resume
///   stall    the card stops consuming and its pointer freezes; no error
///   unplug   open handles: ENODEV, state DISCONNECTED for good; open: ENODEV
///   busy     open: EBUSY; a handle already open keeps playing
///   denied   open: EACCES; likewise
///   hang-write   a write does not return while the file says so; nothing else waits for it
///   hang-close   likewise, the close
///
/// and optionally `xrun N`, alone or with a word above: one xrun for every N that differs from the
/// last one, counting from what the file says at open; kept until the card runs. -1 means none.
///
/// Capture: every frame that was heard, in order, S16 stereo at the card's rate (mono is doubled), appended
/// over all opens. Frames written and not consumed are not in it. It is written whenever the
/// pointer is read, so that a killed client leaves a right one.
///
/// Log: a line for each event. <ns> is CLOCK_MONOTONIC, <frame> the index in the capture of the
/// next frame to be heard. After `start` and `resume`, capture frame f is heard at
/// ns + (f - frame) / rate seconds, until the next line that has a frame.
///
///   rate <frames per second>     what the card really plays, before each start
///   open <ns>                    close <ns>
///   start <ns> <frame>           stop <ns> <frame>      (drop, drain, close, unplug)
///   stall <ns> <frame>           resume <ns> <frame>
///   xrun <ns> <frame>            the instant at which the last frame had been heard
///   unplug <ns>                  when an open handle noticed
///   hang <ns>                    a call that does not return
///   refused <ns> <errno>         an open that failed
///
/// A file that ends without `stop` is that of a client that was killed.
