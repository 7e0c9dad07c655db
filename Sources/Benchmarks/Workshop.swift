import Foundation
import Messages
import Storage
import TerminalHarness

/// Creates the databases and feeds for the measurements.
struct Workshop {
  var folder: URL

  /// The release build in the folder of this program.
  var program: String { BuiltProduct.path("reddot") }

  /// Settings with one source that is not polled while the inbox is measured.
  var settings: String { folder.appending(path: "config.toml").path }

  static let words = [
    "release", "server", "coffee", "meeting", "deploy", "failed", "passed", "notes", "kernel", "update", "消息",
    "中心",
    "会议", "review", "nightly", "branch", "ticket", "schedule", "memory", "terminal",
  ]

  static func message(_ index: Int) -> IncomingMessage {
    func word(_ step: Int) -> String { words[(index &* 31 &+ step &* 17) % words.count] }
    var message = IncomingMessage(
      remoteID: RemoteID("bench-\(index)"), kind: .feed,
      title: "Message \(index): \(word(1)) \(word(2)) \(word(3)) \(word(5))",
      body: (0..<22).map { word($0) }.joined(separator: " ") + (index % 50_000 == 7 ? " needle" : ""))
    message.url = "https://example.org/\(index)"
    message.tags = [index % 50_000 == 9 ? "rare" : index % 80 == 3 ? "often" : "all"]
    if index % 60 == 1 { message.priority = Priority(4) }
    message.author = "Author \(index % 100)"
    message.published = Date(timeIntervalSince1970: 1_600_000_000 + Double(index) * 60)
    return message
  }

  /// A database with that many messages in one source, all unread except those of the first poll.
  func fill(_ count: Int) throws -> String {
    let path = folder.appending(path: "\(count).sqlite").path
    let feed = folder.appending(path: "empty.xml")
    try Data("<rss version=\"2.0\"><channel><title>Bench</title></channel></rss>".utf8).write(to: feed)
    let toml =
      "[poll]\ninitial_delay = \"1h\"\ninterval = \"10h\"\n[[source]]\nname = \"bench\"\nurl = \"\(feed.absoluteString)\"\n"
    try Data(toml.utf8).write(to: URL(filePath: settings))
    let now = Date()
    let store = try Store(path: path, now: now)
    var polling = PollSettings()
    polling.initialDelay = .seconds(3600)
    polling.interval = .seconds(36000)
    let sources = try store.register(
      [
        ConfiguredSource(
          name: "bench", settings: SourceSettings(address: feed.absoluteString, polling: polling))
      ], at: now)
    guard let source = sources.first else { return path }
    var state = PollState()
    state.lastAttemptStart = now
    state.lastAttemptEnd = now
    state.lastSuccess = now
    for start in stride(from: 0, to: count, by: 20_000) {
      let messages = (start..<min(count, start + 20_000)).map(Self.message)
      try store.record(
        .content(PollContent(messages: messages, title: "Bench"), PollHints()), for: source.id,
        attempt: .periodic, start: now, end: now, state: state)
    }
    return path
  }

  /// An RSS document with that many items of about 430 bytes.
  func rss(_ count: Int) throws -> URL {
    let file = folder.appending(path: "\(count).xml")
    var text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\"><channel><title>Large</title><link>https://example.org/</link>\n"
    for index in 0..<count {
      let message = Self.message(index)
      text += """
        <item><guid isPermaLink="false">item-\(index)</guid><title>\(message.title)</title>\
        <link>https://example.org/\(index)</link><pubDate>Sat, 21 Nov 2026 0\(index % 10):00:00 +0000</pubDate>\
        <description>&lt;p&gt;\(message.body)&lt;/p&gt; &lt;a href="https://example.org/more/\(index)"&gt;more&lt;/a&gt;</description></item>

        """
    }
    text += "</channel></rss>\n"
    try Data(text.utf8).write(to: file)
    return file
  }

  /// A native feed with that many in-app notifications.
  func native(_ count: Int, inApp: Bool) throws -> URL {
    let file = folder.appending(path: "\(count)-\(inApp ? "inapp" : "native").json")
    var text = "{\"title\": \"Large\", \"list\": ["
    for index in 0..<count {
      let message = Self.message(index)
      if index > 0 { text += "," }
      if inApp {
        text += """
          \n{"id": \(index), "type": 4, "epoch": "2026-08-29T02:40:33+0530", "expiry": 10000000, "actiondata": \
          {"translations": {"en": {"title": "\(message.title)", "msg": "\(message.body)"}, \
          "default": {"title": "T", "msg": "M"}}}}
          """
      } else {
        text +=
          "\n{\"id\": \(index), \"title\": \"\(message.title)\", \"body\": \"\(message.body)\", \"time\": \"2026-11-21T00:00:00Z\"}"
      }
    }
    text += "]}"
    try Data(text.utf8).write(to: file)
    return file
  }
}
