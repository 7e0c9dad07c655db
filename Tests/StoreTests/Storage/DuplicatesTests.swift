import Foundation
import Messages
import TestBasics
import Testing

@testable import Storage

/// A message that several sources have.
@Suite struct CopiesTests {
  let store: Store
  let blog, news, third: SourceID
  let tech: Folder

  init() throws {
    store = try Store.fresh()
    let tech = try #require(Folder("tech"))
    self.tech = tech
    let sources = try store.follow(
      configured("blog") { $0.folder = tech }, configured("news") { $0.folder = tech },
      configured("third"))
    (blog, news, third) = (sources[0], sources[1], sources[2])
    try store.pollNothing(blog, news, third)
  }

  private func linked(_ id: String, _ link: String, _ title: String? = nil) -> IncomingMessage {
    var message = message(id, title, body: "The same words", at: noon)
    message.url = link
    return message
  }

  /// One message from all three sources.
  private func thrice() throws {
    try store.poll(blog, [linked("1", "https://blog.example/post", "By the blog")])
    try store.poll(news, [linked("x", "http://www.blog.example/post/?utm_source=news", "By the news")])
    try store.poll(third, [linked("y", "https://Blog.example:443/post", "By the third")])
  }

  private func row(_ query: InboxQuery = InboxQuery()) throws -> MessageRow {
    try #require(try store.snapshot(query).rows.first)
  }

  @Test func oneLinkByThreeSourcesIsOneRowThatNamesThem() throws {
    try thrice()
    let snapshot = try store.snapshot()
    #expect(snapshot.rows.map(\.title) == ["By the blog"])
    #expect(snapshot.rows.map(\.otherSources) == [[news, third]])
    #expect(snapshot.unread == 1)
    #expect(snapshot.total == 1)
    #expect(snapshot.sources.map(\.unread) == [1, 1, 1])
    #expect(try store.titles(InboxQuery(scope: .source(news))) == ["By the news"])
    #expect(try row(InboxQuery(scope: .source(news))).otherSources == [blog, third])
    let message = try #require(try store.messages.find(store.id("y", of: third)))
    #expect(message.otherSources == [blog, news])
    try store.expectConsistent()
  }

  /// One transaction finds some of them; the next reader waits for the rest.
  @Test(arguments: [true, false]) func veryManyFirstsAreFoundInSlices(isRemoved: Bool) throws {
    let many = (0..<Duplicates.most + 500).map { linked("\($0)", "https://blog.example/\($0)") }
    try store.poll(blog, many)
    try store.poll(news, many)
    #expect(try store.snapshot().total == many.count)
    let blog = configured("blog") { $0.settings.joinsOthers = false }
    try store.sources.register((isRemoved ? [] : [blog]) + [configured("news")], at: noon)
    #expect(try store.read { db in try Duplicates(db).isPending() })
    try store.time.catchUp(to: noon)
    #expect(try store.read { db in try Duplicates(db).isPending() } == false)
    #expect(try store.snapshot().total == (isRemoved ? 1 : 2) * many.count)
    try store.expectConsistent()
  }

  @Test func aCopyIsNoNews() throws {
    try store.poll(blog, [linked("1", "https://blog.example/post")])
    try store.acts.markSeen(.all)
    let recorded = try store.poll(news, [linked("x", "https://blog.example/post")])
    #expect(recorded.ids == [])
    #expect(recorded.copies == 1)
    #expect(try !store.snapshot().isUnseen)
  }

  @Test func oneUniqueIDIsOneMessageToo() throws {
    try store.poll(blog, [linked("tag:blog.example,2026:1", "https://blog.example/a")])
    try store.poll(news, [linked("tag:blog.example,2026:1", "https://mirror.example/b")])
    try store.poll(third, [linked("tag:blog.example,2026:1", "https://third.example/c")])
    #expect(try store.snapshot().total == 1)
    try store.expectConsistent()
  }

  @Test(
    arguments: [
      ("https://blog.example/", "https://blog.example/"), ("https://blog.example", "https://blog.example"),
      ("https://blog.example/a", "https://blog.example/b"),
      ("https://blog.example/a?p=1", "https://blog.example/a?p=2"),
      ("https://blog.example/A", "https://blog.example/a"), ("mailto:a@b.example", "mailto:a@b.example"),
      ("https://blog.example:8080/a", "https://blog.example/a"),
    ])
  func otherLinksAreOtherMessages(one: String, other: String) throws {
    try store.poll(blog, [linked("1", one)])
    try store.poll(news, [linked("2", other)])
    #expect(try store.snapshot().total == 2)
  }

  /// The ids are stored: another result would make another message.
  @Test func numbersAsIDsAreUniqueInTheirSourceOnly() throws {
    try store.poll(blog, [message("17")])
    try store.poll(news, [message("17")])
    #expect(try store.snapshot().total == 2)
  }

