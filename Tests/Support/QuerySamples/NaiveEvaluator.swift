package import Basics
package import Foundation
import Messages
package import Queries

/// A second evaluator, as simple as possible: it computes everything for each query, dates with Foundation's calendar,
/// and regular expressions with Foundation's engine.
package struct NaiveEvaluator {
  private var now: Date
  private var calendar: Calendar
  private let words: (String) -> [String]

  /// - Parameter words: returns the words of the text, in order.
  package init(
    now: Date, zone: ZoneClock, words: @escaping (String) -> [String] = { PlainTokenizer.words(of: $0) }
  ) {
    self.now = now
    self.words = words
    calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone.name) ?? .gmt
  }

  package func matches(_ query: Query, _ facts: Facts) -> Bool {
    switch query {
    case .and(let members): members.map { matches($0, facts) }.allSatisfy { $0 }
    case .or(let members): members.map { matches($0, facts) }.contains(true)
    case .not(let inner): !matches(inner, facts)
    case .test(let test): matches(test, facts)
    }
  }

  private func matches(_ test: Query.Test, _ facts: Facts) -> Bool {
    let texts: [Query.TextField: String?] = [.title: facts.title, .body: facts.body, .author: facts.author]
    switch test {
    case .text(let term): return texts.values.contains { matches(term, $0) }
    case .inText(let field, let terms): return terms.contains { matches($0, texts[field] ?? nil) }
    case .from(let terms):
      return terms.contains { term in
        matches(term, facts.author)
          || below(facts.site).contains { host in matches(asSite: term, host, facts.site) }
      }
    case .name(.site, let names):
      return names.contains { name in below(facts.site).contains { matches(name, $0, whole: facts.site) } }
    case .name(let field, let names):
      let values: [String?] =
        switch field {
        case .source: facts.sourceNames
        case .folder: [facts.folder]
        case .tag: facts.tags
        case .kind: facts.kinds
        case .lang: [facts.language]
        case .channel: [facts.channel]
        case .rule: facts.rules
        case .site: []
        }
      return values.compactMap(\.self).contains { value in names.contains { matches($0, value, whole: value) }
      }
    case .priority(let levels): return levels.contains(facts.priority.rawValue)
    case .compared(.less, let level): return facts.priority.rawValue < level
    case .compared(.atMost, let level): return facts.priority.rawValue <= level
    case .compared(.atLeast, let level): return facts.priority.rawValue >= level
    case .compared(.greater, let level): return facts.priority.rawValue > level
    case .state(let states):
      return states.contains {
        $0 == .read ? !facts.states.contains(.unread) : facts.states.contains(Facts.States($0))
      }
    case .has(let parts): return parts.contains { facts.parts.contains(Facts.Parts($0)) }
    case .before(let points):
      return points.contains { point in facts.time.map { $0 < start(point) } ?? false }
    case .after(let points):
      return points.contains { point in facts.time.map { $0 >= start(point) } ?? false }
    case .date(let ranges):
      return ranges.contains { range in
        guard let time = facts.time else { return false }
        if let from = range.from, time < start(from) { return false }
        if let to = range.to, time >= end(to) { return false }
        return true
      }
    case .older(let spans): return spans.contains { span in facts.time.map { $0 < ago(span) } ?? false }
    case .newer(let spans): return spans.contains { span in facts.time.map { $0 >= ago(span) } ?? false }
    case .address(let terms):
      guard let link = facts.link else { return false }
      return terms.contains { term in
        switch term {
        case .contains(let part): link.lowercased().contains(part.text.lowercased())
        case .pattern(let pattern): matches(pattern, link)
        }
      }
    case .id(let ids):
      return ids.contains { id in
        if let local = facts.id, String(local.rawValue).elementsEqual(id.text) { return true }
        return facts.remoteID.map { Array($0.text.utf8) == Array(id.text.utf8) } ?? false
      }
    case .everywhere: return true
    }
  }

  // MARK: - Texts

  private func matches(_ term: Query.TextTerm, _ text: String?) -> Bool {
    guard let text else { return false }
    switch term {
    case .pattern(let pattern): return matches(pattern, text)
    case .words(let exact, let isPrefix):
      let wanted = self.words(exact.text).map { Array($0.utf8) }
      let words = self.words(text).map { Array($0.utf8) }
      if wanted.isEmpty { return false }
      for start in words.indices {
        var rest = words[start...]
        var left = wanted[...]
        while let word = rest.popFirst(), let want = left.first {
          let goesOn = isPrefix && left.count == 1
          if goesOn ? word.starts(with: want) : word == want { left.removeFirst() } else { break }
        }
        if left.isEmpty { return true }
      }
      return false
    }
  }

  private func matches(_ pattern: RegularExpression, _ text: String) -> Bool {
    var options: NSRegularExpression.Options = [.anchorsMatchLines]
    if !pattern.isCaseSensitive { options.insert(.caseInsensitive) }
    guard let regex = try? NSRegularExpression(pattern: pattern.pattern, options: options) else {
      fatalError("Foundation does not know \(pattern.pattern)")
    }
    let shown = String(decoding: Array(text.utf8.prefix(16 << 10)), as: UTF8.self)
    return shown.split(separator: "\n", omittingEmptySubsequences: false).contains { line in
      regex.firstMatch(in: String(line), range: NSRange(location: 0, length: line.utf16.count)) != nil
    }
  }

  private func matches(asSite term: Query.TextTerm, _ host: String, _ whole: String?) -> Bool {
    switch term {
    case .pattern(let pattern): whole.map { matches(pattern, $0) } ?? false
    case .words(let words, let isPrefix):
      matches(.glob(Glob(words.text + (isPrefix ? "*" : ""))), host, whole: whole)
    }
  }

  private func matches(_ name: Query.NamePattern, _ text: String, whole: String?) -> Bool {
    switch name {
    case .pattern(let pattern): return whole.map { matches(pattern, $0) } ?? false
    case .glob(let glob):
      var pattern: [Unicode.Scalar?] = []
      for (index, piece) in glob.pieces.enumerated() {
        if index > 0 { pattern.append(nil) }
        pattern += Self.folded(piece.text)
      }
      return Self.matches(pattern[...], Self.folded(text)[...])
    }
  }

  private static func folded(_ text: String) -> [Unicode.Scalar] {
    Array(text.lowercased().precomposedStringWithCanonicalMapping.unicodeScalars)
  }

  /// Matches a pattern, in which `nil` is a star.
  private static func matches(_ pattern: ArraySlice<Unicode.Scalar?>, _ text: ArraySlice<Unicode.Scalar>)
    -> Bool
  {
    guard let first = pattern.first else { return text.isEmpty }
    guard let first else {
      return matches(pattern.dropFirst(), text) || !text.isEmpty && matches(pattern, text.dropFirst())
    }
    return text.first == first && matches(pattern.dropFirst(), text.dropFirst())
  }

  /// Returns a host and its parent domains.
  private func below(_ host: String?) -> [String] {
    guard let host else { return [] }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    return labels.indices.map { labels[$0...].joined(separator: ".") }
  }

  // MARK: - Times

  private func components(_ point: Query.DatePoint) -> (date: DateComponents, unit: Calendar.Component) {
    switch point {
    case .year(let year): return (DateComponents(year: year, month: 1, day: 1), .year)
    case .month(let year, let month): return (DateComponents(year: year, month: month, day: 1), .month)
    case .day(let date), .minute(let date, _):
      return (DateComponents(year: date.year, month: date.month, day: date.day), .day)
    case .today: return (calendar.dateComponents([.year, .month, .day], from: now), .day)
    case .yesterday:
      let noon = self.noon(of: now)
      let day = calendar.date(byAdding: .day, value: -1, to: noon) ?? noon
      return (calendar.dateComponents([.year, .month, .day], from: day), .day)
    }
  }

  /// Returns noon, which exists on every day, and only once.
  private func noon(of date: Date) -> Date {
    var parts = calendar.dateComponents([.year, .month, .day], from: date)
    parts.hour = 12
    return calendar.date(from: parts) ?? date
  }

  /// Returns the first instant of a day.
  private func midnight(_ parts: DateComponents) -> Date {
    var parts = parts
    parts.hour = 12
    return calendar.startOfDay(for: calendar.date(from: parts) ?? now)
  }

  private func start(_ point: Query.DatePoint) -> Date {
    if case .minute(let date, let minute) = point {
      return Date(
        timeIntervalSince1970: Double(
          ZoneClock(calendar.timeZone).seconds(of: WallTime(dayNumber: date.dayNumber, second: minute * 60))))
    }
    return midnight(components(point).date)
  }

  private func end(_ point: Query.DatePoint) -> Date {
    if case .minute = point { return start(point).addingTimeInterval(60) }
    var (parts, unit) = components(point)
    parts.hour = 12
    let noon = calendar.date(from: parts) ?? now
    let next = calendar.date(byAdding: unit, value: 1, to: noon) ?? noon
    return calendar.startOfDay(for: next)
  }

  private func ago(_ span: Query.TimeSpan) -> Date {
    let sinceMidnight = now.timeIntervalSince(calendar.startOfDay(for: now))
    let unit: Calendar.Component
    switch span.unit {
    case .minutes: return now.addingTimeInterval(Double(span.count) * -60)
    case .hours: return now.addingTimeInterval(Double(span.count) * -3600)
    case .days: unit = .day
    case .weeks: unit = .weekOfYear
    case .months: unit = .month
    case .years: unit = .year
    }
    let noon = noon(of: now)
    let day = calendar.date(byAdding: unit, value: -span.count, to: noon) ?? noon
    let next = calendar.startOfDay(for: calendar.date(byAdding: .day, value: 1, to: day) ?? day)
    let isShorterMonth =
      (unit == .month || unit == .year)
      && calendar.component(.day, from: day) != calendar.component(.day, from: now)
    return isShorterMonth ? next : min(calendar.startOfDay(for: day).addingTimeInterval(sinceMidnight), next)
  }
}
