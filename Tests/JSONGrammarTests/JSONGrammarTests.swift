import JSONGrammar
import Testing

struct JSONGrammarTests {
  @Test(arguments: [
    "0", "-0.5e+10", "1E9", "true", "null", "\"\"", " [ ] ", "{}", "[1,[2,{\"a\":[]}],\"b\"]\r\n",
    #"{"a\n\"\\\/\u00e9\ud83d\ude00":"é😀"}"#, "\t{ \"a\" : 1 , \"b\" : [ false ] }",
  ])
  func whatIsJSONHasNoFault(_ text: String) {
    #expect(JSONGrammar.firstFault(in: Array(text.utf8)) == nil)
  }

  @Test(arguments: [
    ("", 0), ("  ", 2), ("{", 1), ("{\"a\":1", 6), ("{\"a\":1,}", 7), ("[1,]", 3), ("[1 2]", 3),
    ("01", 1),
    ("-", 1), ("1.", 2), ("1e", 2), (".5", 0), ("+1", 0), ("tru", 0), ("NaN", 0), ("{a:1}", 1),
    ("{\"a\" 1}", 5), ("{1:2}", 1), ("[}", 1), ("{\"a\":1]", 6), ("1 1", 2), ("\"a", 2), ("'a'", 0),
    ("[1]]", 3),
  ])
  func theFirstFaultIsNamed(_ text: String, _ offset: Int) {
    #expect(JSONGrammar.firstFault(in: Array(text.utf8)) == offset)
  }

  @Test(arguments: [
    (#"{"a":1,"a":2}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"), (#"{"x":[{"b":{},"b":null}]}"#, "b"),
    (#"{"é":1,"c":[1,2],"\u00e9":0}"#, "é"), (#"{"\ud83d\ude00":1, "😀" : 2}"#, "😀"),
    (#"{"a\n":1,"a\u000a":1}"#, "a\n"), (#"{"":1,"":1}"#, ""),
  ])
  func aRepeatedKeyIsFound(_ text: String, _ key: String) {
    #expect(JSONGrammar.firstFault(in: Array(text.utf8)) == nil)
    #expect(JSONGrammar.repeatedKey(in: Array(text.utf8)) == key)
  }

  @Test(arguments: [
    #"{"a":"a","b":"a"}"#, #"[{"a":1},{"a":1}]"#, #"{"a":{"a":{"a":["a","a"]}},"b":"\"a\":"}"#, "1",
    "[]",
    #"{"A":1,"a":2}"#,
  ])
  func aKeyOfAnotherObjectIsNotRepeated(_ text: String) {
    #expect(JSONGrammar.repeatedKey(in: Array(text.utf8)) == nil)
  }

  @Test func aValueIsFoundByItsWay() {
    let text = Array(
      #" {"a": [ ], "b\n": {"c": "]}"}, "d": [1, {"a": {}}, {"e":[0,7]} ], "" : 5}"#.utf8)
    func rest(_ steps: JSONStep...) -> String {
      String(decoding: text[JSONGrammar.offset(of: steps, in: text)...].prefix(4), as: UTF8.self)
    }
    #expect(rest() == #"{"a""#)
    #expect(rest("a") == "[ ],")
    #expect(rest("a", .index(0)) == "[ ],")
    #expect(rest("d", .index(2), "e", .index(1)) == "7]} ")
    #expect(rest("d", .index(1), "a") == "{}},")
    #expect(rest("d", .index(3)) == "[1, ")
    #expect(rest("d", "a", "e") == "[1, ")
    #expect(rest("") == "5}")
    #expect(rest("b") == #"{"a""#)
    #expect(rest(.index(0)) == #"{"a""#)
  }

  /// The decoder of Swift 6.0 ends the program at such keys.
  @Test(arguments: [
    (#"{"\x":1}"#, 3), (#"{"\ud800":1}"#, 8), (#"{"\ud800\u0041":1}"#, 14), (#"{"\udc00":1}"#, 8),
    (#"{"\u12":1}"#, 4), (#"{"\"#, 3), ("{\"a\nb\":1}", 3), ("{\"\u{0}\":1}", 2), ("[\"\t\"]", 2),
  ])
  func aWrongCharacterOfAKeyIsAFault(_ text: String, _ offset: Int) {
    #expect(JSONGrammar.firstFault(in: Array(text.utf8)) == offset)
  }

  @Test(
    arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]]
      as [[UInt8]])
  func bytesThatAreNotUTF8AreAFault(_ bytes: [UInt8]) {
    let text = Array("{\"".utf8) + bytes + Array("\":1}".utf8)
    #expect(JSONGrammar.firstFault(in: text) == 2)
  }

  @Test func noDepthIsTooMuch() {
    let depth = 1_000_000
    let text = [UInt8](repeating: UInt8(ascii: "["), count: depth)
    #expect(JSONGrammar.firstFault(in: text) == depth)
    let ends = [UInt8](repeating: UInt8(ascii: "]"), count: depth)
    #expect(JSONGrammar.firstFault(in: text + ends) == nil)
  }
}
