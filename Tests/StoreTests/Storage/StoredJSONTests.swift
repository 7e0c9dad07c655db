import Basics
import Foundation
import Messages
import Testing

@testable import Storage

/// Values that are stored and hashed must never be encoded differently.
@Suite struct StoredJSONTests {
  @Test(
    arguments: [
      ([], "[]"), (["a"], #"["a"]"#), (["a", "é", ""], #"["a","é",""]"#),
      (
        ["\"\\/\u{8}\u{9}\n\u{C}\r\u{0}\u{1F}\u{7F}\u{2028}"],
        #"["\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7F}\u{2028}\"]"
      ),
    ] as [([String], String)])
  func textsAreEscapedAsEver(texts: [String], written: String) throws {
    #expect(try StoredJSON.text(texts) == written)
  }

  @Test func extrasAreWrittenAsEver() throws {
    var extras = MessageExtras()
    #expect(try StoredJSON.text(extras) == #"{"actions":[],"translations":[]}"#)
    extras.actions = [
      MessageAction(
        label: "Open", url: "https://a/b",
        request: ActionRequest(method: "POST", headers: ["b": "2", "a": "1"], body: "x"))
    ]
    extras.translations = [LocalizedText(language: "de", title: "T", body: "B\n")]
    extras.cut = [.title, .body]
    extras.category = "c"
    extras.enclosures = [Enclosure(url: "https://a/e.mp3", type: "audio/mpeg", length: 12, duration: nil)]
    extras.format = .markdown
    extras.group = "g"
    extras.handle = "h"
    extras.occasion = "o"
    extras.poster = "https://a/p.png"
    extras.sound = "s"
    extras.unknownKeys = #"{"k":1}"#
    let written = """
      {"actions":[{"label":"Open","request":{"body":"x","headers":{"a":"1","b":"2"},"method":"POST"},"url":"https://a/b"}],\
      "category":"c","cut":["title","body"],"enclosures":[{"length":12,"type":"audio/mpeg","url":"https://a/e.mp3"}],\
      "format":"markdown","group":"g","handle":"h","occasion":"o","poster":"https://a/p.png","sound":"s",\
      "translations":[{"body":"B\\n","language":"de","title":"T"}],"unknownKeys":"{\\"k\\":1}"}
      """
    #expect(try StoredJSON.text(extras) == written)
  }

  /// A list of links is encoded in parts.
  @Test(arguments: [0, 1, 1000, 1001, 3456]) func manyLinksAreWrittenLikeFew(count: Int) throws {
    var extras = MessageExtras()
    extras.actions = (0..<count).map { MessageAction(label: "é/\($0)", url: "https://a/\($0)") }
    extras.unknownKeys = "{}"
    #expect(try StoredJSON.bytes(of: extras) == Array(StoredJSON.text(extras).utf8))
  }
}
