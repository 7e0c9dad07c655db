import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct PushTests {
  let store: Store

  init() throws { store = try Store.fresh() }

  private func said(_ id: String, _ title: String) -> IncomingMessage {
    IncomingMessage(remoteID: RemoteID(id), kind: .local, title: title)
  }

  private func local(_ name: String) -> ConfiguredSource {
    ConfiguredSource(name: name, kind: .local, address: "")
  }

  @Test func pushedMessagesAreUnreadFromTheFirst() throws {
    for number in 1...30 { try store.pushes.add(said("\(number)", "Title"), at: noon) }
    let local = try #require(try store.sources.statuses().first)
    #expect(local.source.name == "local" && local.unread == 30 && local.isUnseen)
    #expect(try store.pushes.add(said("30", "Changed"), at: noon).content.title == "Changed")
    #expect(try store.snapshot().total == 30)
    try store.expectConsistent()
  }

  @Test func theGroupOfAMessageIsInItsRow() throws {
    var build = said("1", "Build failed")
    build.extras = MessageExtras()
    build.extras?.group = "ci \"1\""
    try store.pushes.add(build, at: noon)
    try store.pushes.add(said("2", "Alone"), at: noon)
    var other = said("3", "An action")
    other.extras = MessageExtras()
    other.extras?.actions = [MessageAction(label: "Go", url: "https://a.example")]
    try store.pushes.add(other, at: noon)
    let rows = try store.snapshot(InboxQuery()).rows
    #expect(Set(rows.map(\.group)) == [nil, "ci \"1\""])
    #expect(rows.first { $0.title == "Build failed" }?.group == "ci \"1\"")
    // A message that is pushed again without a group stays in its group; with another group, it moves to that.
    try store.pushes.add(said("1", "Build still fails"), unsaid: [.group], at: noon)
    #expect(try store.snapshot(InboxQuery()).rows.compactMap(\.group) == ["ci \"1\""])
    build.extras?.group = "nightly"
    #expect(try store.pushes.add(build, at: noon).content.extras?.group == "nightly")
    try store.expectConsistent()
  }

  @Test func aMessageComesWithItsSource() throws {
    let news = try store.follow(configured("news"))[0]
    let pushed = try store.pushes.add(said("1", "First"), into: local("scripts"), at: noon)
    #expect(pushed.sourceName == "scripts")
    #expect(try store.sources.statuses().map(\.source.name) == ["news", "scripts"])
    #expect(try store.titles() == ["First"])
    // If there is no name, the first local source gets it.
    #expect(try store.pushes.add(said("2", "Second"), at: noon).source == pushed.source)
    #expect(throws: StoreFailure.notLocal(name: "news")) {
      try store.pushes.add(said("3", "Third"), into: configured("news", kind: .local), at: noon)
    }
    #expect(try store.snapshot(InboxQuery(scope: .source(news))).rows == [])
    try store.expectConsistent()
  }

  @Test func aLocalSourceIsListedWithAnySettings() throws {
    try store.pushes.add(said("1", "First"), into: local("b"), at: noon)
    try store.pushes.add(said("1", "Second"), into: local("a"), at: noon)
    for settings in [[configured("news")], [], [configured("other"), local("a")], [configured("news")]] {
      let listed = try store.sources.register(settings, at: noon)
      #expect(Set(listed.map(\.name)).isSuperset(of: ["a", "b"]))
      #expect(Array(listed.prefix(settings.count).map(\.name)) == settings.map(\.name))
      #expect(try store.titles().sorted() == ["First", "Second"])
      #expect(try store.sources.statuses().map(\.source) == listed)
      try store.expectConsistent()
    }
  }

  @Test func aRemovedLocalSourceComesBackWithItsNextMessage() throws {
    let first = try store.pushes.add(said("1", "First"), into: local("scripts"), at: noon)
    try store.sources.remove(first.source)
    try store.sources.register([configured("news")], at: noon)
    #expect(try store.titles() == [])
    try store.pushes.add(said("2", "Second"), into: local("scripts"), at: noon + 1)
    #expect(try store.titles() == ["Second", "First"])
    try store.expectConsistent()
  }

  // MARK: - The same id again

  enum Done: CaseIterable {
    case read, dismissed, both
  }

  @Test(arguments: Done.allCases, ["Failed", "Passed"])
  func whatWasDealtWithIsNewsAgain(_ done: Done, title: String) throws {
    let id = try store.pushes.add(said("ci", "Failed"), at: noon).id
    try store.pushes.add(said("other", "Later"), at: noon + 1)
    if done != .dismissed { try store.acts.perform(.read([id]), at: noon + 2) }
    if done != .read { try store.acts.perform(.dismiss([id]), at: noon + 2) }
    try store.acts.markSeen(.all)
    let again = try store.pushes.add(said("ci", title), at: noon + 60)
    #expect(again.id == id && again.isUnread && !again.isDismissed)
    let snapshot = try store.snapshot()
    #expect(snapshot.rows.map(\.title) == [title, "Later"])
    #expect(snapshot.unread == 2 && snapshot.isUnseen)
    try store.expectConsistent()
    // Its position is kept if it changes again while unread.
    try store.pushes.add(said("ci", "Running"), at: noon + 90)
    #expect(try store.titles() == ["Running", "Later"])
    // Undo changes nothing that has the old value already.
    while try store.acts.undo(at: noon + 100) != nil { try store.expectConsistent() }
    #expect(try store.snapshot().total == 2)
  }

  @Test func aSnoozeHoldsUntilItsMoment() throws {
    let id = try store.pushes.add(said("ci", "Failed"), at: noon).id
    try store.acts.perform(.snooze([id], until: noon + 3600), at: noon)
    #expect(try store.pushes.add(said("ci", "Failed"), at: noon + 60).isUnread)
    #expect(try store.titles() == [])
    try store.expectConsistent()
    try store.time.advance(to: noon + 3600)
    #expect(try store.titles() == ["Failed"])
    try store.expectConsistent()
  }

  @Test func whatIsNotSaidStaysAsItWas() throws {
    var first = said("disk", "Disk at 93 %")
    first.url = "https://host.example/disk"
    first.priority = Priority(5)
    first.tags = ["disk", "host"]
    first.body = "93 %"
    try store.pushes.add(first, at: noon)
    let again = try store.pushes.add(
      said("disk", "Disk at 94 %"), unsaid: [.url, .priority, .tags], at: noon + 1
    ).content
    #expect(again.title == "Disk at 94 %" && again.body == "")
    #expect(again.url == first.url && again.priority == first.priority && again.tags == first.tags)
    let other = try store.pushes.add(said("disk", "Disk at 95 %"), unsaid: [.tags], at: noon + 2).content
    #expect(other.url == nil && other.priority == .normal && other.tags == first.tags)
  }
}
