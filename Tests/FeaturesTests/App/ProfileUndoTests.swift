import Basics
import Foundation
import Messages
import Notifications
import Storage
import Testing

@testable import Platform
@testable import Profile
@testable import Settings

/// Edits of the settings as steps of the journal, with a settings file and a database on disk.
struct ProfileUndoTests {
  private let settings: EditedSettings

  init() throws { settings = try EditedSettings(Self.file) }

  private var folder: SettingsFileTests.Folder { settings.folder }

  private static let file = """
    # mine
    [[source]]
    name = "a"  # first
    url = "https://a.example/"
    interval = "1h"

    # about b
    [[source]]
    name = "b"
    url = "https://b.example/"
    token = "hunter2"

    [[source]]
    name = "c"
    kind = "local"

    [[list]]
    name = "Soon"
    query = "is:unread"
    """

  /// The journal has no token.
  private static let withoutToken = file.replacing("token = \"hunter2\"", with: "# token = ")

  private func open() throws -> Profile { try settings.open() }

  private func remove(_ name: String, _ profile: Profile) throws -> Profile {
    let source = try #require(profile.sources.first { $0.name == name })
    try profile.remove(source, called: name)
    return try profile.reopened()
  }

  private func names() throws -> [String] { try open().sources.map(\.name) }

  /// Returns the sentences of the next undos, up to the one that finds nothing.
  private func undoAll(_ profile: Profile) throws -> [String] {
    var said: [String] = []
    while let sentence = try profile.undo() { said.append(sentence) }
    return said
  }

