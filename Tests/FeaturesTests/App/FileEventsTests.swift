import Foundation
import TestBasics
import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct FileEventsTests {
  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  @Test func aFileThatIsReplacedIsNoticed() async throws {
    let folder = try SettingsFileTests.Folder()
    let events = try #require(FileEvents(watching: [folder.path]))
    var changes = events.changes.makeAsyncIterator()
    try folder.write("a = 1\n")
    #expect(await changes.next() == [folder.path])
    let other = folder.url.appending(path: "new").path
    for text in ["b = 1\n", "c = 1\n"] {
      try write(text, other)
      #expect(rename(other, folder.path) == 0)
      #expect(await changes.next() == [folder.path])
      #expect(try folder.text() == text)
    }
  }

  @Test func otherFilesOfTheFolderAreNot() async throws {
    let folder = try SettingsFileTests.Folder()
    let events = try #require(FileEvents(watching: [folder.path]))
    try write("x", folder.url.appending(path: "other").path)
    try folder.write("a = 1\n")
    var changes = events.changes.makeAsyncIterator()
    #expect(await changes.next() == [folder.path])
  }

  @Test func ofAFolderTheFilesInItAreWatched() async throws {
    let folder = try SettingsFileTests.Folder()
    let path = folder.url.appending(path: "calendars").path
    let events = try #require(FileEvents(watching: [path]))
    try await noticed(events, path) {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    try await noticed(events, path) { try write("x", path + "/1.ics") }
    try await noticed(events, path) { #expect(rename(path + "/1.ics", path + "/2.ics") == 0) }
    try await noticed(events, path) { #expect(unlink(path + "/2.ics") == 0) }
  }

  /// An incomplete file is not reported; of a database every write is.
  @Test func aFileIsNoticedWhenItsWriterClosesIt() async throws {
    let folder = try SettingsFileTests.Folder()
    let database = folder.url.appending(path: "db").path
    try write("", database)
    try folder.write("")
    let events = try #require(FileEvents(watching: [folder.path, database], open: [database]))
    var changes = events.changes.makeAsyncIterator()
    let settings = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path))
    try settings.write(contentsOf: Data("half".utf8))
    let store = try FileHandle(forWritingTo: URL(fileURLWithPath: database))
    try store.write(contentsOf: Data("page".utf8))
    #expect(await changes.next() == [database])
    try settings.close()
    #expect(await changes.next() == [folder.path])
  }

  @Test func aDirectoryThatIsMadeLaterIsWatched() async throws {
    let folder = try SettingsFileTests.Folder()
    let path = folder.url.appending(path: "a/b/c/config.toml").path
    let events = try #require(FileEvents(watching: [path]))
    var changes = events.changes.makeAsyncIterator()
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    #expect(await changes.next() == [path])
    try write("x", path)
    while await changes.next() == [path], !FileManager.default.fileExists(atPath: path) {}
    // One more than those reported until now.
    try await noticed(events, path) { try write("y", path) }
  }

  @Test func aDirectoryThatWasMovedAwayIsFollowedByTheNextOne() async throws {
    let folder = try SettingsFileTests.Folder()
    let directory = folder.url.appending(path: "dir").path
    let path = directory + "/config.toml"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try write("x", path)
    let events = try #require(FileEvents(watching: [path]))
    try await noticed(events, path) { #expect(rename(directory, directory + ".old") == 0) }
    try await noticed(events, path) {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    try await noticed(events, path) { try write("y", path) }
  }

  @Test func whatALinkLeadsToIsWatched() async throws {
    let folder = try SettingsFileTests.Folder()
    let manager = FileManager.default
    for name in ["one", "two"] {
      try manager.createDirectory(at: folder.url.appending(path: name), withIntermediateDirectories: true)
      try write(name, folder.url.appending(path: "\(name)/real.toml").path)
    }
    try manager.createSymbolicLink(atPath: folder.path, withDestinationPath: "one/../one/real.toml")
    let events = try #require(FileEvents(watching: [folder.path]))
    let one = folder.url.appending(path: "one/real.toml").path
    try await noticed(events, folder.path) { try write("1", one) }
    // An editor that writes a new file and renames it, at the target.
    try await noticed(events, folder.path) {
      try write("2", one + "~")
      #expect(rename(one + "~", one) == 0)
    }
    // The link gets another target.
    try await noticed(events, folder.path) {
      let link = folder.url.appending(path: "link").path
      try manager.createSymbolicLink(atPath: link, withDestinationPath: "two/real.toml")
      #expect(rename(link, folder.path) == 0)
    }
    try await noticed(events, folder.path) {
      try write("3", folder.url.appending(path: "two/real.toml").path)
    }
    #expect(try folder.text() == "3")
  }

  @Test func aLinkToADirectoryIsFollowed() async throws {
    let folder = try SettingsFileTests.Folder()
    let real = folder.url.appending(path: "real").path
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    let link = folder.url.appending(path: "link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
    let path = link + "/config.toml"
    let events = try #require(FileEvents(watching: [path]))
    try await noticed(events, path) { try write("x", real + "/config.toml") }
  }

  @Test func linksInACircleEnd() async throws {
    let folder = try SettingsFileTests.Folder()
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: "config.toml")
    let events = try #require(FileEvents(watching: [folder.path]))
    try await noticed(events, folder.path) {
      unlink(folder.path)
      try folder.write("x")
    }
  }

  @Test(.enabled(if: access(".", W_OK) == 0, "the working directory cannot be written"))
  func aPathWithoutASlashIsInTheWorkingDirectory() async throws {
    let name = "reddot-\(UUID().uuidString).toml"
    let events = try #require(FileEvents(watching: [name]))
    defer { unlink(name) }
    var changes = events.changes.makeAsyncIterator()
    try write("x", name)
    #expect(await changes.next() == [name])
  }

  @Test func filesCanBeAddedAndLeft() async throws {
    let folder = try SettingsFileTests.Folder()
    let other = folder.url.appending(path: "schedule.json").path
    let events = try #require(FileEvents(watching: [folder.path]))
    events.watch([other])
    try folder.write("x")
    try await noticed(events, other) { try write("x", other) }
  }

  /// No change is lost while there is no consumer.
  @Test func changesAreGathered() async throws {
    let folder = try SettingsFileTests.Folder()
    let paths = (0..<200).map { folder.url.appending(path: "\($0)").path }
    let events = try #require(FileEvents(watching: paths))
    for path in paths { try write("x", path) }
    var left = Set(paths)
    for await changed in events.changes {
      left.subtract(changed)
      if left.isEmpty { break }
    }
    #expect(left.isEmpty)
  }

  /// Waits until a change of now is reported.
  private func noticed(_ events: FileEvents, _ path: String, _ change: () throws -> Void) async throws {
    try change()
    var changes = events.changes.makeAsyncIterator()
    #expect(await changes.next() == [path])
  }
}
