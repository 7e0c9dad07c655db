import Foundation
import TerminalHarness
import Testing

/// `reddot import --newsboat`
@Suite struct NewsboatTests {
  private static let cache = """
    CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL, title VARCHAR(1024) NOT NULL,
      lastmodified INTEGER(11) NOT NULL DEFAULT 0, is_rtl INTEGER(1) NOT NULL DEFAULT 0, etag VARCHAR(128) NOT NULL DEFAULT '');
    CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL,
      title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL,
      feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL,
      unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024),
      enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52), deleted INTEGER(1) NOT NULL DEFAULT 0,
      base VARCHAR(128) NOT NULL DEFAULT '');
    """

  /// A folder as newsboat has it, with two feeds of files.
  private func household() throws -> Household {
    let household = try Household()
    let items = [item(1, "Read"), item(2, "Unread"), item(3, "Deleted"), item(4, "New since")]
    try household.write("a.xml", rss("Team", items.reversed()))
    try household.write("b.xml", rss("Other", [item(1, "Its own", site: "other")]))
    try household.write(
      ".newsboat/urls",
      """
      # mine
      file://\(household.home)/a.xml dev "~My \\"Team\\"" work/now
      file://\(household.home)/b.xml dev !

      "query:Fresh:unread = \\"yes\\" and (tags # \\"work/now\\" or title !~ \\"^Re:\\")"
      "query:Odd:unread_count > 3"
      "query:Mixed:unread = \\"yes\\" and age < 3 or age > 9"
      "exec:./script" dev
      """)
    try household.write(
      ".newsboat/config",
      "color listnormal red default\nignore-article \"*\" \"title =~ \\\"spam\\\"\"\n"
        + "ignore-article \"file://\(household.home)/a.xml\" \"author = \\\"A. Bot\\\"\"\n")
    let cache = "\(household.home)/.newsboat/cache.db"
    try sqlite(cache, Self.cache)
    let feed = "file://\(household.home)/a.xml"
    try sqlite(cache, "INSERT INTO rss_feed (rssurl, url, title) VALUES ('\(feed)', '', 'Team')")
    // 20 November 2026, 0:01, as `item` has it.
    let start = 1_795_132_800
    for (number, title, unread, deleted) in [
      (1, "Read", 0, 0), (2, "Unread", 1, 0), (3, "Deleted", 0, 1), (9, "Long gone", 0, 0),
    ] {
      try sqlite(
        cache,
        """
        INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread, deleted) VALUES ('\(number)',
          '\(title)', 'Ada', 'https://team.example/\(number)', '\(feed)', \(start + 60 * number), '<p>It <b>is</b></p>', \(unread),
          \(deleted))
        """)
    }
    return household
  }

