import Basics
import Formats
import Foundation
import Messages
import Platform
import Profile
import Queries
import Screen
import Settings
import Storage
import Words

/// A rule of the settings, with its effects so far.
struct RuleRow {
  var configured: ConfiguredRule
  var record: RuleRecord
  /// A sentence about the first unknown name in its query, or `nil` if all are known.
  var unknown: String?

  /// Returns lines about the rule and its effects.
  func lines(_ environment: Environment) -> [StyledText] {
    let name = StyledText(SafeText(untrusted: configured.name), style: .bold)
    func warning(_ text: String) -> StyledText {
      StyledText(SafeText(untrusted: text), style: Style(roles: .warning))
    }
    guard configured.written.isEnabled else {
      return [name + StyledText(": is switched off", style: Style(roles: .dim))]
    }
    guard let rule = configured.rule else { return [name + warning(": does nothing, because of an error")] }
    var did = record.hits == 1 ? "1 message" : "\(record.hits) messages"
    if let last = record.lastHit { did += ", the last one \(environment.wallTime(last))" }
    if record.hidden > 0 { did += "; hides \(record.hidden)" }
    return [
      name + StyledText(": \(untrusted: rule.text)"),
      StyledText("  \(untrusted: did)", style: Style(roles: .dim)),
    ] + [unknown.map { warning("  \($0)") }].compactMap(\.self)
  }

  var json: String {
    SafeOutput.json(
      .object(
        JSONObject(pairs: [
          ("name", .string(configured.name)),
          ("when", MessageJSON.text(configured.rule.map { "\($0.condition)" })),
          ("do", .array((configured.rule?.actions ?? []).map { .string($0.text) })),
          ("stop", .bool(configured.rule?.stops ?? false)), ("works", .bool(configured.rule != nil)),
          ("enabled", .bool(configured.written.isEnabled)),
          ("line", .integer(configured.line)), ("messages", .integer(record.hits)),
          ("last", MessageJSON.date(record.lastHit)), ("hidden", .integer(record.hidden)),
        ])))
  }
}

/// The rules that changed a message, and the one that hides it.
struct MessageHistory {
  var message: Message
  /// The names of the rules that changed the message, with the times.
  var touched: [(rule: String, at: Date)]
  /// The name of the rule that hides the message, or `nil` if it is not hidden.
  var hider: String?
  /// The rules of the settings as text, keyed by name.
  var known: [String: String]

  func lines(_ environment: Environment) -> [StyledText] {
    let rules = touched.map { rule, at in
      StyledText("  \(untrusted: environment.wallTime(at))  ", style: Style(roles: .dim))
        + StyledText(SafeText(untrusted: rule), style: .bold)
        + StyledText(": \(untrusted: known[rule] ?? "not in the settings any more")")
    }
    let hidden = hider.map {
      StyledText(
        "hidden by \(untrusted: $0); run reddot list --hidden to list hidden messages",
        style: Style(roles: .warning))
    }
    return [
      StyledText("\(message.id.rawValue)  ", style: Style(roles: .dim))
        + StyledText("\(untrusted: message.sourceName)  ", style: Style(roles: .accent))
        + StyledText(SafeText(untrusted: message.content.title), style: .bold)
    ] + (rules.isEmpty ? [StyledText("no rule changed it")] : rules) + [hidden].compactMap(\.self)
  }

  var json: String {
    let rules = touched.map { touch in
      JSONValue.object(
        JSONObject(pairs: [("rule", .string(touch.rule)), ("at", MessageJSON.date(touch.at))]))
    }
    return SafeOutput.json(
      .object(
        JSONObject(pairs: [
          ("id", .number(String(message.id.rawValue))), ("rules", .array(rules)),
          ("hidden_by", MessageJSON.text(hider)),
        ])))
  }
}

/// The effects that a rule would have had on stored messages: by source and day, with samples.
struct RuleTest {
  var condition: Query
  var actions: [RuleAction]
  var start: Date
  var trial: RuleTrial
  /// The sources with matching messages and their numbers, the largest first.
  var sources: [(name: String, count: Int)]
  /// The days with matching messages and their numbers, the last day first.
  var days: [(date: CivilDate, count: Int)]
  var samples: [Message]

  func lines(_ profile: Profile) -> [StyledText] {
    func line(_ text: String) -> StyledText { StyledText(SafeText(untrusted: text)) }
    func count(_ name: String, _ count: Int) -> StyledText { line("  \(name): \(count)") }
    let messages = trial.matched == 1 ? "1 message" : "\(trial.matched) messages"
    let head =
      StyledText(SafeText(untrusted: "\(condition)"), style: .bold)
      + line(": \(messages) of \(trial.looked) since \(profile.environment.wallTime(start))")
    guard trial.matched > 0 else { return [head] }
    let would =
      actions.isEmpty ? [] : [line("each would get: \(actions.map(\.text).joined(separator: ", "))")]
    let opened = trial.opened == 0 ? "none" : trial.opened == trial.matched ? "all" : "\(trial.opened)"
    let printer = MessagePrinter(profile)
    return [head] + would
      + [
        line("of these you had opened \(opened)" + (trial.starred > 0 ? " and starred \(trial.starred)" : ""))
      ]
      + sources.map { count($0.name, $0.count) } + days.prefix(31).map { count($0.date.text, $0.count) }
      + samples.map(printer.line)
  }

