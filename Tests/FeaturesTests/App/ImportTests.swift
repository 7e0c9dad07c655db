import Basics
import Foundation
import Testing

@testable import Platform
@testable import Profile
@testable import Settings
@testable import Subscriptions

struct ImportTests {
  private let folder: SettingsFileTests.Folder
  private let list: String

  init() throws {
    folder = try SettingsFileTests.Folder()
    list = folder.url.appending(path: "feeds.opml").path
    let feeds = (0..<5).map { "<outline text='\($0)' xmlUrl='https://a.example/\($0)'/>" }.joined()
    try Data("<opml version='2.0'><body>\(feeds)</body></opml>".utf8).write(to: URL(filePath: list))
  }

  private func subscriptions(feedsAtMost: Int) throws -> Subscriptions {
    let environment = Environment(
      variables: [:], home: folder.url.path, version: "0",
      now: { Date(timeIntervalSince1970: 1_800_000_000) }, clock: { .gmt }, random: { 0 })
    let profile = try Profile(
      config: folder.path, database: folder.url.appending(path: "reddot.sqlite").path,
      environment: environment)
    return Subscriptions(profile, feedsAtMost: feedsAtMost)
  }

  @Test func aListOfMoreFeedsThanOneImportAddsIsImportedInSteps() throws {
    let first = try subscriptions(feedsAtMost: 2).importOPML(from: list)
    #expect(first.added == ["0", "1"] && first.known == 0)
    #expect(
      first.problems == [
        "only the first 2 new feeds of \(list) were added; import it again for the others"
      ])
    let second = try subscriptions(feedsAtMost: 2).importOPML(from: list)
    #expect(second.added == ["2", "3"] && second.known == 2 && second.problems.count == 1)
    let third = try subscriptions(feedsAtMost: 2).importOPML(from: list)
    #expect(third.added == ["4"] && third.known == 4 && third.problems.isEmpty)
  }

  @Test func asManyFeedsAsOneImportAddsAreAllOfThem() throws {
    let report = try subscriptions(feedsAtMost: 5).importOPML(from: list)
    #expect(report.added.count == 5 && report.problems.isEmpty)
  }
}