  @Test func feedsArticlesAndWhatWasReadComeOver() throws {
    let household = try household()
    let ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.exit == .status(0), "\(ran.errors)")
    #expect(ran.output.hasSuffix("2 added, with 3 articles, 0 already followed\n"))
    #expect(
      try household.messages().compactMap { $0["title"] as? String } == ["Long gone", "Unread", "Read"])
    #expect(try household.messages("--unread").compactMap { $0["title"] as? String } == ["Unread"])
    #expect(try household.run("show", "1").output.contains("It is"))
    // An article in the feed is the same message; only articles that newsboat didn't know are new.
    #expect(try household.run("poll", "My \"Team\"").output.hasPrefix("My \"Team\": 2 new\n"))
    #expect(
      try household.messages("--unread", "--source", "My \"Team\"").compactMap { $0["title"] as? String }
        == ["New since", "Deleted", "Unread"])
    #expect(try household.run("list", "--source", "dev").output.contains("Unread"))
  }

  /// The state after a killed import: the feed is followed, but not all articles are imported.
  @Test func aFeedThatIsFollowedAndWasNeverPolledGetsItsArticles() throws {
    let household = try household()
    try household.settings(sources: [(name: "mine", url: "file://\(household.home)/a.xml", more: "")])
    var ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.output.hasSuffix("1 added, with 3 articles, 1 already followed\n"), "\(ran.output)")
    #expect(try household.messages("--source", "mine").count == 3)
    // Feeds that were completely imported, or polled, are left alone.
    ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.output.hasSuffix("0 added, 2 already followed\n"), "\(ran.output)")
  }

  @Test func aListWithLineEndsOfAnotherSystemIsReadToo() throws {
    let household = try household()
    let list = try household.text(of: "\(household.home)/.newsboat/urls")
    try household.write(
      ".newsboat/urls",
      list.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    let ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.output.hasSuffix("2 added, with 3 articles, 0 already followed\n"), "\(ran.output)")
    #expect(ran.output.contains("not imported: urls:8: a program"))
  }

  @Test func filtersBecomeListsAndRulesTheRestIsListedAndTagsAreExported() throws {
    let household = try household()
    let ran = try household.run("import", "--newsboat", "\(household.home)/.newsboat/")
    let lines = ran.output.split(separator: "\n").map(String.init)
    for line in [
      #"added the list "Fresh": is:unread (source:"My \"Team\"" OR -title:/^Re:/)"#,
      #"added the rule "ignored in newsboat 1": title:/spam/"#,
      #"added the rule "ignored in newsboat 2": source:"My \"Team\"" (author:/^A\. Bot$/)"#,
      #"not imported: urls:6: "Odd": reddot's queries have nothing for "unread_count >""#,
      #"not imported: urls:7: "Mixed": it has "and" beside "or" without parentheses"#,
      "not imported: urls:8: a program; add it with reddot add --kind command -- /bin/sh -c ./script",
      "not imported: config: color",
      "not imported: urls:3: that file://\(household.home)/b.xml is hidden, since all sources are listed; folders can be closed",
    ] {
      #expect(lines.contains(line), "\(line)\n\(ran.output)")
    }
    #expect(try household.run("list", "--list", "Fresh").output.contains("Unread"))
    #expect(try household.run("rules", "list").output.contains("ignored in newsboat 2"))
    // A second time changes nothing.
    let settings = try household.text(of: household.settingsFile)
    #expect(
      try household.run("import", "--newsboat", "~/.newsboat").output.hasSuffix(
        "0 added, 2 already followed\n"))
    #expect(try household.text(of: household.settingsFile) == settings)
    // A feed with two tags is exported in both folders, and imported again with both.
    let exported = try household.run("export").output
    #expect(exported.components(separatedBy: "/a.xml\"").count == 3)
    #expect(exported.contains("<outline text=\"work/now\" title=\"work/now\">"))
    let other = try Household()
    #expect(try other.run(["import", "-"], input: exported).exit == .status(0))
    #expect(try other.run("export").output == exported)
  }

  /// A flag is any letter; the same article stays starred when its feed is polled.
  @Test func articlesWithFlagsAreStarredAndTheQueueOfDownloadsIsNamed() throws {
    let household = try household()
    let cache = "\(household.home)/.newsboat/cache.db"
    try sqlite(cache, "UPDATE rss_item SET flags = 'qZ' WHERE guid IN ('1', '9')")
    try sqlite(cache, "UPDATE rss_item SET flags = '' WHERE guid = '2'")
    try household.write(
      ".newsboat/queue", "https://a.example/1.mp3 \"/pods/1.mp3\"\nhttps://a.example/2.mp3 \"/pods/2.mp3\"\n")
    let ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.exit == .status(0), "\(ran.errors)")
    for line in [
      "starred 2 articles that have flags; the letters are not imported, since messages have none",
      "not imported: 2 downloads of podboat's queue: reddot downloads nothing; \(household.home)/.newsboat/queue lists them",
    ] {
      #expect(ran.output.contains(line + "\n"), "\(ran.output)")
    }
    let starred = {
      try household.messages("--query", "is:starred in:all").compactMap { $0["title"] as? String }
    }
    #expect(try starred() == ["Long gone", "Read"])
    #expect(try household.run("poll", "My \"Team\"").output.hasPrefix("My \"Team\": 2 new\n"))
    #expect(try starred() == ["Long gone", "Read"])
    // If there is no star, nothing is reported.
    let other = try self.household()
    let none = try other.run("import", "--newsboat", "~/.newsboat").output
    #expect(!none.contains("flag") && !none.contains("podboat"))
  }

  @Test func whatIsMissingIsNamed() throws {
    let household = try Household()
    let none = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(none.exit == .status(1) && none.errors.contains("urls cannot be read"))
    try household.write(".newsboat/urls", "https://a.example/feed\n")
    try household.write(".newsboat/config", "urls-source \"ttrss\"\n")
    let ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.output.contains("not imported: the read states, since cache.db is missing\n"))
    #expect(ran.output.contains("not imported: the feeds of \"ttrss\""))
    try household.write(".newsboat/cache.db", "not a database, but a text that is long enough")
    #expect(try household.run("import", "--newsboat", "~/.newsboat").errors.contains("cache.db"))
    #expect(try household.run("import").exit == .status(64))
    #expect(try household.run("import", "a", "--newsboat", "b").exit == .status(64))
  }

  /// Articles are stored in batches.
  @Test func allOfManyArticlesComeOverWithWhatWasRead() throws {
    let household = try household()
    let feed = "file://\(household.home)/b.xml"
    try sqlite(
      "\(household.home)/.newsboat/cache.db",
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
      INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread)
        SELECT 'n' || i, 'Number ' || i, '', 'https://other.example/n/' || i, '\(feed)', 1700000000 + i * 60,
          iif(i = 450, zeroblob(70000000), '<p>' || i || '</p>'), i IN (2, 449, 899) FROM n
      """)
    let ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.exit == .status(0), "\(ran.errors)")
    #expect(
      ran.output.contains(
        "not imported: 1 of the articles of \(feed), which are damaged or larger than 64 MiB\n"))
    #expect(ran.output.hasSuffix("2 added, with 902 articles, 0 already followed\n"))
    let name = try #require(
      try household.messages("--limit", "1000").first { $0["title"] as? String == "Number 1" }?["source"]
        as? String)
    #expect(
      try household.messages("--unread", "--source", name).compactMap { $0["title"] as? String }
        == ["Number 899", "Number 449", "Number 2"])
    #expect(try household.messages("--source", name, "--limit", "1000").count == 899)
    // One line of the timeline.
    let lines = try household.run("why", name).output.split(separator: "\n").filter { $0.contains(" new") }
    #expect(lines.count == 1 && lines.allSatisfy { $0.contains("899 new") }, "\(lines)")
    #expect(try household.run("check").output.hasSuffix("everything agrees\n"))
  }

  static let programs: [(statements: String, reason: String)] = [
    (
      """
      DROP TABLE rss_item; CREATE VIEW rss_item AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
        SELECT id, '' guid, '' title, '' author, '' url, '' feedurl, 0 pubDate, '' content, 0 unread, 0 deleted FROM n
      """, "views or triggers"
    ),
    ("CREATE TRIGGER t AFTER INSERT ON rss_feed BEGIN SELECT 1; END", "views or triggers"),
    ("DROP TABLE rss_item; CREATE VIRTUAL TABLE rss_item USING fts5(guid)", "views or triggers"),
    ("ALTER TABLE rss_item ADD COLUMN more AS (hex(zeroblob(1000000)))", "computed columns"),
  ]

  /// Values that are computed during the read may have no end.
  @Test(arguments: programs)
  func aCacheThatComputesIsRefused(_ statements: String, reason: String) throws {
    let household = try household()
    try sqlite("\(household.home)/.newsboat/cache.db", statements)
    let ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.exit == .status(1))
    #expect(ran.errors.contains("cache.db") && ran.errors.contains(reason), "\(ran.errors)")
    #expect(try household.messages().isEmpty)
  }

  @Test func aCacheThatIsNoFileIsReported() throws {
    let household = try household()
    let cache = "\(household.home)/.newsboat/cache.db"
    unlink(cache)
    #expect(mkfifo(cache, 0o600) == 0)
    let ran = try household.run("import", "--newsboat", "~/.newsboat")
    #expect(ran.exit == .status(1) && ran.errors.contains("it is not a regular file"), "\(ran.errors)")
  }
}
