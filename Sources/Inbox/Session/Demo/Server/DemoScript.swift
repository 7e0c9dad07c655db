import Formats

/// The behaviour of a demo feed at its first, second, … request: the items that it publishes, and its response.
struct DemoStep: Sendable {
  enum Answer: Sendable {
    case now
    /// Responds after this many seconds.
    case slowly(seconds: Int)
    case status(Int)
    /// Responds with 429 and `Retry-After`.
    case heldBack(seconds: Int)
  }

  var publishes: [JSONObject] = []
  var answer: Answer = .now
}

/// The demo's steps, request by request.
enum DemoScript {
  /// The first poll returns a page, the second new messages, the third nothing.
  static let team: [DemoStep] = [
    DemoStep(publishes: [
      item("会议改到周四下午三点", by: "李雷", body: "各位同事：本周的产品会议改到周四下午三点，地点不变。请提前准备材料。"),
      item(
        "Lunch menu", by: "Kitchen",
        html: """
          <table><tr><th>Day</th><th>Dish</th><th>€</th></tr>
          <tr><td>Monday</td><td>Ramen 🍜</td><td>8.50</td></tr>
          <tr><td>Tuesday</td><td>Gnocchi al pesto</td><td>7.90</td></tr>
          <tr><td>Wednesday</td><td>पालक पनीर</td><td>8.20</td></tr></table>
          """),
      item(
        "Office closed on Friday", by: "Facilities", body: "The heating is repaired. Please work from home.",
        priority: 4),
      item(
        "Welcome to reddot", by: "The demo",
        html: """
          <p>This list is fed by a <b>real server</b> on your own machine: JSON feeds, an Atom feed, banners.
          You see a day with reddot, only faster: ten minutes take ten seconds here.</p>
          <h2>Try</h2>
          <ul><li><code>j</code> and <code>k</code> to move, <code>Enter</code> to read, <code>h</code> to go back</li>
          <li><code>Space</code> reads on, page by page and message by message</li>
          <li><code>p</code> shows the poll timeline, <code>?</code> every key</li></ul>
          <blockquote>The red dot means: something arrived that you have not looked at.</blockquote>
          """),
    ]),
    DemoStep(publishes: [
      item(
        "Release 4.2 is out", by: "Release train",
        html: """
          <p>Version 4.2 is on every server. The <a href="https://example.org/notes/4.2">notes</a> list the changes;
          <a href="https://example.org/rollback">rolling back</a> is one command:</p>
          <pre><code>deploy rollback --to 4.1.7</code></pre>
          """),
      item(
        "Coffee machine works again ☕", by: "Kitchen",
        body: "Descaled. Please do not use oat milk in the tank."),
    ]),
    DemoStep(),
    DemoStep(publishes: [
      item("Standup moved to 9:45", by: "Mina", body: "Same room. Tomorrow only.")
    ]),
  ]

  /// A slow response, then two failures and a recovery.
  static let builds: [DemoStep] = [
    DemoStep(publishes: [
      item("main #811 passed", by: "ci", body: "412 tests in 3 min 8 s.", tags: ["passed"]),
      item("main #812 passed", by: "ci", body: "412 tests in 3 min 2 s.", tags: ["passed"]),
    ]),
    DemoStep(
      publishes: [
        item(
          "main #813 failed", by: "ci",
          body: "2 of 413 tests failed:\n  CursorTests.resetKeepsWhatWeHave\n  DateTests.leapDay",
          priority: 5, tags: ["failed"])
      ], answer: .slowly(seconds: 4)),
    DemoStep(answer: .status(502)),
    DemoStep(answer: .status(502)),
    DemoStep(publishes: [
      item("main #814 passed", by: "ci", body: "413 tests in 3 min 5 s.", tags: ["passed"])
    ]),
  ]

  /// Entries of the Atom feed: new ones, nothing new by ETag, a Retry-After, new ones.
  static let blog: [DemoStep] = [
    DemoStep(publishes: [
      entry(
        "Why the terminal still wins", "<p>Because it is <em>fast</em>, and because it goes everywhere.</p>"),
      entry(
        "Polling, politely", "<p>Ask rarely, ask conditionally, and do as <code>Retry-After</code> says.</p>"),
    ]),
    DemoStep(),
    DemoStep(answer: .heldBack(seconds: 15)),
    DemoStep(publishes: [
      entry("Ids are bytes", "<p>Two spellings of <q>é</q> are two ids. Compare bytes, not characters.</p>")
    ]),
  ]

  /// Returns a step after the last one of a feed, by its number from 1: a new message at every third request.
  static func encore(_ feed: String, _ number: Int) -> DemoStep {
    guard number % 3 == 0 else { return DemoStep() }
    switch feed {
    case "blog": return DemoStep(publishes: [entry("Note \(number / 3)", "<p>One more small thing.</p>")])
    case "app": return DemoStep()
    case "builds":
      return DemoStep(publishes: [
        item("main #\(814 + number / 3) passed", by: "ci", body: "413 tests.", tags: ["passed"])
      ])
    case _:
      return DemoStep(publishes: [item("Message \(number / 3)", by: "The demo", body: "The feed continues.")])
    }
  }

  private static func item(
    _ title: String, by author: String, body: String? = nil, html: String? = nil, priority: Int? = nil,
    tags: [String] = []
  ) -> JSONObject {
    var object = JSONObject()
    object["title"] = .string(title)
    object["author"] = .string(author)
    object["body"] = body.map(JSONValue.string)
    object["html"] = html.map(JSONValue.string)
    object["priority"] = priority.map { .number(String($0)) }
    if !tags.isEmpty { object["tags"] = .array(tags.map(JSONValue.string)) }
    return object
  }

  private static func entry(_ title: String, _ html: String) -> JSONObject {
    JSONObject([.init(key: "title", value: .string(title)), .init(key: "html", value: .string(html))])
  }
}