  @Test func aLinkThatASourceGivesToSeveralMessagesTellsNothing() throws {
    try store.poll(blog, [linked("1", "https://blog.example/all"), linked("2", "https://blog.example/all")])
    try store.poll(news, [linked("3", "https://blog.example/all")])
    try store.poll(third, [linked("4", "https://third.example/all")])
    try store.poll(
      news, [linked("5", "https://third.example/all"), linked("6", "https://third.example/all")])
    #expect(try store.snapshot().total == 6)
  }

  @Test func readInOneIsReadInAllAndOneUndo() throws {
    try thrice()
    #expect(try store.acts.perform(.read([store.id("x", of: news)]), at: noon) == 1)
    #expect(try store.snapshot().unread == 0)
    #expect(try store.snapshot().sources.map(\.unread) == [0, 0, 0])
    try store.expectConsistent()
    #expect(try store.acts.undo(at: noon)?.count == 1)
    #expect(try store.snapshot().sources.map(\.unread) == [1, 1, 1])
    try store.expectConsistent()
  }

  @Test(arguments: [false, true])
  func markingAListReadReadsTheCopiesToo(isFolder: Bool) throws {
    let scope = isFolder ? InboxQuery.Scope.folder(tech) : .all
    try thrice()
    try store.poll(third, [message("own")])
    #expect(try store.acts.perform(.readAll(InboxQuery(scope: scope)), at: noon) == (scope == .all ? 2 : 1))
    #expect(try store.snapshot().sources.map(\.unread) == [0, 0, scope == .all ? 0 : 1])
    try store.expectConsistent()
    #expect(try store.acts.undo(at: noon) != nil)
    #expect(try store.snapshot().unread == 2)
    try store.expectConsistent()
  }

  @Test func whatIsPutAwayIsPutAwayOnce() throws {
    try thrice()
    try store.acts.perform(.dismiss([store.id("y", of: third)]), at: noon)
    #expect(try store.snapshot().total == 0)
    #expect(try store.titles(InboxQuery(scope: .dismissed)) == ["By the blog"])
    #expect(try store.acts.undo(at: noon) != nil)
    try store.acts.perform(.snooze([store.id("1", of: blog)], until: noon + 60), at: noon)
    #expect(try store.titles(InboxQuery(scope: .snoozed)) == ["By the blog"])
    #expect(try store.snapshot().snoozed == 1)
    try store.expectConsistent()
    try store.time.advance(to: noon + 60)
    #expect(try store.snapshot().total == 1)
    #expect(try store.snapshot().unread == 1)
    try store.expectConsistent()
  }

  @Test func aCopyOfWhatWasReadOrDismissedIsSoToo() throws {
    try store.poll(
      blog, [linked("1", "https://blog.example/1"), linked("2", "https://blog.example/2")])
    try store.acts.perform(.read([store.id("1", of: blog)]), at: noon)
    try store.acts.perform(.dismiss([store.id("2", of: blog)]), at: noon)
    try store.poll(
      news, [linked("a", "https://blog.example/1"), linked("b", "https://blog.example/2")])
    #expect(try store.snapshot().unread == 0)
    #expect(try store.titles(InboxQuery(scope: .source(news))) == ["Title a"])
    try store.expectConsistent()
  }

  @Test func whenTheFirstGoesAnotherStandsForAll() throws {
    var first = linked("1", "https://blog.example/post", "By the blog")
    first.expires = noon + 60
    try store.poll(blog, [first])
    try store.poll(news, [linked("x", "https://blog.example/post", "By the news")])
    try store.poll(third, [linked("y", "https://blog.example/post", "By the third")])
    try store.time.advance(to: noon + 60)
    #expect(try store.titles() == ["By the news"])
    #expect(try store.snapshot().unread == 1)
    try store.expectConsistent()
  }

  @Test func aRemovedSourceLeavesItsMessagesToTheOthersAndGetsThemBack() throws {
    try thrice()
    let all = [configured("blog"), configured("news"), configured("third")]
    try store.sources.register(Array(all.dropFirst()), at: noon)
    #expect(try store.titles() == ["By the news"])
    try store.expectConsistent()
    try store.sources.register(all, at: noon)
    #expect(try store.snapshot().total == 1)
    #expect(try store.snapshot().sources.map(\.total) == [1, 1, 1])
    try store.expectConsistent()
    try store.sources.forget(news)
    #expect(try store.snapshot().total == 1)
    try store.expectConsistent()
  }

  @Test func aSourceCanStandByItself() throws {
    try thrice()
    func settings(_ joins: Bool) -> [ConfiguredSource] {
      [configured("blog") { $0.settings.joinsOthers = joins }, configured("news"), configured("third")]
    }
    try store.sources.register(settings(false), at: noon)
    #expect(try Set(store.titles()) == ["By the blog", "By the news"])
    try store.expectConsistent()
    try store.poll(blog, [linked("2", "https://third.example/2")])
    try store.poll(third, [linked("z", "https://third.example/2")])
    #expect(try store.snapshot().total == 4)
  }

