import Testing

@testable import Sync

@Suite struct SyncKeyTests {
  @Test func aKeyIsReadAsItWasWritten() throws {
    for _ in 0..<200 {
      let key = SyncKey.random()
      #expect(key.text.utf8.count == 69)
      #expect(key.text.split(separator: "-").allSatisfy { $0.utf8.count == 4 })
      #expect(try SyncKey(text: key.text) == key)
      #expect(SyncKey(fileText: key.fileText) == key)
    }
    let key = try #require(SealedSample.key)
    #expect(key.text == SealedSample.keyText)
    #expect(key.fileText == "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n")
  }

  @Test func aKeyIsReadAsPeopleTypeIt() throws {
    let text = SealedSample.keyText
    let lenient = [
      text.lowercased(), text.filter { $0 != "-" }, text.split(separator: "-").joined(separator: " "),
      "  \(text)\r\n", text.map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 }.reduce("") { "\($0)\($1)" },
      text.map { $0 == "0" ? "O" : $0 == "1" ? "I" : $0 }.reduce("") { "\($0)\($1)" },
    ]
    for text in lenient { #expect(try SyncKey(text: text) == SealedSample.key) }
  }

  @Test func anyWrongLetterIsNoticed() {
    let text = SealedSample.keyText
    for index in text.indices where text[index] != "-" {
      let wrong = text[index] == "Z" ? "Y" : "Z"
      #expect(failure(text.replacingCharacters(at: index, with: wrong)) == .slip)
      #expect(failure(text.replacingCharacters(at: index, with: "u")) == .slip)
      #expect(failure(text.replacingCharacters(at: index, with: "")) == .notAKey)
      #expect(failure(text.replacingCharacters(at: index, with: "é")) == .notAKey)
    }
  }

  @Test func anythingElseIsNotAKey() {
    for text in [
      "", "-", text64, "\(SealedSample.keyText)0", String(repeating: "0", count: 100_000), "a key",
    ] {
      #expect(failure(text) == .notAKey)
    }
    #expect(
      SyncKey.ParseFailure.notAKey.description
        == "this is not a key, which has 14 groups of four letters or digits")
    #expect(
      SyncKey.ParseFailure.slip.description
        == "the key has a typing error; compare it with the output of reddot sync key")
  }

  private let text64 = String(repeating: "0", count: 64)

  @Test func aFileHoldsNothingButTheKey() {
    #expect(SyncKey(fileText: text64) != nil)
    #expect(SyncKey(fileText: "\(text64)\r\n") != nil)
    for text in [
      "", "\n", "0\(text64)", String(text64.dropLast()), "\(text64)\nx", " \(text64)",
      "g" + text64.dropFirst(),
    ] {
      #expect(SyncKey(fileText: text) == nil)
    }
  }

  struct Holder { var key: SyncKey }

  /// A key must not be in an error, a log or a crash report.
  @Test func aKeyIsNeverPrintedByAccident() throws {
    let key = try SyncKey(text: SealedSample.keyText)
    var printed =
      "\(key) \(String(reflecting: key)) \(Holder(key: key)) \([key]) \(String(describing: key as SyncKey?))"
    dump(Holder(key: key), to: &printed)
    #expect(!printed.contains { $0.isNumber }, "\(printed)")
    #expect(Mirror(reflecting: key).children.isEmpty)
  }

  private func failure(_ text: String) -> SyncKey.ParseFailure? {
    do throws(SyncKey.ParseFailure) {
      _ = try SyncKey(text: text)
      return nil
    } catch {
      return error
    }
  }
}

extension String {
  fileprivate func replacingCharacters(at index: Index, with text: String) -> String {
    self[..<index] + text + self[self.index(after: index)...]
  }
}
