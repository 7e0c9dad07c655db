import Messages

extension Query {
  /// The names that are allowed before `:`.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    case title, body, author, source, folder, tag, kind, lang, channel, site, from, priority
    case `is`, has, before, after, date, older, newer, url, id, rule, `in`

    /// - Parameter name: a name as it may be written. The program or application of a message is its channel.
    package init?(written name: String) { self.init(rawValue: name == "app" ? "channel" : name) }

    package var textField: TextField? { TextField(rawValue: rawValue) }
    package var nameField: NameField? { NameField(rawValue: rawValue) }

    /// The allowed values if there are only a few; empty for all other fields.
    package var values: [String] {
      switch self {
      case .priority: PriorityLevel.names
      case .is: State.allCases.map(\.rawValue)
      case .has: Part.allCases.map(\.rawValue)
      case .in: ["all"]
      case .before, .after, .date: DatePoint.names
      case .kind:
        SourceKind.allCases.map(\.rawValue)
          + MessageKind.allCases.map(\.rawValue).filter { SourceKind(rawValue: $0) == nil }
      case .title, .body, .author, .source, .folder, .tag, .lang, .channel, .site, .from, .older,
        .newer,
        .url, .id, .rule:
        []
      }
    }
  }

  package enum PriorityLevel {
    /// The names of the levels 1 to 5.
    package static let names = ["min", "low", "normal", "high", "urgent"]

    /// Returns the level from 1 to 5, or `nil` for other text.
    package static func level(_ text: String) -> Int? {
      if let place = names.firstIndex(of: text.lowercased()) { return place + 1 }
      return text.utf8.count == 1 ? Int(text).flatMap { (1...5).contains($0) ? $0 : nil } : nil
    }
  }
}
