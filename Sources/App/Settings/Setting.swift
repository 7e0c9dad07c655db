import Messages
import Storage

/// Every setting. The reader, the mistakes that it reports and the tests take a setting's key and range from its row.
package enum Setting: CaseIterable, Hashable, Sendable {
  case language, mouse, animations, escapeDelay, openCommand, soundCommand, osVersion, keep, keepMessages
  case initialDelay, interval, grace, connectTimeout, requestTimeout, pollDeadline, tokenTimeout,
    responseLimit
  case name, kind, url, unreadOnChange, channels, appVersion, appVersionCommand, strings, featureCommand,
    types
  case tokenCommand, tokenFile, tokenEnvironment, token
  case categoryLabel, categoryURL
  case poll, keys, categories, source

  /// A table of the file.
  package enum Place: Hashable, Sendable {
    case top
    /// `[poll]`, for all sources.
    case poll
    /// A `[[source]]`.
    case source
    /// A `[[categories.NAME]]`.
    case category
  }

  /// What the value may be.
  package enum Form: Hashable, Sendable {
    case boolean
    case text
    /// A text with a unit, or a number of seconds.
    case duration(ClosedRange<Duration>)
    /// A text with a unit, or a number of bytes.
    case bytes(ClosedRange<Int>)
    /// A whole number.
    case count(ClosedRange<Int>)
    /// A list of texts, or one text for the shell.
    case command
    case texts
    case choice([String])
    /// A table, or an array of tables, with keys of its own.
    case table
  }

  /// When a change in the file takes effect in a running inbox.
  package enum Application: Sendable {
    case live
    /// At the next start; the inbox says so where the two versions of the settings differ in it.
    case restart(differs: @Sendable (Settings, Settings) -> Bool)
  }

  package struct Row: Sendable {
    package var key: String
    package var places: [Place]
    package var form: Form
    package var application: Application
  }

  package var key: String { row.key }

  /// In words, for a mistake: "must be …".
  package var allowed: String {
    switch row.form {
    case .boolean: "true or false"
    case .text: "a text in quotes"
    case .duration(let range):
      "a time such as \"90s\", \"10m\", \"2h\" or a number of seconds, "
        + "from \(DurationText.format(range.lowerBound)) to \(DurationText.format(range.upperBound))"
    case .bytes(let range):
      "a size such as \"64 MiB\" or a number of bytes, from \(range.lowerBound) to \(range.upperBound)"
    case .count(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .command: "a program with its arguments, such as [\"pass\", \"show\", \"team\"]"
    case .texts: "a list of texts, such as [\"general\"]"
    case .choice(let values): "one of " + values.map { "\"\($0)\"" }.joined(separator: ", ")
    case .table: self == .source ? "written [[\(key)]]" : "a table, written [\(key)]"
    }
  }

  /// Longer waits than a year are typing errors, and no date in a database should overflow by one.
  private static let waits = Duration.milliseconds(1)...Duration.seconds(366 * 86400)
  /// libxml2 and SQLite count bytes in 32 bits.
  private static let sizes = 1...1 << 30

  package var row: Row {
    switch self {
    case .language: .top("language", .text)
    case .mouse: .top("mouse", .boolean)
    case .animations: .top("animations", .boolean)
    case .escapeDelay:
      Row(
        key: "escape_delay", places: [.top], form: .duration(.zero...Duration.seconds(10)),
        application: .restart { $0.escapeDelay != $1.escapeDelay })
    case .openCommand: .top("open_command", .command)
    case .soundCommand: .top("sound_command", .command)
    case .osVersion: .top("os_version", .text)
    case .keep:
      Row(
        key: "keep", places: [.top, .source],
        form: .duration(.seconds(86400)...Duration.seconds(7305 * 86400)),
        application: .live)
    case .keepMessages:
      Row(
        key: "keep_messages", places: [.top, .source], form: .count(1...100_000_000), application: .live)
    case .poll: .top("poll", .table)
    case .keys: .top("keys", .table)
    case .categories: .top("categories", .table)
    case .source: .top("source", .table)

    case .initialDelay:
      Row(
        key: "initial_delay", places: [.poll, .source], form: .duration(.zero...Self.waits.upperBound),
        application: .restart { old, new in
          let delays = Dictionary(
            old.sources.map { ($0.name, $0.source.polling.initialDelay) },
            uniquingKeysWith: { first, _ in first })
          return old.polling.initialDelay != new.polling.initialDelay
            || new.sources.contains {
              delays[$0.name, default: $0.source.polling.initialDelay] != $0.source.polling.initialDelay
            }
        })
    case .interval: .polling("interval", .duration(Self.waits))
    case .grace: .polling("grace", .duration(Self.waits))
    case .connectTimeout: .polling("connect_timeout", .duration(Self.waits))
    case .requestTimeout: .polling("request_timeout", .duration(Self.waits))
    case .pollDeadline: .polling("poll_deadline", .duration(Self.waits))
    case .tokenTimeout: .polling("token_timeout", .duration(Self.waits))
    case .responseLimit: .polling("response_limit", .bytes(Self.sizes))

    case .name: .source("name", .text)
    case .kind: .source("kind", .choice(SourceKind.allCases.map(\.rawValue)))
    case .url: .source("url", .text)
    case .unreadOnChange: .source("unread_on_change", .boolean)
    case .channels: .source("channels", .texts)
    case .appVersion: .source("app_version", .text)
    case .appVersionCommand: .source("app_version_command", .command)
    case .strings: .source("strings", .text)
    case .featureCommand: .source("feature_command", .command)
    case .types: .source("types", .table)
    case .tokenCommand: .source("token_command", .command)
    case .tokenFile: .source("token_file", .text)
    case .tokenEnvironment: .source("token_env", .text)
    case .token: .source("token", .text)

    case .categoryLabel: Row(key: "label", places: [.category], form: .text, application: .live)
    case .categoryURL: Row(key: "url", places: [.category], form: .text, application: .live)
    }
  }
}

extension Setting.Row {
  fileprivate static func top(_ key: String, _ form: Setting.Form) -> Setting.Row {
    Setting.Row(key: key, places: [.top], form: form, application: .live)
  }

  fileprivate static func polling(_ key: String, _ form: Setting.Form) -> Setting.Row {
    Setting.Row(key: key, places: [.poll, .source], form: form, application: .live)
  }

  fileprivate static func source(_ key: String, _ form: Setting.Form) -> Setting.Row {
    Setting.Row(key: key, places: [.source], form: form, application: .live)
  }
}

extension Settings {
  /// The keys whose change takes effect at the next start only.
  package func keysThatWaitForRestart(since old: Settings) -> [String] {
    Setting.allCases.compactMap { setting in
      guard case .restart(let differs) = setting.row.application, differs(old, self) else { return nil }
      return setting.key
    }
  }
}