  @Test func aSearchFindsItOnce() throws {
    try thrice()
    #expect(try store.titles(search: "By ") == ["By the blog"])
    #expect(try store.titles(search: "By ", .folder(tech)) == ["By the blog"])
    #expect(try store.titles(search: "By ", .source(news)) == ["By the news"])
  }

  @Test func aSearchForWhatOnlyTheCopySaysFindsIt() throws {
    try thrice()
    #expect(try store.titles(search: "news") == ["By the blog"])
  }

  @Test func aFolderShowsAndCountsItOnce() throws {
    try thrice()
    let folder = InboxQuery(scope: .folder(tech))
    #expect(try store.titles(folder) == ["By the blog"])
    let statuses = try store.sources.statuses().filter { $0.source.folder != nil }
    #expect(UnreadCounts.sum(of: statuses) == 1)
    var bySource = InboxQuery()
    bySource.order = .source
    #expect(try store.titles(bySource) == ["By the blog"])
  }

  @Test func anEditedCopyThatBecomesUnreadIsUnreadInAll() throws {
    try store.sources.register(
      [configured("blog"), configured("news") { $0.isUnreadOnChange = true }, configured("third")], at: noon)
    try thrice()
    try store.acts.perform(.read([store.id("1", of: blog)]), at: noon)
    try store.poll(news, [linked("x", "https://blog.example/post", "Edited by the news")])
    #expect(try store.snapshot().unread == 1)
    try store.expectConsistent()
  }

  /// Random polls of few links, acts, times and settings: every list and count stays right, and the user sees one row
  /// for each link.
  @Test(arguments: Histories.seeds(12, from: 1))
  func randomDeliveriesStayRight(seed: Int) throws {
    var generator = SeededRandom(seed: seed)
    let names = ["blog", "news", "third"]
    var now = noon
    for step in 0..<120 {
      let comment: Comment = "seed \(seed), step \(step)"
      let sources = try store.sources.statuses().map(\.source.id)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0...4:
        guard let source = sources.randomElement(using: &generator) else { continue }
        let numbers = Set((0..<3).map { _ in Int.random(in: 1...15, using: &generator) })
        let sent = numbers.sorted().map { number in
          var sent = linked("\(number)", "https://blog.example/\(number)")
          sent.priority = Priority(Int.random(in: 1...5, using: &generator))
          sent.body = "\(Int.random(in: 0...2, using: &generator))"
          if Int.random(in: 0..<4, using: &generator) == 0 { sent.expires = now + 10 }
          if Int.random(in: 0..<6, using: &generator) == 0 { sent.visibleFrom = now + 5 }
          return sent
        }
        try store.poll(source, sent, at: now)
      case 5...7:
        let id = MessageID(Int64.random(in: 1...30, using: &generator))
        let acts: [UserAct] = [
          .read([id]), .unread([id]), .star([id]), .unstar([id]), .dismiss([id]), .undismiss([id]),
          .snooze([id], until: now + 7),
        ]
        try store.acts.perform(try #require(acts.randomElement(using: &generator)), at: now)
      case 8: _ = try store.acts.undo(at: now)
      case 9:
        now += Double(Int.random(in: 0...12, using: &generator))
        try store.time.advance(to: now)
      case 10:
        let some = names.shuffled(using: &generator).prefix(Int.random(in: 1...3, using: &generator))
        let isJoined = Int.random(in: 0..<4, using: &generator) > 0
        try store.sources.register(
          some.map { name in
            configured(name) {
              $0.isUnreadOnChange = name == "news"
              if name == "blog" { $0.settings.joinsOthers = isJoined }
            }
          }, at: now)
      default:
        let scope = sources.randomElement(using: &generator).map { InboxQuery.Scope.source($0) } ?? .all
        try store.acts.perform(
          .readAll(InboxQuery(scope: Bool.random(using: &generator) ? .all : scope)), at: now)
      }
      try store.expectConsistent(comment)
      let snapshot = try store.lists.snapshot(InboxQuery(), InboxWindow(after: 1000))
      let prioritised = try store.lists.snapshot(InboxQuery(order: .priority), InboxWindow(after: 1000)).rows
      #expect(prioritised.map(\.priority) == snapshot.rows.map(\.priority).sorted(by: >), comment)
      #expect(Set(prioritised.map(\.id)) == Set(snapshot.rows.map(\.id)), comment)
      #expect(snapshot.total == snapshot.rows.count, comment)
      #expect(snapshot.unread == snapshot.rows.count { $0.isUnread }, comment)
      #expect(snapshot.starred == snapshot.rows.count { $0.isStarred }, comment)
    }
  }
}
