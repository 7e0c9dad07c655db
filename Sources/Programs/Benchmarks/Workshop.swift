import Foundation
import Messages
import Storage
import TerminalHarness

/// A database for measurements, with the settings of its sources.
struct FilledDatabase {
  var path: String
  var settings: String
  var messages: Int
  var sources: Int

  /// Whether the database has as many messages as the goals specify.
  var isLargest: Bool { messages == 1_000_000 }

  /// The content of the list's first row.
  var newest: String { "Message \(messages - 1):" }

  /// The label in the table: "1,000,000 messages, 150 sources".
  var label: String {
    "\(messages.formatted(.number.locale(Locale(identifier: "en_US")))) messages"
      + (sources == 1 ? "" : ", \(sources) sources")
  }
}

/// Creates the databases and feeds for the measurements.
struct Workshop {
  var folder: URL

  /// The measured program: the release build in the folder of this one.
  var program = BuiltProduct.path("reddot")

  /// Settings with one source that is not polled while the inbox is measured.
  var settings: String { folder.appending(path: "config.toml").path }

  static let words = [
    "release", "server", "coffee", "meeting", "deploy", "failed", "passed", "notes", "kernel", "update", "消息",
    "中心",
    "会议", "review", "nightly", "branch", "ticket", "schedule", "memory", "terminal",
  ]

  /// Returns a message whose content depends only on its index.
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

  /// Creates a database with this many messages, all unread except those of the first poll.
  ///
  /// - Parameter sources: the number of sources. If it is above one, they are in folders of ten, and the messages are
  ///   distributed in turn.
  func fill(_ count: Int, sources: Int = 1) throws -> FilledDatabase {
    let name = sources == 1 ? "\(count)" : "\(count)-\(sources)"
    let filled = FilledDatabase(
      path: folder.appending(path: "\(name).sqlite").path,
      settings: sources == 1 ? settings : folder.appending(path: "\(name).toml").path, messages: count,
      sources: sources)
    var polling = PollSettings()
    polling.initialDelay = .seconds(3600)
    polling.interval = .seconds(36000)
    var toml = "[poll]\ninitial_delay = \"1h\"\ninterval = \"10h\"\n"
    var configured: [ConfiguredSource] = []
    for index in 0..<sources {
      let feed = folder.appending(path: "empty-\(index).xml")
      try Data("<rss version=\"2.0\"><channel><title>Bench</title></channel></rss>".utf8).write(to: feed)
      let address = feed.absoluteString
      let name = index == 0 ? "bench" : "bench \(index)"
      toml += "[[source]]\nname = \"\(name)\"\nurl = \"\(address)\"\n"
      if sources > 1 { toml += "folder = \"Group \(index / 50)/Part \(index / 10 % 5)\"\n" }
      configured.append(
        ConfiguredSource(name: name, settings: SourceSettings(address: address, polling: polling)))
    }
    try Data(toml.utf8).write(to: URL(filePath: filled.settings))
    let now = Date()
    let store = try Store(path: filled.path, now: now)
    let registered = try store.sources.register(configured, at: now)
    var state = PollState()
    state.lastAttemptStart = now
    state.lastAttemptEnd = now
    state.lastSuccess = now
    for (offset, source) in registered.enumerated() {
      let indices = Array(stride(from: offset, to: count, by: sources))
      for start in stride(from: 0, to: indices.count, by: 20_000) {
        let messages = indices[start..<min(indices.count, start + 20_000)].map(Self.message)
        try store.polls.record(
          .content(PollContent(messages: messages, title: "Bench"), PollHints()), for: source.id,
          attempt: .periodic, start: now, end: now, state: state)
      }
    }
    // The file then contains everything, since it may be copied.
    try store.close()
    return filled
  }

  /// Creates feeds with distinct items, and settings that contain them.
  ///
  /// - Parameter name: the beginning of their file names.
  func feeds(_ count: Int, items: Int, named name: String = "feed") throws -> (files: [URL], config: URL) {
    var files: [URL] = []
    var settings = ""
    for index in 0..<count {
      let file = folder.appending(path: "\(name)-\(index).xml")
      try FileManager.default.copyItem(at: try rss(items, site: "site\(index).example"), to: file)
      files.append(file)
      settings += "[[source]]\nname = \"\(name)-\(index)\"\nurl = \"\(file.absoluteString)\"\n"
    }
    let config = folder.appending(path: "\(name)s.toml")
    try Data(settings.utf8).write(to: config)
    return (files, config)
  }

  /// Creates an RSS document with this many items of about 430 bytes.
  func rss(_ count: Int, site: String = "example.org") throws -> URL {
    let file = folder.appending(path: "\(count).xml")
    var text =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\"><channel><title>Large</title><link>https://\(site)/</link>\n"
    for index in 0..<count {
      let message = Self.message(index)
      text += """
        <item><guid isPermaLink="false">item-\(index)</guid><title>\(message.title)</title>\
        <link>https://\(site)/\(index)</link><pubDate>Sat, 21 Nov 2026 0\(index % 10):00:00 +0000</pubDate>\
        <description>&lt;p&gt;\(message.body)&lt;/p&gt; &lt;a href="https://\(site)/more/\(index)"&gt;more&lt;/a&gt;</description></item>

        """
    }
    text += "</channel></rss>\n"
    try Data(text.utf8).write(to: file)
    return file
  }

  /// Creates a native feed with this many messages.
  ///
  /// - Parameter inApp: whether the messages are in-app notifications.
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
