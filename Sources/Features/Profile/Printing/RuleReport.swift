import Basics
import Formats
import Foundation
package import Messages
package import Platform
package import Queries
import Settings
package import Storage
import Words

extension Profile {
  /// The rules in their order: name, what they say, and what they did so far.
  package func ruleLines(json: Bool) throws -> [String] {
    let records = try store.rules.records()
    return try settings.rules.map { configured in
      let record = records[configured.name] ?? RuleRecord(text: "")
      if json {
        return SafeOutput.json(
          .object(
            JSONObject(pairs: [
              ("name", .string(configured.name)),
              ("when", MessageJSON.text(configured.rule.map { "\($0.condition)" })),
              ("do", .array((configured.rule?.actions ?? []).map { .string($0.text) })),
              ("stop", .bool(configured.rule?.stops ?? false)), ("works", .bool(configured.rule != nil)),
              ("enabled", .bool(configured.written.isEnabled)),
              ("line", .number(String(configured.line))), ("messages", .number(String(record.hits))),
              ("last", MessageJSON.date(record.lastHit)), ("hidden", .number(String(record.hidden))),
            ])))
      }
      let name = SafeOutput.line(configured.name)
      guard configured.written.isEnabled else { return "\(name): is switched off" }
      guard let rule = configured.rule else { return "\(name): does nothing, because of a mistake" }
      var did = record.hits == 1 ? "1 message" : "\(record.hits) messages"
      if let last = record.lastHit { did += ", the last one \(environment.wallTime(last))" }
      if record.hidden > 0 { did += "; hides \(record.hidden)" }
      let unknown = try unknownName(in: rule.condition).map { "\n  \(SafeOutput.line($0))" } ?? ""
      return "\(name): \(SafeOutput.line(rule.text))\n  \(did)\(unknown)"
    }
  }

  /// Which rules touched a message, and whether one hides it.
  package func why(_ id: MessageID, json: Bool) throws -> [String] {
    guard let message = try store.messages.find(id) else {
      throw GivenMistake(
        sentence: "message \(id.rawValue) does not exist; reddot list prints the ids")
    }
    var lines = [
      "\(id.rawValue)  \(SafeOutput.line(message.sourceName))  \(SafeOutput.line(message.content.title))"
    ]
    let touched = try store.rules.touches(of: id)
    let hider = try store.rules.hider(of: id)
    if json {
      let rules = touched.map { touch in
        JSONValue.object(
          JSONObject(pairs: [("rule", .string(touch.rule)), ("at", MessageJSON.date(touch.at))]))
      }
      return [
        SafeOutput.json(
          .object(
            JSONObject(pairs: [
              ("id", .number(String(id.rawValue))), ("rules", .array(rules)),
              ("hidden_by", MessageJSON.text(hider)),
            ])))
      ]
    }
    let known = Dictionary(
      settings.rules.compactMap(\.rule).map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
    if touched.isEmpty { lines.append("no rule touched it") }
    for (rule, at) in touched {
      let text = known[rule] ?? "not in the settings any more"
      lines.append("  \(environment.wallTime(at))  \(SafeOutput.line(rule)): \(SafeOutput.line(text))")
    }
    if let hider {
      lines.append("hidden by \(SafeOutput.line(hider)); reddot list --hidden lists what rules hide")
    }
    return lines
  }

  /// What a rule would have done with the messages of the last time: per source and day, with samples.
  package func testRule(_ query: String, actions: [String], last: Duration) throws -> [String] {
    let condition = try condition(query)
    let actions = try actions.map(Self.action)
    let now = environment.now()
    let clock = environment.clock()
    let start = now.addingTimeInterval(-(last / .seconds(1)))
    let trial = try store.rules.trial(
      of: condition, since: start, now: now, zone: clock, day: { clock.wall(at: $0).dayNumber })
    func messages(_ count: Int) -> String { count == 1 ? "1 message" : "\(count) messages" }
    var lines = [
      "\(condition): \(messages(trial.matched)) of \(trial.looked) since \(environment.wallTime(start))"
    ]
    guard trial.matched > 0 else { return lines.map(SafeOutput.line) }
    if !actions.isEmpty {
      lines.append("each would get: \(actions.map(\.text).joined(separator: ", "))")
    }
    let opened = trial.opened == 0 ? "none" : trial.opened == trial.matched ? "all" : "\(trial.opened)"
    lines.append(
      "of these you had opened \(opened)" + (trial.starred > 0 ? " and starred \(trial.starred)" : ""))
    let names = Dictionary(sources.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    for (source, count) in trial.bySource.sorted(by: {
      ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
    }) {
      lines.append("  \(names[source] ?? "(removed source)"): \(count)")
    }
    for (day, count) in trial.byDay.sorted(by: { $0.key > $1.key }).prefix(31) {
      let date = CivilDate(dayNumber: day)
      lines.append(String(format: "  %d-%02d-%02d: %d", date.year, date.month, date.day, count))
    }
    let printer = MessagePrinter(self)
    for sample in trial.samples {
      if let message = try store.messages.find(sample.id) { lines.append(printer.line(message)) }
    }
    return lines.map(SafeOutput.line)
  }

  /// Does to the messages of the last time what a rule of the settings says, as one act.
  package func applyRule(named name: String, last: Duration) throws -> String {
    guard let configured = settings.rules.first(where: { $0.name == name }) else {
      let names = settings.rules.map { "\"\($0.name)\"" }.joined(separator: ", ")
      throw GivenMistake(
        sentence: "no rule is called \"\(name)\"; "
          + (names.isEmpty ? "[[rule]] in the settings makes one" : "there are \(names)"))
    }
    guard let rule = configured.rule else {
      throw GivenMistake(sentence: "the rule \"\(name)\" has a mistake; reddot rules names it")
    }
    let (matched, changed) = try store.rules.apply(rule, last: last, environment)
    let messages = changed == 1 ? "1 message" : "\(changed) messages"
    return SafeOutput.line(
      "\(name): changed \(messages) of \(matched)"
        + (changed > 0 ? "; reddot undo takes it back" : ""))
  }

  func condition(_ text: String) throws -> Query {
    switch Query.parse(text, .strict) {
    case .success(let query):
      if let unknown = try unknownName(in: query) { throw GivenMistake(sentence: "not a query: \(unknown)") }
      return query
    case .failure(let mistake):
      throw GivenMistake(sentence: "not a query: \(mistake.sentence(in: text))")
    }
  }

  private static func action(_ text: String) throws -> RuleAction {
    switch RuleAction.parse(text) {
    case .success(let action): return action
    case .failure(let mistake): throw GivenMistake(sentence: mistake.description)
    }
  }
}

extension StoreRules {
  /// Does to the messages of the last time what a rule says, as one act.
  ///
  /// - Returns: How many it matches, and how many of them it changed.
  package func apply(
    _ rule: Rule, last: Duration, _ environment: Environment
  ) throws(StoreFailure) -> (matched: Int, changed: Int) {
    let now = environment.now()
    let start = now.addingTimeInterval(-(last / .seconds(1)))
    var ids: [MessageID] = []
    _ = try trial(
      of: rule.condition, since: start, now: now, zone: environment.clock(), found: { ids.append($0) })
    return (ids.count, try apply(ArrivalPolicy([rule], zone: environment.clock), to: ids, at: now))
  }
}
