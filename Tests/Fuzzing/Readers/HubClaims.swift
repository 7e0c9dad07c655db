import Basics
import Foundation

@testable import Formats
@testable import Hub

/// Requests of publishers and webhooks to a hub: each is refused, or becomes an item that every reader reads without a
/// problem.
enum HubClaims {
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)

  static func publications(_ bytes: Data) throws(Violation) {
    var choices = Choices(bytes)
    let way = choices.next(below: 4)
    let reader = PublicationReader(now: now, author: "deploys", isLenient: way % 2 == 1)
    let reading: PublicationReader.Reading?
    if way < 2 {
      reading = try? reader.json(choices.rest)
    } else {
      let lines = choices.rest.split(
        separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
      let query = FormFields.urlEncoded(lines.first.map { Data($0) } ?? Data()) ?? []
      reading = try? reader.form(lines.count > 1 ? Data(lines[1]) : Data(), query)
    }
    for publication in reading?.publications ?? [] { try check(publication) }
  }

  static func hooks(_ bytes: Data) throws(Violation) {
    var choices = Choices(bytes)
    let kind = HookKind.allCases[choices.next(below: HookKind.allCases.count)]
    guard let name = FeedName("ops") else { throw Violation(description: "a name doesn't read") }
    var hook = Hook(name: name, kind: kind, feed: name, secrets: [])
    if kind.hasTemplates { hook.templates = templates }
    let delivery = HookDelivery(recorded: choices.rest)
    _ = hook.isProven(delivery, now: now)
    let items: [HookItem]
    switch try? HookReader(hook, now: now).read(delivery) {
    case .items(let all)?: items = all
    case .partial(let some, let unreadable)?:
      try claim(!unreadable.isEmpty, "nothing is wrong")
      items = some
    case .withdrawal?, .ping?, .ignored?, nil: return
    }
    try claim(items.count <= Limits.hubHookItems + 1, "\(items.count) items")
    let publications: [Publication]
    do {
      let read = try PublicationReader(now: now, author: "ops").hook(items)
      publications = read.publications
      if let problem = read.problems.first {
        try claim(kind.hasTemplates, "\(kind.rawValue): its own item was refused: \(problem)")
      }
    } catch let violation as Violation {
      throw violation
    } catch {
      // The item of a template, or one that a program sends to a topic, may be invalid.
      try claim(kind.hasTemplates || kind == .ntfy, "\(kind.rawValue): its own item was refused: \(error)")
      return
    }
    for publication in publications { try check(publication) }
  }

  private static let templates: HookTemplates = {
    var templates = HookTemplates()
    templates.each = HookPath("checks")
    templates.priorities = ["bad": 5]
    templates.done = HookTemplates.Condition("state=closed")
    for (name, text) in [
      "key": "check/{id}", "title": "{name} {{{$.source}}}", "priority": "{level}", "time": "{at}",
      "tags": "{$.source},{state}", "url": "{url}", "expires": "{end}",
    ] {
      templates.texts[name] = HookTemplate(text)
    }
    return templates
  }()

  private static func check(_ publication: Publication) throws(Violation) {
    if let key = publication.key {
      try claim((1...Limits.hubKeyBytes).contains(key.utf8.count), "a key of \(key.utf8.count) bytes")
      try claim(!key.hasPrefix("#") && !key.utf8.contains(0), "the key \(key.debugDescription)")
    }
    try claim(publication.body.utf8.count <= Limits.hubItemBytes, "\(publication.body.utf8.count) bytes")
    try claim(!publication.body.utf8.contains(0), "U+0000 in a body")
    try claimWritable(publication.expires, "expires")
    try claimWritable(publication.notBefore, "not_before")
    let key = publication.key ?? "#7"
    try read(Publication.sent(id: 7, key: key, body: publication.body(first: now, now: now)), key: key)
    let withdrawn = Publication.withdrawn(body: publication.body, at: now)
    let item = try read(Publication.sent(id: 8, key: key, body: withdrawn), key: key)
    if case .inApp(let notification) = item.withoutMarks {
      let end = notification.visibility(arrival: now, installation: now).until
      try claim(end.map { $0 <= now } ?? false, "a withdrawn notification ends \(end as Any)")
    }
  }

  /// Reads an item in the form that readers get.
  @discardableResult private static func read(_ text: String, key: String) throws(Violation) -> NativeItem {
    guard let object = try? JSONReader.parse(text).object else {
      throw Violation(description: "no JSON is sent: \(text.debugDescription)")
    }
    var problems: [FormatProblem] = []
    let item = NativeItemReader.read(object, problems: &problems) { _ in }
    guard let item, problems.isEmpty else {
      throw Violation(description: "\(text.debugDescription): \(problems)")
    }
    guard case .published(let marks, _) = item, marks.key == key else {
      throw Violation(description: "\(text.debugDescription) has another key")
    }
    return item
  }
}
