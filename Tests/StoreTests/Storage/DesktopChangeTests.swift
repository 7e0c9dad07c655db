import Foundation
import Messages
import Testing

@testable import Storage

/// The notifications of other programs, in the store.
@Suite struct DesktopChangeTests {
  let store: Store
  let desktop: SourceID

  init() throws {
    store = try Store.fresh()
    desktop = try store.follow(configured("desktop", kind: .desktop, address: ""))[0]
  }

  private func shown(_ id: String, _ title: String, by program: String = "Slack") -> DesktopChange {
    var message = IncomingMessage(remoteID: RemoteID(id), kind: .desktop, title: title)
    message.channel = program
    return .shown(message)
  }

  private func add(_ changes: DesktopChange..., at now: Date = noon) throws {
    try store.pushes.add(changes, into: desktop, at: now)
    try store.expectConsistent()
  }

  private func unread() throws -> [String] {
    try store.snapshot().rows.filter(\.isUnread).map(\.title).sorted()
  }

  @Test func noticesAreUnreadAndNameTheirProgram() throws {
    try add(shown("1", "One"), shown("2", "Two", by: "Evolution"))
    #expect(try unread() == ["One", "Two"])
    #expect(Set(try store.snapshot().rows.map(\.channel)) == ["Slack", "Evolution"])
  }

  @Test func ofOneBatchTheLastWordCounts() throws {
    try add(
      shown("1", "10 %"), shown("1", "20 %"), shown("2", "Gone"), .closed(RemoteID("2")),
      shown("3", "Closed"),
      .closed(RemoteID("3")), shown("3", "Back"), .closed(RemoteID("4")))
    #expect(try unread() == ["20 %", "Back"])
    #expect(try store.snapshot().total == 3)
  }

  @Test func aReplacedOneIsNewsAgain() throws {
    try add(shown("1", "First"), shown("2", "Other"))
    try add(.closed(RemoteID("1")))
    #expect(try unread() == ["Other"])
    try add(shown("1", "Second"), at: noon + 60)
    #expect(try unread() == ["Other", "Second"])
    #expect(try store.titles() == ["Second", "Other"])
  }

  /// A notification may be closed by its daemon long after the message was dismissed.
  @Test func whatIsClosedTwiceOrUnknownChangesNothing() throws {
    try add(shown("1", "One"))
    try add(.closed(RemoteID("1")), .closed(RemoteID("1")))
    try add(.closed(RemoteID("unknown")))
    #expect(try store.snapshot().total == 1 && unread() == [])
  }

  @Test func aSourceThatIsNotFollowedAnyMoreGetsNothing() throws {
    try store.sources.register([configured("news")], at: noon)
    try add(shown("1", "One"))
    try store.pushes.add([shown("1", "One")], into: SourceID(999), at: noon)
    #expect(try store.titles() == [])
  }

  /// Programs of two sources may show the same text: they remain separate.
  @Test func noticesAreNoCopies() throws {
    let other = try store.follow(
      configured("desktop", kind: .desktop, address: ""), configured("other", kind: .desktop, address: ""))[1]
    var message = IncomingMessage(remoteID: RemoteID("1"), kind: .desktop, title: "Same")
    message.url = "https://a.example/1"
    for source in [desktop, other] { try store.pushes.add([.shown(message)], into: source, at: noon) }
    #expect(try store.titles() == ["Same", "Same"])
    try store.expectConsistent()
  }
}