  @Test func eachRemovalIsUndoneInTheOrderOfAllActs() async throws {
    var profile = try open()
    let source = try #require(profile.sources.last)
    let message = try await profile.observedArrival.push(
      IncomingMessage(remoteID: RemoteID("1"), kind: .local, title: "Done", body: ""), into: source.name)
    try profile.perform(.star([message.id]))
    profile = try remove("b", profile)
    try profile.perform(.read([message.id]))
    profile = try remove("c", profile)
    try profile.remove(listNamed: "Soon")
    profile = try remove("a", profile)
    #expect(
      try profile.sources.isEmpty && profile.store.lists.snapshot(InboxQuery(), InboxWindow()).total == 0)
    // Another process undoes these steps after its start.
    #expect(
      try undoAll(open()) == [
        "Undid: removed a", "Undid: removed Soon", "Undid: removed c", "Undid: marked read",
        "Undid: removed b; write its token or password into the settings again", "Undid: starred",
      ])
    #expect(try folder.text() == Self.withoutToken)
    #expect(try open().sources == profile.reopened().sources)
    let kept = try #require(try open().message(message.id))
    #expect(kept.isUnread && !kept.isStarred && kept.source == source.id)
    #expect(try profile.store.check.compareAll() == [])
  }

  @Test func aMarkOfARemovedSourceComesBackWithIt() async throws {
    let profile = try open()
    let message = try await profile.observedArrival.push(
      IncomingMessage(remoteID: RemoteID("1"), kind: .local, title: "Done", body: ""), into: "c")
    try profile.perform(.star([message.id]))
    _ = try remove("c", profile)
    _ = try profile.undo()
    #expect(try open().message(message.id)?.isStarred == true)
    #expect(try open().store.lists.snapshot(InboxQuery(scope: .starred), InboxWindow()).rows.count == 1)
  }

  @Test func aSourceOfScriptsComesBackWithoutSettings() async throws {
    try settings.write("")
    let profile = try open()
    let message = try await profile.observedArrival.push(
      IncomingMessage(remoteID: RemoteID("1"), kind: .local, title: "Done", body: ""), into: "cron")
    let opened = try remove("cron", profile.reopened())
    #expect(opened.sources.isEmpty)
    #expect(try undoAll(opened) == ["Undid: removed cron"])
    #expect(try names() == ["cron"])
    #expect(try open().store.lists.snapshot(InboxQuery(), InboxWindow()).rows.map(\.id) == [message.id])
    // A script may have brought it back before.
    _ = try remove("cron", open())
    _ = try await profile.observedArrival.push(
      IncomingMessage(remoteID: RemoteID("2"), kind: .local, title: "Again", body: ""), into: "cron")
    let refusal = #expect(throws: (any Error).self) { try profile.undo() }
    #expect((refusal as? any UserFacingError)?.sentence.contains("already listed again") == true)
    #expect(try profile.undo() == nil)
    #expect(try profile.store.check.compareAll() == [])
  }

  // MARK: - Ends in between

  /// The step is stored, but the file was not changed, since the process was killed or the disk was full.
  @Test func aRemovalThatNeverHappenedIsPassedOver() async throws {
    let profile = try open()
    let message = try await profile.observedArrival.push(
      IncomingMessage(remoteID: RemoteID("1"), kind: .local, title: "Done", body: ""), into: "c")
    try profile.perform(.star([message.id]))
    _ = try remove("b", profile)
    try folder.write(Self.file)
    #expect(try undoAll(open()) == ["Undid: starred"])
    #expect(try folder.text() == Self.file)
  }

  /// The file was restored, but the step isn't marked as undone, since the process was killed during the undo.
  @Test func anUndoThatWasCutOffIsNotDoneTwice() throws {
    let profile = try remove("b", open())
    let step = try #require(try profile.store.acts.undo(at: settings.time.now)?.step)
    #expect(try undoAll(profile) == ["Undid: removed b"])
    #expect(try folder.text() == Self.file)
    // The same step again.
    _ = try profile.store.acts.journal(step.edits[0], at: settings.time.now)
    #expect(try undoAll(open()).isEmpty)
    #expect(try folder.text() == Self.file)
  }

  @Test func aFileThatCannotBeWrittenLeavesNoStep() throws {
    let profile = try open()
    // The new file cannot be created, even by root.
    let blocker = folder.url.appending(path: ".config.toml.reddot-new")
    try FileManager.default.createDirectory(at: blocker, withIntermediateDirectories: true)
    #expect(throws: SettingsFile.Failure.self) { try remove("b", profile) }
    #expect(try profile.undo() == nil)
    try FileManager.default.removeItem(at: blocker)
    _ = try remove("b", profile)
    try FileManager.default.createDirectory(at: blocker, withIntermediateDirectories: true)
    // An undo that fails can be tried again.
    #expect(throws: SettingsFile.Failure.self) { try profile.undo() }
    try FileManager.default.removeItem(at: blocker)
    #expect(try undoAll(profile) == ["Undid: removed b"])
    #expect(try folder.text() == Self.file)
  }

  // MARK: - Others

  @Test func twoProcessesUndoEachRemovalOnce() throws {
    let (mine, theirs) = (try open(), try open())
    _ = try remove("a", mine)
    _ = try remove("b", theirs.reopened())
    #expect(try mine.undo()?.hasPrefix("Undid: removed b") == true)
    #expect(try theirs.undo() == "Undid: removed a")
    #expect(try mine.undo() == nil && theirs.undo() == nil)
    #expect(try folder.text() == Self.withoutToken)
    let source = try #require(mine.sources.first)
    try mine.remove(source, called: "a")
    #expect(throws: (any Error).self) { try theirs.remove(source, called: "a") }
    #expect(try undoAll(theirs) == ["Undid: removed a"])
  }

  @Test func whatWasAddedUnderTheNameStaysAndTheActBeforeCanBeUndone() throws {
    var profile = try remove("b", open())
    profile = try remove("a", profile)
    try folder.file.append(sources: [["name = \"a\"", "url = \"https://other.example/\""]])
    let before = try folder.text()
    let refusal = #expect(throws: (any Error).self) { try profile.undo() }
    #expect(
      (refusal as? any UserFacingError)?.sentence
        == "\"removed a\" is not undone: the settings have another source of that name now; nothing was changed"
    )
    #expect(try folder.text() == before)
    #expect(try undoAll(profile) == ["Undid: removed b"])
    let names = try open().settings.sources.map(\.name)
    // The former table before it was removed, so the source is at the end.
    #expect(names == ["c", "a", "b"])
  }

  @Test func whatWasEditedMeanwhileStays() throws {
    let profile = try remove("b", open())
    try settings.write(
      "# by hand\n" + folder.text().replacing("interval = \"1h\"", with: "interval = \"2h\""))
    #expect(try undoAll(profile) == ["Undid: removed b"])
    #expect(
      try folder.text()
        == "# by hand\n" + Self.file.replacing("interval = \"1h\"", with: "interval = \"2h\""))
  }

  @Test func forgettingIsNoStep() async throws {
    let profile = try open()
    let message = try await profile.observedArrival.push(
      IncomingMessage(remoteID: RemoteID("1"), kind: .local, title: "Done", body: ""), into: "c")
    _ = try profile.forget(try #require(profile.sources.last))
    #expect(try open().message(message.id) == nil && names() == ["a", "b"])
    #expect(try profile.undo() == nil)
  }

  @Test func theDatabaseHasNoToken() throws {
    let address = "https://ada:s3cret@b.example/"
    let text = Self.file.replacing("https://b.example/", with: address)
    try settings.write(text)
    let profile = try open()
    try profile.remove(try #require(profile.sources.first { $0.name == "b" }), called: "b")
    for suffix in ["", "-wal"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: settings.database + suffix))
      #expect(bytes.range(of: Data("hunter2".utf8)) == nil, "\(suffix)")
    }
    // This process still knows the secrets.
    #expect(try profile.undo() == "Undid: removed b")
    #expect(try folder.text() == text)
    try profile.remove(try #require(profile.sources.first { $0.name == "b" }), called: "b")
    #expect(
      try open().undo() == "Undid: removed b; write its token or password into the settings again")
    let lacking = Self.file.replacing("token = \"hunter2\"", with: "# token = ")
    #expect(try folder.text() == lacking)
  }
}
