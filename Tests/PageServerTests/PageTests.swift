import ControlProtocol
import PageServer
import TestSupport
import Testing

@Suite struct PageTests {
  private static let files = [
    PageFile(path: "/", contentType: "text/html", bytes: Array("one".utf8)),
    PageFile(path: "/page.js", contentType: "text/javascript", bytes: Array("two".utf8)),
  ]

  private func page() -> Page { Page(files: Self.files, hosts: HostRule(names: []), at: 0) }

  private func get(_ path: String, tag: String? = nil) -> Page.Decision {
    var head = HTTPRequestHead(method: "GET", path: path, headers: [.init("host", "localhost")])
    if let tag { head.headers.append(.init("if-none-match", tag)) }
    var page = page()
    return page.decide(head, token: nil, at: 5)
  }

  @Test func aFileIsServedUnlessTheBrowserHasIt() throws {
    func answer(_ path: String, tag: String? = nil) throws -> HTTPAnswer {
      guard case .answer(let answer) = get(path, tag: tag) else { throw Unexpected("no answer") }
      return answer
    }
    let whole = try answer("/page.js")
    #expect(whole.status == 200 && whole.body == .file(1))
    #expect(try answer("/page.js", tag: Self.files[1].tag).status == 304)
    #expect(try answer("/page.js", tag: Self.files[0].tag).status == 200)
  }

