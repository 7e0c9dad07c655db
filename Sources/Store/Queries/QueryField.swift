import Messages

extension Query {
  /// The names that may stand before `:`.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    case title, body, author, source, folder, tag, kind, lang, channel, site, from, priority
    case `is`, has, before, after, date, older, newer, url, id, rule, `in`

    /// - Parameter name: as it may be written. A program or an application is what the channel of its messages says.
    package init?(written name: String) { self.init(rawValue: name == "app" ? "channel" : name) }

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
    /// From 1 to 5.
    package static let names = ["min", "low", "normal", "high", "urgent"]

    /// 1 to 5; nil if it isn't a level.
    package static func level(_ text: String) -> Int? {
      if let place = names.firstIndex(of: text.lowercased()) { return place + 1 }
      return text.utf8.count == 1 ? Int(text).flatMap { (1...5).contains($0) ? $0 : nil } : nil
    }
  }
}