  func json(_ profile: Profile) -> String {
    func objects(_ key: String, _ counts: [(String, Int)]) -> JSONValue {
      .array(
        counts.map { .object(JSONObject(pairs: [(key, .string($0.0)), ("messages", .integer($0.1))])) })
    }
    let printer = MessagePrinter(profile)
    return SafeOutput.json(
      .object(
        JSONObject(pairs: [
          ("query", .string("\(condition)")), ("do", .array(actions.map { .string($0.text) })),
          ("since", MessageJSON.date(start)), ("examined", .integer(trial.looked)),
          ("matched", .integer(trial.matched)), ("opened", .integer(trial.opened)),
          ("starred", .integer(trial.starred)),
          ("sources", objects("source", sources.map { ($0.name, $0.count) })),
          ("days", objects("day", days.map { ($0.date.text, $0.count) })),
          ("samples", .array(samples.map(printer.object))),
        ])))
  }
}

extension Profile {
  /// Returns the rules in their order, with their effects.
  func ruleRows() throws -> [RuleRow] {
    let records = try store.rules.records()
    return try settings.rules.map { configured in
      RuleRow(
        configured: configured, record: records[configured.name] ?? RuleRecord(text: ""),
        unknown: try configured.rule.flatMap { try unknownName(in: $0.condition) })
    }
  }

  /// Returns the rules that changed a message, and the one that hides it.
  func why(_ id: MessageID) throws -> MessageHistory {
    guard let message = try store.messages.find(id) else {
      throw GivenMistake(
        sentence: "message \(id.rawValue) does not exist; run reddot list to see the ids")
    }
    return MessageHistory(
      message: message, touched: try store.rules.touches(of: id), hider: try store.rules.hider(of: id),
      known: Dictionary(
        settings.rules.compactMap(\.rule).map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    )
  }

  /// Returns the effects that a rule would have had on recent messages.
  func testRule(_ query: String, actions: [String], last: Duration) throws -> RuleTest {
    let condition = try condition(query)
    let actions = try actions.map(Self.action)
    let now = environment.now()
    let clock = environment.clock()
    let start = now.addingTimeInterval(-(last / .seconds(1)))
    let trial = try store.rules.trial(
      of: condition, since: start, now: now, zone: clock, day: { clock.wall(at: $0).dayNumber })
    let names = Dictionary(sources.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let bySource = trial.bySource.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    return RuleTest(
      condition: condition, actions: actions, start: start, trial: trial,
      sources: bySource.map { (names[$0.key] ?? "(removed source)", $0.value) },
      days: trial.byDay.sorted { $0.key > $1.key }.map { (CivilDate(dayNumber: $0.key), $0.value) },
      samples: try trial.samples.compactMap { try store.messages.find($0.id) })
  }

  /// Applies a rule of the settings to recent messages, as one action, and returns a sentence about the result.
  func applyRule(named name: String, last: Duration) throws -> String {
    guard let configured = settings.rules.first(where: { $0.name == name }) else {
      let names = settings.rules.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw GivenMistake(
        sentence: "no rule named \"\(name)\"; "
          + (names.isEmpty ? "add a [[rule]] to the settings" : "rules: \(names)"))
    }
    guard let rule = configured.rule else {
      throw GivenMistake(sentence: "the rule \"\(name)\" is invalid; run reddot rules to see the error")
    }
    let (matched, changed) = try store.rules.apply(rule, last: last, environment)
    let messages = changed == 1 ? "1 message" : "\(changed) messages"
    return SafeOutput.line(
      "\(name): changed \(messages) of \(matched)"
        + (changed > 0 ? "; run reddot undo to revert it" : ""))
  }

  /// Returns the query for a string, or throws a sentence about the error in it.
  private func condition(_ text: String) throws -> Query {
    switch Query.parse(text, .strict) {
    case .success(let query):
      if let unknown = try unknownName(in: query) { throw GivenMistake(sentence: "not a query: \(unknown)") }
      return query
    case .failure(let mistake):
      throw GivenMistake(sentence: "not a query: \(mistake.sentence(in: text))")
    }
  }

  /// Returns the rule action for a string, or throws a sentence about the error in it.
  private static func action(_ text: String) throws -> RuleAction {
    switch RuleAction.parse(text) {
    case .success(let action): return action
    case .failure(let mistake): throw GivenMistake(sentence: mistake.description)
    }
  }
}
