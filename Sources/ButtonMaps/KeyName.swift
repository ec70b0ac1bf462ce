/// Names of keys: those of the kernel in small letters, without KEY_, and with btn- for BTN_. A key without a name has its
/// number: key-743.
package enum KeyName {
  /// The greatest number of a key, KEY_MAX.
  package static let greatest: UInt16 = 0x2ff

  /// Nil for the name of no key.
  package static func code(of name: String) -> UInt16? {
    if let code = codes[name] { return code }
    guard name.hasPrefix(numbered), let code = UInt16(name.dropFirst(numbered.count)),
      (1...greatest).contains(code), "\(numbered)\(code)" == name
    else { return nil }
    return code
  }

  package static func name(of code: UInt16) -> String { names[code] ?? "\(numbered)\(code)" }

  /// All names, for a hint to the nearest.
  static var all: [String] { Array(codes.keys) }

  private static let numbered = "key-"

  private static let names: [UInt16: String] = {
    var names: [UInt16: String] = [:]
    for (first, run) in runs {
      for (place, name) in run.split(separator: " ").enumerated() {
        names[first + UInt16(place)] = String(name)
      }
    }
    return names
  }()

  private static let codes = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })

  /// Names of keys with numbers that follow each other, and the number of the first.
  private static let runs: [(first: UInt16, names: String)] = [
    (
      1,
      """
      esc 1 2 3 4 5 6 7 8 9 0 minus equal backspace tab q w e r t y u i o p leftbrace rightbrace \
      enter leftctrl a s d f g h j k l semicolon apostrophe grave leftshift backslash z x c v b n \
      m comma dot slash rightshift kpasterisk leftalt space capslock f1 f2 f3 f4 f5 f6 f7 f8 f9 \
      f10 numlock scrolllock kp7 kp8 kp9 kpminus kp4 kp5 kp6 kpplus kp1 kp2 kp3 kp0 kpdot
      """
    ),
    (
      85,
      """
      zenkakuhankaku 102nd f11 f12 ro katakana hiragana henkan katakanahiragana muhenkan kpjpcomma \
      kpenter rightctrl kpslash sysrq rightalt linefeed home up pageup left right end down \
      pagedown insert delete macro mute volumedown volumeup power kpequal kpplusminus pause scale \
      kpcomma hangeul hanja yen leftmeta rightmeta compose stop again props undo front copy open \
      paste find cut help menu calc setup sleep wakeup file sendfile deletefile xfer prog1 prog2 \
      www msdos coffee rotate-display cyclewindows mail bookmarks computer back forward closecd \
      ejectcd ejectclosecd nextsong playpause previoussong stopcd record rewind phone iso config \
      homepage refresh exit move edit scrollup scrolldown kpleftparen kprightparen new redo f13 \
      f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
      """
    ),
    (
      200,
      """
      playcd pausecd prog3 prog4 all-applications suspend close play fastforward bassboost print \
      hp camera sound question email chat search connect finance sport shop alterase cancel \
      brightnessdown brightnessup media switchvideomode kbdillumtoggle kbdillumdown kbdillumup \
      send reply forwardmail save documents battery bluetooth wlan uwb unknown video-next \
      video-prev brightness-cycle brightness-auto display-off wwan rfkill micmute
      """
    ),
    (256, "btn-0 btn-1 btn-2 btn-3 btn-4 btn-5 btn-6 btn-7 btn-8 btn-9"),
    (272, "btn-left btn-right btn-middle btn-side btn-extra btn-forward btn-back btn-task"),
    (
      288,
      """
      btn-trigger btn-thumb btn-thumb2 btn-top btn-top2 btn-pinkie btn-base btn-base2 btn-base3 \
      btn-base4 btn-base5 btn-base6
      """
    ),
    (
      303,
      """
      btn-dead btn-south btn-east btn-c btn-north btn-west btn-z btn-tl btn-tr btn-tl2 btn-tr2 \
      btn-select btn-start btn-mode btn-thumbl btn-thumbr
      """
    ),
    (
      352,
      """
      ok select goto clear power2 option info time vendor archive program channel favorites epg \
      pvr mhp language title subtitle angle full-screen mode keyboard aspect-ratio pc tv tv2 vcr \
      vcr2 sat sat2 cd tape radio tuner player text dvd aux mp3 audio video directory list memo \
      calendar red green yellow blue channelup channeldown first last ab next restart slow shuffle \
      break previous digits teen twen videophone games zoomin zoomout zoomreset wordprocessor \
      editor spreadsheet graphicseditor presentation database news voicemail addressbook messenger \
      displaytoggle spellcheck logoff dollar euro frameback frameforward context-menu media-repeat \
      10channelsup 10channelsdown images
      """
    ),
    (
      512,
      """
      numeric-0 numeric-1 numeric-2 numeric-3 numeric-4 numeric-5 numeric-6 numeric-7 numeric-8 \
      numeric-9 numeric-star numeric-pound numeric-a numeric-b numeric-c numeric-d
      """
    ),
    (544, "btn-dpad-up btn-dpad-down btn-dpad-left btn-dpad-right"),
  ]
}
