import Messages

extension Query {
  /// The names that may stand before `:`.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    case title, body, author, source, folder, tag, kind, lang, channel, site, from, priority
    case `is`, has, before, after, date, older, newer, url, id, rule, `in`

    package var textField: TextField? { TextField(rawValue: rawValue) }
    package var nameField: NameField? { NameField(rawValue: rawValue) }

    /// The values that it can have, if they are few; empty for all others.
    package var values: [String] {
      switch self {
      case .priority: PriorityLevel.names
      case .is: State.allCases.map(\.rawValue)
      case .has: Part.allCases.map(\.rawValue)
      case .in: ["all"]
      case .before, .after, .date: DatePoint.names
      case .title, .body, .author, .source, .folder, .tag, .kind, .lang, .channel, .site, .from, .older,
        .newer,
        .url, .id, .rule:
        []
      }
    }
  }

  package enum PriorityLevel {
    /// From 1 to 5.
    package static let names = ["min", "low", "normal", "high", "urgent"]

    /// 1 to 5; nil if it isn't a level.
    package static func level(_ text: String) -> Int? {
      if let place = names.firstIndex(of: text.lowercased()) { return place + 1 }
      return text.utf8.count == 1 ? Int(text).flatMap { (1...5).contains($0) ? $0 : nil } : nil
    }
  }

  /// The name that was probably meant: one that the word begins, or that needs at most two changes.
  package static func nearest(_ word: String, in names: [String]) -> String? {
    let word = Array(word.lowercased().prefix(40))
    let near = names.map { (name: $0, distance: distance(word, Array($0))) }
    guard let best = near.min(by: { $0.distance < $1.distance }) else { return nil }
    let isNear = best.distance <= (word.count <= 3 ? 1 : 2) && best.distance < best.name.count
    return isNear ? best.name : word.count >= 2 ? names.first { $0.hasPrefix(String(word)) } : nil
  }

  /// Letters to insert, delete, change or swap with the next one.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var least = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
        row.append(least)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
