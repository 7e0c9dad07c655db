import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// A message's enclosures in the reader.
struct EnclosureTests {
  private func stage(_ enclosures: [Enclosure], url: String? = "https://a.example/", signs: Signs = .unicode)
    -> Stage
  {
    var store = ModelStore()
    store.addSource("cast", title: "Cast")
    store.add("Episode 1", age: 1) {
      $0.content.html = "<p>Notes <a href='https://a.example/n'>here</a></p>"
      $0.content.url = url
      $0.content.extras = MessageExtras()
      $0.content.extras?.actions = enclosures.map { MessageAction(label: "file", url: $0.url) }
      $0.content.extras?.enclosures = enclosures
    }
    return Stage(
      amid: store, columns: 80, rows: 24, options: InterfaceOptions(signs: signs, zone: Stage.utc))
  }

  private static let episode = Enclosure(
    url: "https://a.example/1.mp3", type: "audio/mpeg", length: 34_216_300, duration: 3753)

  @Test func eachIsALineWithTheNumberThatOpensIt() throws {
    var stage = stage([Self.episode])
    try stage.press("enter")
    #expect(stage.screen.contains("▸ audio/mpeg, 34 MB, 1:02:33 [2]"))
    #expect(stage.screen.contains("[2] file  https://a.example/1.mp3"))
    try stage.press("2", "o")
    #expect(stage.effects.contains(.links(.openEnclosure("https://a.example/1.mp3"))))
    #expect(stage.bottom.contains("Opening https://a.example/1.mp3"))
    try stage.press("1", "o")
    #expect(stage.effects.contains(.links(.open("https://a.example/n"))))
    let spoken = Signs.fitting(isASCII: false, areWords: true, words: stage.state.options.words)
    var read = self.stage([Self.episode], signs: spoken)
    try read.press("enter")
    #expect(read.screen.contains("attached: audio/mpeg, 34 MB, 1:02:33 [2]"))
    var ascii = self.stage([Self.episode], signs: .ascii)
    try ascii.press("enter")
    #expect(ascii.screen.contains("> audio/mpeg, 34 MB, 1:02:33 [2]"))
  }

  @Test func theKeyForLinksOpensItWhereItIsTheOnlyOne() throws {
    var stage = stage([Self.episode], url: nil)
    stage.outside { $0.messages[0].content.html = "<p>Notes</p>" }
    try stage.press("o")
    #expect(stage.effects.contains(.links(.openEnclosure("https://a.example/1.mp3"))))
  }

  @Test(arguments: ["javascript:1", "file:///etc/passwd", "magnet:?x", "mailto:a@b.example"])
  func whatIsNotOnTheWebIsNotOffered(url: String) throws {
    var stage = stage([Enclosure(url: url, type: "audio/mpeg")])
    try stage.press("enter")
    #expect(!stage.screen.contains("audio/mpeg"))
    #expect(Enclosure(url: url).webAddress == nil)
  }

  @Test(arguments: [
    (Enclosure(url: "u", type: "a/b", length: 999, duration: 59), "a/b, 999 B, 0:59"),
    (Enclosure(url: "u", length: 1_250_000_000, duration: 3600), "1.2 GB, 1:00:00"),
    (Enclosure(url: "u", length: 9_960_000), "9.9 MB"),
    (Enclosure(url: "u", length: 12_000, duration: 600), "12 kB, 10:00"),
    (Enclosure(url: "https://u.example/"), "https://u.example/"),
    (Enclosure(url: "u", type: "a\u{1B}[m"), "a\u{FFFD}[m"),
  ])
  func whatIsKnownIsSaidInFewWords(enclosure: Enclosure, text: String) {
    #expect(enclosure.text.text == text)
  }
}
