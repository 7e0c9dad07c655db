/// The messages of the demo's inbox when it opens: a developer's morning, and the days before it. The oldest come
/// first.
enum Morning {
  private static let day = 24 * 60

  static let builds = [
    MorningItem(
      minutes: 17 * 60 + 4, title: "main #811 passed", author: "ci", body: "412 tests in 3 min 8 s.",
      tags: ["passed"]),
    MorningItem(
      minutes: 3, title: "main #812 passed", author: "ci", body: "412 tests in 3 min 2 s.", tags: ["passed"]),
  ]

  /// The failed build that the demo's story adds while the demo runs.
  static let failedBuild = MorningItem(
    minutes: 0, title: "main #813 failed: 2 of 413 tests", author: "ci",
    html: """
      <p>2 of 413 tests failed, after <a href="https://ci.example/main/813">12 minutes</a>:</p>
      <pre><code>CursorTests.resetKeepsWhatWeHave
      DateTests.leapDay</code></pre>
      """, url: "https://ci.example/main/813", priority: 5, tags: ["failed"])

  static let team = [
    MorningItem(
      minutes: 5 * day + 95, title: "Invoice run of October: all are paid", author: "Ravi",
      body: "38 of 38. The last one came in this morning."),
    MorningItem(
      minutes: day + 40, title: "Release 4.2 goes out on Friday", author: "Mina",
      html: """
        <p>The <a href="https://team.example/notes/4.2">notes</a> are ready. Rolling back is one command:</p>
        <pre><code>deploy rollback --to 4.1.7</code></pre>
        """),
    MorningItem(
      minutes: 6, title: "Mina: can you look at the invoice export before ten?", author: "Mina",
      body: """
        The customer's bank refuses our file: the amounts of credit notes have two signs.

        It is the same in yesterday's export, so it is not the new version. I can roll back if you see nothing.
        """, url: "https://team.example/chat/4711", priority: 4),
  ]

  static let kernel = [
    MorningItem(
      minutes: 2 * day + 200, title: "The long way to a smaller initramfs",
      html: "<p>A third of the files were there for machines of before 2009.</p>"),
    MorningItem(
      minutes: 106, title: "A scheduler for small machines",
      html: "<p>Two cores, eight threads, and a desktop that does not stutter.</p>"),
    MorningItem(
      minutes: 36, title: "Linux 6.19 in three changes",
      html: """
        <p>The merge window has closed. Three changes that you will see:</p>
        <ul><li>Swap is compressed with zstd.</li>
        <li>A laptop that sleeps no longer wakes up for the network.</li>
        <li>io_uring has a limit for each user, set by <a href="https://kernel.example/limits">one number</a>.</li></ul>
        <p>The release is planned for January.</p>
        """, url: "https://kernel.example/6.19"),
  ]

  static let swift = [
    MorningItem(
      minutes: 61, title: "Swift 6.4 builds faster",
      html:
        "<p>Shorter builds, and a standard library that is <em>half</em> as large when linked statically.</p>"
    )
  ]

  /// Nine updates, none of which was opened: the noise on which a rule is tried.
  static let dependencies =
    [
      (27, "nettle", "3.10.1"), (23, "swift-log", "1.6.4"), (19, "GRDB.swift", "7.11.0"),
      (14, "zstd", "1.5.8"),
      (11, "swift-nio", "2.102.0"), (7, "pcre2", "10.46"), (2, "hummingbird", "2.29.1"),
    ].map { days, name, version in bump(days * day + 35 + days, name, version) }
    + [bump(84, "swift-nio-ssl", "2.37.3"), bump(51, "sqlite", "3.52.0")]

  private static func bump(_ minutes: Int, _ name: String, _ version: String) -> MorningItem {
    MorningItem(
      minutes: minutes, title: "Bump \(name) to \(version)", author: "deps",
      body: "\(name) has a new version, \(version). Its changelog has no security fixes.", tags: ["bump"])
  }

  /// The message about a backup, which a script on this machine has pushed.
  static let backup = MorningItem(
    minutes: 29, title: "Backup finished", body: "41 GB in 12 minutes, 212 files changed.")

  /// A thread of GitHub's notifications; `minutes` is the time from its last update to the beginning of the demo.
  struct Thread: Sendable {
    var id: Int
    var minutes: Int
    var title: String
    var type: String
    var reason: String
  }

  static let threads = [
    Thread(
      id: 212, minutes: 12, title: "Snooze until a weekday", type: "PullRequest", reason: "review_requested"),
    Thread(id: 198, minutes: 70, title: "Colours are lost over mosh", type: "Issue", reason: "mention"),
    Thread(
      id: 187, minutes: day + 310, title: "Invoice export: credit notes have two signs", type: "Issue",
      reason: "assign"),
  ]

  /// The messages that are marked read on the other machine: the name of the source, and the message's id at
  /// the source.
  static let readElsewhere = [
    ("kernel", id(of: "kernel", 3)), ("kernel", id(of: "kernel", 2)), ("swift", id(of: "swift", 1)),
  ]

  /// Returns the id of an entry of an Atom feed.
  static func id(of feed: String, _ number: Int) -> String { "tag:\(feed).example,2026:\(number)" }
}
