import Messages
import Screen
import Testing

@testable import Interface
@testable import Words

/// The symbols that are drawn next to text.
struct SignsTests {
  private static let sizes = [
    Size(columns: 160, rows: 45), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10),
  ]

  /// Returns the usual screens, and a message with everything that text is drawn with.
  private static func screens(_ size: Size, _ signs: Signs) throws -> [(name: String, stage: Stage)] {
    var store = ModelStore.sample
    store.add("Everything", age: 1) {
      $0.content.html = """
        <ul><li>one<ul><li>two<ul><li>three</ul></ul></ul><blockquote>quoted</blockquote><hr>
        <table><tr><th>a<th>b<tr><td>1<td>2</table><details><summary>more</summary>text</details>
        <pre>\(String(repeating: "long ", count: 60))</pre>
        <a href="https://a.example/\(String(repeating: "x", count: 300))">\(String(repeating: "text ", count: 200))</a>
        """
      $0.content.extras = MessageExtras()
      $0.content.extras?.enclosures = [
        Enclosure(url: "https://a.example/a.mp3", type: "audio/mpeg", length: 1000)
      ]
      $0.content.rank = .pinned
      $0.isStarred = true
    }
    store.sources[0].source.settings.isPaused = true
    store.sources[1].source.settings.folder = Folder("Work")
    var screens = try WordsScreensTests.screens("en", size, signs: signs)
    for keys in [
      ["enter"], ["enter", "G"], ["h", "j", "j", "x"], ["h", "x"], ["W"], ["z"], ["Q"], ["|"], ["M"],
    ] {
      var stage = Stage(
        store, columns: size.columns, rows: size.rows,
        options: InterfaceOptions(signs: signs, zone: Stage.utc, animations: true))
      for key in keys { try stage.press(key) }
      screens.append((keys.joined(separator: " "), stage))
      stage.send(.polling(.changed([SourceID(1): SourcePolling(phase: .polling)])))
      screens.append((keys.joined(separator: " ") + ", polling", stage))
    }
    return screens
  }

  /// Returns the characters on the screens other than ASCII and the content of messages and sources.
  private static func drawn(_ signs: Signs) throws -> [Character: String] {
    let store = ModelStore.sample
    let texts = store.messages.flatMap { [$0.content.title, $0.content.body] }
    let ofTexts = Set(texts.joined()).filter { !$0.isASCII }
    var drawn: [Character: String] = [:]
    for size in sizes {
      for (name, stage) in try screens(size, signs) {
        for character in stage.screen where !character.isASCII && !ofTexts.contains(character) {
          drawn[character] = "\(name) at \(size.columns)x\(size.rows)"
        }
      }
    }
    return drawn
  }

  @Test func inASCIINothingElseIsDrawn() throws {
    #expect(try Self.drawn(.ascii) == [:])
    #expect(Sign.allCases.allSatisfy { $0.text(isASCII: true).text.allSatisfy(\.isASCII) })
  }

  @Test func everySignIsOfTheTable() throws {
    let table = Set(Sign.allCases.flatMap { $0.text(isASCII: false).text })
    let drawn = try Self.drawn(.unicode)
    #expect(drawn.filter { !table.contains($0.key) } == [:])
    // The screens show nearly all of them.
    #expect(drawn.count > 15, "\(drawn.keys)")
  }

  /// If symbols are ASCII, strings must not contain others of ambiguous width: quotation marks, dashes, dots. Besides
  /// ASCII they have the letters of their script and its wide punctuation.
  @Test(arguments: Words.languages)
  func textsHaveNoSigns(tag: String) {
    let words = Words.named(tag)
    let own: [ClosedRange<UInt32>] = [0x900...0x97F, 0x3000...0x303F, 0x4E00...0x9FFF, 0xFF00...0xFF60]
    let texts =
      Phrase.allCases.map { words($0, "1", "2", "3", "4", "5", "6", "7", "8", "9") }
      + Command.allCases.flatMap { [words.title($0), words.help($0)] }
    for text in texts {
      let strange = text.text.unicodeScalars.filter { scalar in
        !scalar.isASCII && !own.contains { $0.contains(scalar.value) }
      }
      #expect(strange.isEmpty, "\(text.text)")
    }
  }

  /// Each sign has one column, and a state looks different from the other ones that a row may have.
  @Test func signsKeepTheColumns() {
    for sign in Sign.allCases {
      let narrow = sign.text(isASCII: false)
      #expect(narrow.columns == narrow.text.count, "\(sign)")
      if sign != .ellipsis, sign != .spinner {
        #expect(sign.text(isASCII: true).columns == narrow.columns, "\(sign)")
      }
    }
    for isASCII in [false, true] {
      let states: [Sign] = [.dot, .star, .downtime, .pinned, .urgent, .failed, .paused]
      #expect(Set(states.map { $0.text(isASCII: isASCII) }).count == states.count)
    }
  }
}
