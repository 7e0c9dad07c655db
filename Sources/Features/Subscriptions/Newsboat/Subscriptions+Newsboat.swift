import Formats
import Foundation
import Messages
package import Notifications
import Platform
import Profile
import Queries
import Services
import Settings
import Storage
import Words

extension Subscriptions {
  /// Imports from the feed reader newsboat: follows its feeds, each with its articles and their read state; its query
  /// feeds become saved lists, and each `ignore-article` becomes a rule that hides messages.
  ///
  /// - Parameter folder: the folder of the file `urls`: `~/.newsboat` or `~/.config/newsboat`.
  package func importNewsboat(from folder: String, by arrival: MessageArrival) throws -> ImportReport {
    try Subscriptions(profile.inOneStep(), feedsAtMost: feedsAtMost).importInOneStep(
      from: folder, by: arrival)
  }

  /// Imports the feeds, articles and filters, and returns the report.
  private func importInOneStep(from folder: String, by arrival: MessageArrival) throws -> ImportReport {
    let home = profile.environment.home
    let folder = WholePath.absolute(Directories.expandingHome(folder, home: home))
    var files = NewsboatFiles()
    files.read(urls: String(decoding: try Self.bytes(of: folder + "/urls", home: home), as: UTF8.self))
    if FileManager.default.fileExists(atPath: folder + "/config") {
      files.read(config: String(decoding: try Self.bytes(of: folder + "/config", home: home), as: UTF8.self))
    }
    if files.source != "local" {
      files.problems.append(
        "the feeds of \"\(files.source)\", which newsboat reads from that service; run reddot add to follow the service itself"
      )
    }
    let cache = try NewsboatCache(path: cacheFile(files, folder))
    if cache == nil { files.problems.append("the read states, since cache.db is missing") }

    var document = OPMLDocument()
    for feed in files.feeds {
      if feed.isHidden {
        files.problems.append(
          "urls:\(feed.line): that \(feed.url) is hidden, since all sources are listed; folders can be closed"
        )
      }
      let folders = feed.tags.map { [$0] }
      var entry = OPMLDocument.Feed(
        url: feed.url, title: try feed.title ?? cache?.title(of: feed.url) ?? "", folders: folders.first ?? []
      )
      entry.alsoIn = Array(folders.dropFirst())
      document.feeds.append(entry)
    }
    var report = try add(
      document, from: "urls", titled: Set(files.feeds.filter { $0.title != nil }.map(\.url)))
    let current = try profile.reopened()
    for feed in files.feeds {
      guard let address = SourceAddress.normalized(feed.url, home: home),
        let source = current.sources.first(where: { $0.address == address }),
        let cache
      else { continue }
      // An import that was killed is completed by the next one.
      guard try report.added.contains(source.name) || !current.store.sources.hasFirstPoll(source.id) else {
        continue
      }
      try arrival.store(feed.url, of: cache, as: source, &report)
    }
    let names = { (tag: String) -> [String] in
      let urls = files.feeds.filter { $0.tags.contains(tag) }
        .compactMap { SourceAddress.normalized($0.url, home: home) }
      return current.sources.filter { urls.contains($0.address) }.map(\.name)
    }
    try addFilters(of: files, NewsboatFilter(sources: names), current, &report)
    if report.starred > 0 {
      let articles =
        report.starred == 1 ? "1 article that has a flag" : "\(report.starred) articles that have flags"
      report.others.append("starred \(articles); the letters are not imported, since messages have none")
    }
    if let queued = try? Self.bytes(of: folder + "/queue", home: home) {
      let count = NewsboatFiles.lines(String(decoding: queued, as: UTF8.self)).count
      if count > 0 {
        files.problems.append(
          "\(count == 1 ? "1 download" : "\(count) downloads") of podboat's queue: reddot downloads nothing; \(folder)/queue lists them"
        )
      }
    }
    report.problems += files.problems.map { "not imported: \($0)" }
    return report
  }

  /// Returns the path of newsboat's database.
  private func cacheFile(_ files: NewsboatFiles, _ folder: String) -> String {
    let environment = profile.environment
    if let file = files.cacheFile {
      return WholePath.absolute(Directories.expandingHome(file, home: environment.home))
    }
    let beside = folder + "/cache.db"
    if FileManager.default.fileExists(atPath: beside) { return beside }
    let data = environment.variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (data ?? environment.home + "/.local/share") + "/newsboat/cache.db"
  }

  /// Adds newsboat's filters as saved lists and rules.
  private func addFilters(
    of files: NewsboatFiles, _ filter: NewsboatFilter, _ current: Profile, _ report: inout ImportReport
  ) throws {
    let file = profile.settingsFile
    for query in files.queries {
      do {
        let text = try filter.query(query.expression).text
        let name = String(SafeOutput.line(query.name).trimmingCharacters(in: .whitespaces).prefix(64))
        if current.settings.lists.contains(where: { $0.name == name && $0.written == text }) { continue }
        try file.append(list: name, query: text)
        report.others.append("added the list \"\(name)\": \(text)")
      } catch {
        report.problems.append("not imported: urls:\(query.line): \"\(query.name)\": \(Self.reason(error))")
      }
    }
    for (number, ignored) in files.ignored.enumerated() {
      do {
        var text = try filter.query(ignored.expression).text
        if ignored.name != "*" {
          let address = SourceAddress.normalized(ignored.name, home: profile.environment.home)
          guard let source = current.sources.first(where: { $0.address == address }) else {
            throw NewsboatFilter.Unsayable("\(ignored.name) is not among the feeds")
          }
          text = "source:\(TOMLText.quoted(source.name)) (\(text))"
        }
        let name = "ignored in newsboat \(number + 1)"
        if current.settings.rules.contains(where: { $0.name == name }) { continue }
        try file.append(rule: RuleEntry(name: name, when: text, actions: ["hide"]))
        report.others.append("added the rule \"\(name)\": \(text)")
      } catch {
        report.problems.append("not imported: config:\(ignored.line): ignore-article: \(Self.reason(error))")
      }
    }
    if !report.others.isEmpty { _ = try profile.reopened() }
  }

