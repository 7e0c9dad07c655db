import Basics
import Foundation
import GRDB
import Messages
import Testing

@testable import Storage

@Suite struct DocumentTests {
  let store: Store
  let source: SourceID
  static let address = "https://example.org/control.json?team=1"

  init() throws {
    store = try Store.fresh()
    source = try store.follow(configured("a", kind: .banners, address: Self.address))[0]
  }

  private func read(_ text: String, etag: String? = nil, at address: String = address) throws {
    try store.poll(source, []) { content in
      content.document = SourceDocument(address: address, bytes: Data(text.utf8))
      content.position.validators = Validators(etag: etag)
    }
  }

  private func record(_ outcome: PollOutcome) throws {
    try store.polls.record(
      outcome, for: source, attempt: .periodic, start: noon, end: noon, state: PollState())
  }

  @Test func aControlFileAndItsValidatorsAreStoredTogether() throws {
    try read("{}", etag: "W/\"1\"")
    #expect(try store.documents.goodCopy(of: source)?.bytes == Data("{}".utf8))
    #expect(try store.polls.position(of: source).validators == Validators(etag: "W/\"1\""))
    try read("{\"a\":1}", etag: "2")
    #expect(
      try store.documents.goodCopy(of: source)
        == StoredDocument(bytes: Data("{\"a\":1}".utf8), validators: Validators(etag: "2")))
  }

  @Test func failuresAndA304KeepTheGoodCopy() throws {
    try read("{}", etag: "1")
    try record(.failed(.malformed(line: 3, reason: ""), PollHints()))
    try record(.notModified(try store.polls.position(of: source), PollHints()))
    #expect(try store.documents.goodCopy(of: source)?.bytes == Data("{}".utf8))
    #expect(try store.polls.position(of: source).validators.etag == "1")
  }

  @Test func withoutACopyNoValidatorsAreSent() throws {
    try read("{}", etag: "1")
    try store.write { db in try db.execute(sql: "DELETE FROM document") }
    #expect(try store.polls.position(of: source).validators.isEmpty)
    #expect(try store.documents.goodCopy(of: source) == nil)
  }

  @Test func anotherAddressHasACopyOfItsOwn() throws {
    try read("{}", etag: "1")
    let moved = Self.address + "2"
    _ = try store.follow(configured("a", kind: .banners, address: moved))
    #expect(try store.polls.position(of: source).validators.isEmpty)
    #expect(try store.documents.goodCopy(of: source) == nil)
    #expect(try store.documents.find(at: Self.address) != nil)
  }

  @Test func theCopyFollowsAnAdoptedPermanentRedirect() throws {
    try read("{}", etag: "1")
    var position = try store.polls.position(of: source)
    position.movedTo = "https://elsewhere.example/"
    position.movedCount = 3
    try record(.notModified(position, PollHints()))
    #expect(try store.documents.goodCopy(of: source)?.bytes == Data("{}".utf8))
    #expect(try store.documents.find(at: Self.address) == nil)
    #expect(try store.polls.position(of: source).validators.etag == "1")
  }

  @Test func copiesOfViewsAreLimitedAndControlFilesStay() throws {
    try read("{}")
    for number in 0...Limits.storedDocuments + 5 {
      try store.documents.keep(
        StoredDocument(bytes: Data([UInt8(number)])), at: "https://example.org/\(number)")
    }
    #expect(try store.documents.goodCopy(of: source) != nil)
    #expect(try store.documents.find(at: "https://example.org/5") == nil)
    #expect(try store.documents.find(at: "https://example.org/6")?.bytes == Data([6]))
  }

  @Test func aForgottenSourceLeavesNoCopy() throws {
    try read("{}")
    try store.sources.forget(source)
    #expect(try store.documents.find(at: Self.address) == nil)
  }
}