  @Test func aScriptIsSentWithoutItsComments() throws {
    func sent(_ name: String, _ text: String) throws -> String {
      let source = try #require(PageFile.sources.first { $0.name == name })
      return String(decoding: PageFile.sent(Array(text.utf8), of: source), as: UTF8.self)
    }
    #expect(
      try sent("page.js", "// one\nlet a = 'https://b'; // two\n  // three\n  if (a)\n")
        == "let a = 'https://b'; // two\nif(a)\n")
    #expect(
      try sent(
        "page.js", "  const { a, b = 1 } = c ? [d + -e] : ' f , g ', h = (i) => '{ j }' + k;\n")
        == "const{a,b=1}=c?[d+-e]:' f , g ',h=(i)=>'{ j }'+k;")
    #expect(
      try sent("page.js", "a = (b / 2) * 3; c = ' / '; // d\n")
        == "a = (b / 2) * 3; c = ' / '; // d\n")
    #expect(try sent("page.js", "import { a } from './b.js';\n") == "import{a}from './b.js';")
    #expect(
      try sent("page.js", "a = (b / 2) * 3 - -d + +e; c = ' / ';\n")
        == "a=(b/2)*3- -d+ +e;c=' / ';")
    #expect(
      try sent("page.js", "a = /b , [/'] c/ + d; e = \"f ' , g\" + 'it\\'s , h' + i;\n")
        == "a=/b , [/'] c/+d;e=\"f ' , g\"+'it\\'s , h'+i;")
    #expect(
      try sent("page.js", "  a(`b ${`c`}\n  // d\n\n  e , e`);\n\n  f(`g`);\n  // h\n")
        == "a(`b ${`c`}\n  // d\n\n  e , e`);\nf(`g`);")
    #expect(
      try sent("page.js", "a(\n  [\n    b,\n  ]) // {\nc = d\ne = () => {\n  f(`{\n  g;\n`);\n}\n")
        == "a([b,]) // {\nc=d\ne=()=>{f(`{\n  g;\n`);\n}\n")
    #expect(
      try sent("page.js", "if (a) {\n  b();\n  c();\n} else d()\n")
        == "if(a){b();c()}else d()\n")
    #expect(
      try sent("page.js", "a = { b : `c , '${d} : e'` , f };\ng = [`h` , `i , j`];\n")
        == "a={b:`c , '${d} : e'`,f};g = [`h` , `i , j`];")
    #expect(
      try sent(
        "page.css",
        "/* one\n   two */\n  a > b .c :is(d, e) { f: g, h i; } /* j */\n/* k */\nl {\n  m: -0.5 10.5 / 2;\n}\n"
      )
        == "a>b .c :is(d,e){f:g,h i}/* j */l{m:-.5 10.5/2}")
    #expect(try sent("index.html", "<p>\n\n  <b>a  b</b>\n") == "<p>\n<b>a  b</b>")
    #expect(try sent("words/de.json", "{\n\"a\": \"b\\n\"\n}\n") == "{\"a\": \"b\\n\"}")
    #expect(try sent("icon.svg", "  // {\n") == "  // {\n")
  }

  @Test func theClockIsTheOneThatWasGiven() {
    #expect(get("/api/clock") == .answer(.json(200, Array("{\"now\":5}".utf8))))
  }

  @Test func aStreamSaysThatTheCoachIsNotThere() {
    let opening = Array("data: {\"at\":5,\"type\":\"gone\"}\n\n".utf8)
    #expect(get("/api/events") == .stream(opening, usesToken: false))
  }

  @Test func withoutTheCoachNothingIsAsked() throws {
    var page = page()
    let decision = page.decide(body: Array("{\"id\":1,\"verb\":\"stop\"}".utf8), at: 0)
    guard case .answer(let answer) = decision else { throw Unexpected("no answer") }
    #expect(answer.status == 503)
  }

  /// A phone with the token of a link to look on, or a browser of this machine that has opened that.
  @Test(arguments: [PeerAddress(192, 168, 1, 30), .loopback])
  func aLinkToLookOnOpensWhatRunsAndNothingElse(_ peer: PeerAddress) throws {
    var page = page()
    func decide(_ method: String, _ path: String, token: String) -> Page.Decision {
      var head = HTTPRequestHead(
        method: method, path: path,
        headers: [
          .init("host", peer == .loopback ? "localhost" : "192.168.1.9"),
          .init("authorization", "Bearer \(token)"),
        ], peer: peer)
      if method == "POST" {
        head.headers += [.init("content-type", "application/json"), .init("content-length", "9")]
      }
      return page.decide(head, token: "the page's own", view: "to look on", at: 5)
    }
    guard
      case .stream(let opening, usesToken: true) = decide(
        "GET", "/api/events", token: "to look on"),
      case .answer(let clock) = decide("GET", "/api/clock", token: "to look on")
    else { throw Unexpected("it is refused") }
    #expect(
      opening.starts(with: Array("data: {\"at\":5,\"type\":\"viewer\"}\n\n".utf8)))
    #expect(clock.status == 200)
    #expect(decide("POST", "/api/request", token: "to look on") == .takeViewersBody)
    #expect(decide("POST", "/api/request", token: "the page's own") == .takeBody)
    guard peer != .loopback else { return }
    guard case .answer(let wrong) = decide("GET", "/api/events", token: "to look") else {
      throw Unexpected("a wrong token opens it")
    }
    #expect(wrong.status == 401)
  }

  /// The fields that verbs need.
  private static let fields: [ControlVerb: String] = [
    .start: #","preset":"tabata""#, .signal: #","signal":"a""#, .value: #","name":"watts""#,
    .say: #","text":"a""#, .presetRead: #","preset":"a""#,
    .presetCheck: #","workout":"b""#, .presetHear: #","workout":"b""#,
    .presetConvert: #","file":"a.zwo","data":"PGE+""#, .presetSave: #","preset":"a","workout":"b""#,
    .presetDelete: #","preset":"a","tag":"b""#,
    .historyPhases: #","session":"a""#, .historyDelete: #","session":"a""#,
    .historyRestore: #","session":"a""#, .discard: #","lane":"a""#,
    .favourite: #","preset":"a","person":"","on":true"#,
    .schedule: #","preset":"a","time":"8:00","days":"daily""#, .unschedule: #","schedule":"a""#,
    .output: #","output":"default""#,
  ]

  @Test(arguments: ControlVerb.allCases)
  func whoLooksOnAsksForWhatRunsAndForPresets(_ verb: ControlVerb) throws {
    var page = page()
    let body = #"{"id":1,"verb":"\#(verb.rawValue)"\#(Self.fields[verb] ?? "")}"#
    guard case .answer(let answer) = page.decide(body: Array(body.utf8), isViewers: true, at: 0)
    else { throw Unexpected("no answer") }
    // What is taken is asked of a coach that is not there.
    #expect(answer.status == ([.status, .presets].contains(verb) ? 503 : 400))
    guard case .bytes(let bytes) = answer.body else { throw Unexpected("no text") }
    let isViewers = String(decoding: bytes, as: UTF8.self).contains("this link is for looking on")
    // These are refused to every page.
    let others: Set<ControlVerb> = [.subscribe, .say, .value, .status, .presets]
    #expect(isViewers == !others.contains(verb))
  }

  @Test func whoLooksOnSeesAllPresets() throws {
    var page = page()
    let body = #"{"id":1,"verb":"presets","after":"tabata","folder":"hiit"}"#
    guard case .answer(let answer) = page.decide(body: Array(body.utf8), isViewers: true, at: 0)
    else { throw Unexpected("no answer") }
    #expect(answer.status == 503)
  }

  static let refused = [
    "", "[]", "{\"id\":1}", "{\"id\":1,\"verb\":\"say\",\"text\":\"hello\"}",
    "{\"id\":1,\"verb\":\"subscribe\"}", "{\"id\":1,\"verb\":\"start\",\"workout\":\"name: X\"}",
    "{\"id\":1,\"verb\":\"start\",\"preset\":\"/etc/passwd\"}",
    #"{"id":1,"verb":"start","preset":"/etc/passwd","lanes":["anna","ben"]}"#,
    #"{"id":1,"verb":"start","workout":"name: X","lanes":["anna","ben"]}"#,
    #"{"id":1,"verb":"start","preset":"tabata","lanes":["anna"],"style":{"countdown":5}}"#,
    "{\"id\":1,\"verb\":\"start\",\"preset\":\"tabata\",\"style\":{\"countdown\":5}}",
    #"{"id":1,"verb":"schedule","preset":"tabata","time":"8:00","days":"daily","style":{"countdown":5}}"#,
    #"{"id":1,"verb":"schedule","preset":"/etc/passwd","time":"8:00","days":"daily"}"#,
    "{\"id\":1,\"verb\":\"start\",\"preset\":\"tabata\",\"style\":{\"sounds\":\"/etc\"}}",
    "{\"id\":1,\"verb\":\"start\",\"quick\":{\"sets\":0,\"work\":30,\"rest\":15}}",
    "{\"id\":1,\"verb\":\"start\",\"preset\":\"tabata\",\"style\":{\"voice\":\"en\",\"rate\":200}}",
    "{\"id\":1,\"verb\":\"start\",\"preset\":\"tabata\",\"style\":{\"voice\":\"../en\"}}",
  ]

  @Test(arguments: refused) func whatAPageMayNotAskIsRefused(_ body: String) throws {
    var page = page()
    guard case .answer(let answer) = page.decide(body: Array(body.utf8), at: 0)
    else { throw Unexpected("no answer") }
    #expect(answer.status == 400)
  }

  @Test func aTextThatIsTooLargeIsToldSo() throws {
    var page = page()
    let text = String(repeating: "#", count: ControlLimits.workout + 1)
    let body = #"{"id":1,"verb":"preset-check","workout":"\#(text)"}"#
    #expect(
      page.decide(body: Array(body.utf8), at: 0)
        == .answer(.refusal(413, "workout: expected at most 49152 bytes")))
  }

  /// It is asked of the coach, which is not there.
  @Test(arguments: [
    #"{"id":1,"verb":"start","preset":"tabata","style":{"voice":"flite:slt"}}"#,
    #"{"id":1,"verb":"start","quick":{"sets":8,"work":30,"rest":15},"lane":"anna"}"#,
    #"{"id":1,"verb":"start","preset":"tabata","style":{"language":"de","density":"counts","sounds":"soft"}}"#,
  ]) func aPageChoosesHowAWorkoutSounds(_ body: String) {
    var page = page()
    guard case .answer(let answer) = page.decide(body: Array(body.utf8), at: 0) else {
      Issue.record("no answer")
      return
    }
    #expect(answer.status == 503)
  }

  @Test func aFileOfEachLanguageIsServed() {
    let paths = Set(PageFile.sources.map(\.path))
    #expect(paths.count == PageFile.sources.count)
    for language in PageFile.languages { #expect(paths.contains("/words/\(language).json")) }
  }
}