  /// Returns the reason for an error, as a clause or a sentence.
  private static func reason(_ error: any Error) -> String {
    (error as? NewsboatFilter.Unsayable)?.reason ?? (error as? any UserFacingError)?.sentence ?? "\(error)"
  }
}

extension MessageArrival {
  /// Stores the articles of one of newsboat's feeds as a first poll would, with their read state. This takes several
  /// transactions, but adds one line to the timeline. Articles that cannot be read are reported.
  fileprivate func store(
    _ feed: String, of cache: NewsboatCache, as source: Source, _ report: inout Subscriptions.ImportReport
  ) throws {
    var earlier: EarlierParts?
    var unreadable = 0
    defer {
      if unreadable > 0 {
        report.problems.append(
          "not imported: \(unreadable) of the articles of \(feed), which are damaged or larger than 64 MiB")
      }
    }
    var rest: ArraySlice<Int64> = []
    do throws(StoreFailure) {
      let (numbers, left) = try cache.numbers(of: feed)
      if left > 0 {
        report.problems.append(
          "not imported: the oldest \(left) articles of \(feed): only the newest \(numbers.count) were taken")
      }
      rest = numbers[...]
    } catch {
      report.problems.append("not imported: the articles of \(feed): \(error.sentence)")
    }
    while !rest.isEmpty {
      let start = ContinuousClock.now
      let part: (articles: [NewsboatArticle], count: Int, unreadable: Int)
      do throws(StoreFailure) {
        part = try cache.articles(rest)
      } catch {
        report.problems.append("not imported: \(rest.count) of the articles of \(feed): \(error.sentence)")
        return
      }
      rest = rest.dropFirst(part.count)
      unreadable += part.unreadable
      let stored = try store(part.articles, of: source, after: earlier, isLast: rest.isEmpty)
      report.articles += stored.count
      report.starred += part.articles.count { !$0.flags.isEmpty }
      earlier = stored.parts
      if !rest.isEmpty { profile.store.giveTurn(since: start) }
    }
  }

  /// Stores some of the articles, as one part of a first poll.
  private func store(
    _ articles: [NewsboatArticle], of source: Source, after earlier: EarlierParts?, isLast: Bool
  ) throws -> (count: Int, parts: EarlierParts) {
    var feed = ParsedFeed(format: .rss20)
    var upstream = UpstreamState()
    // Feeds list their newest entry first.
    for article in articles.reversed() { feed.entries.append(ParsedEntry(article)) }
    let messages = WebFeedMessages.messages(of: feed)
    let read = Set(articles.filter { !$0.isUnread }.flatMap { [$0.guid, $0.url] })
    let flagged = Set(articles.filter { !$0.flags.isEmpty }.flatMap { [$0.guid, $0.url] })
    for message in messages {
      let id = message.remoteID.text
      let marks = UpstreamMarks(
        isRead: read.contains(id) ? true : nil, isStarred: flagged.contains(id) ? true : nil)
      if marks != UpstreamMarks() { upstream.marks.append(UpstreamState.Mark(message.remoteID, marks)) }
    }
    var content = PollContent(messages: messages)
    content.upstream = upstream
    var hints = PollHints()
    hints.hasMore = !isLast
    let now = profile.environment.now()
    let recorded = try record(
      PollReport(
        source: source.id, trigger: .initial, start: earlier?.start ?? now, end: now,
        outcome: .content(content, hints), state: PollState(), earlier: earlier))
    let parts = EarlierParts(
      start: earlier?.start ?? now, new: (earlier?.new ?? 0) + recorded.new,
      updated: (earlier?.updated ?? 0) + recorded.updated, back: (earlier?.back ?? 0) + recorded.back,
      problems: [])
    return (messages.count, parts)
  }
}

extension ParsedEntry {
  /// Converts an article of newsboat's database into an entry of a feed.
  fileprivate init(_ article: NewsboatArticle) {
    self.init()
    // If a feed has no guid, newsboat makes one of the link and the date.
    let isMade = !article.url.isEmpty && article.guid.hasPrefix(article.url) && article.guid != article.url
    id = isMade || article.guid.isEmpty ? nil : article.guid
    title = FeedText(.text, article.title)
    link = article.url.isEmpty ? nil : article.url
    if !article.content.isEmpty { content = FeedText(.html, article.content, base: link) }
    if !article.author.isEmpty { author = FeedText(.text, article.author) }
    published = article.published
    // Newsboat stores a date without a time of day as midnight in UTC.
    isPublishedDay = published?.timeIntervalSince1970.remainder(dividingBy: 86_400) == 0
  }
}
