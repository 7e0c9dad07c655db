import Messages

/// A key of the settings file. This description is the source for the reader, its errors, the sample, the table on the
/// settings page and the check of a changed file. The rows are in `Settings` and `SourceEntry`.
struct Setting: Equatable, Sendable {
  /// A table of the file.
  enum Place: Hashable, Sendable {
    case top
    /// `[layout]`.
    case layout
    /// `[poll]`, for all sources.
    case poll
    /// A `[[source]]`.
    case source
    /// A `[[categories.NAME]]`.
    case category
    /// A `[[command]]`.
    case command
    /// A `[[rule]]`.
    case rule
    /// A `[[quiet]]`.
    case quiet
    /// A `[[list]]`.
    case list
    /// A `[[hub]]`.
    case hub
    /// `[sync]`.
    case sync
    /// `[hooks]`.
    case hooks
    /// `[phone]`.
    case phone
  }

  /// The form of a key's value.
  enum Form: Hashable, Sendable {
    case boolean
    case text
    /// A string; `~` at its start is the home folder.
    case path
    /// A string with names of folders and `/` between them, the outermost first.
    case folder
    /// A string with a unit, or a number of seconds.
    case duration(ClosedRange<Duration>)
    /// A duration, or `off`.
    case lead(ClosedRange<Duration>)
    /// A string with a unit, or a number of bytes.
    case bytes(ClosedRange<Int>)
    /// A whole number.
    case count(ClosedRange<Int>)
    /// A whole number, or `auto`.
    case countOrAuto(ClosedRange<Int>)
    /// A list of strings, or one string for the shell.
    case command
    /// A list of strings: a program and its arguments, without a shell.
    case program
    /// A program for links: a `command`, or an inline table that also specifies whether the program uses the terminal.
    case opener
    /// A list of strings.
    case texts
    /// One of these strings.
    case choice([String])
    /// A list of these strings.
    case several([String])
    /// A string with hours and minutes.
    case clock
    /// A folder, a URL, or a list of a program and its arguments.
    case place
    /// A query, parsed strictly.
    case query
    /// A table, or an array of tables, with separate keys.
    case table

    /// Returns the allowed values of a key, for an error: "must be …".
    func allowed(for key: String) -> String {
      switch self {
      case .boolean: "true or false"
      case .text, .path: "a string in quotes"
      case .folder:
        "names with / between them, such as \"Dev/Swift\": at most \(Folder.deepest), each of up to \(Folder.longestName) characters"
      case .duration:
        "a time such as \"90s\", \"10m\", \"2h\" or a number of seconds, \(range ?? "")"
      case .lead: "a time such as \"10m\", \"1h\", or \"off\", \(range ?? "")"
      case .bytes: "a size such as \"64 MiB\" or a number of bytes, \(range ?? "")"
      case .count: "a whole number \(range ?? "")"
      case .countOrAuto: "a whole number \(range ?? ""), or \"auto\""
      case .command: "a program with its arguments, such as [\"pass\", \"show\", \"team\"]"
      case .program: "a list of a program and its arguments, such as [\"buku\", \"--add\", \"{url}\"]"
      case .opener:
        "a program with its arguments, such as [\"w3m\"], or { run = [\"w3m\", \"{url}\"], terminal = true }"
      case .texts: "a list of strings, such as [\"general\"]"
      case .choice(let values): "one of " + values.map { "\"\($0)\"" }.joined(separator: ", ")
      case .several(let values):
        "a list of these: " + values.map { "\"\($0)\"" }.joined(separator: ", ")
      case .clock: "a time of day such as \"22:00\""
      case .place:
        "a folder, \"ssh:HOST:PATH\", \"postgresql://HOST/DATABASE\", or a list of a program and its arguments"
      case .query: "a query such as \"priority:5 OR source:builds\""
      case .table: "a table, written [\(key)]"
      }
    }

    /// The range as "from … to …", or `nil` if the value isn't a quantity.
    var range: String? {
      switch self {
      case .duration(let range), .lead(let range):
        "from \(DurationText.format(range.lowerBound)) to \(DurationText.format(range.upperBound))"
      case .bytes(let range), .count(let range), .countOrAuto(let range):
        "from \(range.lowerBound) to \(range.upperBound)"
      case .boolean, .text, .path, .folder, .command, .program, .opener, .texts, .choice, .several, .clock,
        .place, .query, .table:
        nil
      }
    }
  }

  var key: String
  /// The tables that may contain the key; the one for all sources comes before the one for a single source.
  var places: [Place]
  var form: Form
  /// The default: TOML in backquotes, or text.
  var standard: String
  /// A value for the sample, as TOML: the default if there is one.
  var example: String
  /// The description, without a capital letter and a full stop. Names of keys and values are in backquotes.
  var help: String
  /// Whether a change takes effect in a running inbox. Otherwise it needs a restart, which the inbox reports.
  var isLive = true

  /// Whether the example is the default.
  var isExampleStandard: Bool { standard == "`\(example)`" }

  /// The text that replaces the default of a mandatory key.
  static let required = "must be given"

  /// The allowed values, for an error: "must be …".
  var allowed: String { form.allowed(for: key) }

  var range: String? { form.range }

  /// Every key of every table.
  static let all =
    tables + Settings.rows.map(\.setting) + SourceEntry.rows.map(\.setting)
    + MessageAction.rows.map(\.setting) + CommandEntry.rows.map(\.setting) + RuleEntry.rows.map(\.setting)
    + QuietEntry.rows.map(\.setting) + ListEntry.rows.map(\.setting) + HubEntry.rows.map(\.setting)
    + SyncOptions.rows.map(\.setting) + HookOptions.rows.map(\.setting) + PhoneOptions.rows.map(\.setting)
}

/// A value into which the keys of a table are read.
protocol SettingsRoot: Sendable {
  /// The value of which all keys have their defaults.
  static var standard: Self { get }
  /// The tables that contain most keys of the value.
  static var places: [Setting.Place] { get }
}

/// A setting, and the path to the field that contains its value.
///
/// A start reads a few keys of dozens. Therefore the parts that only an error or the help needs are made on demand, and
/// so is the path to the field.
struct SettingRow<Root: SettingsRoot>: Sendable {
  typealias Path<Field> = any WritableKeyPath<Root, Field> & Sendable

  let key: String
  let places: [Setting.Place]
  let isLive: Bool
  private let make: @Sendable () -> Setting
  /// Reads the key from a table if the key is there and valid.
  let take: @Sendable (SettingsTable, inout Root) -> Void
  /// Returns the field as TOML, or `nil` if it isn't set.
  let toml: @Sendable (Root) -> String?
  /// Whether the field has the same value in both.
  let isSame: @Sendable (Root, Root) -> Bool

  var setting: Setting { make() }

  private init<Field: Equatable & Sendable>(
    key: String, places: [Setting.Place], isLive: Bool, setting: @escaping @Sendable () -> Setting,
    field: @escaping @Sendable () -> Path<Field>, read: @escaping @Sendable (SettingsTable) -> Field?,
    toml: @escaping @Sendable (Field) -> String?
  ) {
    (self.key, self.places, self.isLive, make) = (key, places, isLive, setting)
    take = { table, root in
      if let value = read(table) { root[keyPath: field()] = value }
    }
    self.toml = { toml($0[keyPath: field()]) }
    isSame = { $0[keyPath: field()] == $1[keyPath: field()] }
  }

  /// Creates a row for a field with its own conversion from and to TOML.
  init<Field: Equatable & Sendable>(
    _ setting: Setting, _ field: @autoclosure @escaping @Sendable () -> Path<Field>,
    read: @escaping @Sendable (SettingsTable, Setting) -> Field?,
    toml: @escaping @Sendable (Field) -> String?
  ) {
    self.init(
      key: setting.key, places: setting.places, isLive: setting.isLive, setting: { setting }, field: field,
      read: { read($0, setting) }, toml: toml)
  }

  /// Creates a row for a field that always has a value.
  ///
  /// - Parameters:
  ///   - words: a description of the default, if its TOML value does not describe it.
  ///   - example: the example in the sample; required with `words`.
  init<Value: SettingValue>(
    _ key: String, in places: [Setting.Place] = Root.places,
    _ form: @autoclosure @escaping @Sendable () -> Setting.Form,
    _ field: @autoclosure @escaping @Sendable () -> Path<Value>, else words: String? = nil,
    example: String? = nil, isLive: Bool = true, _ help: @autoclosure @escaping @Sendable () -> String
  ) {
    self.init(
      key: key, places: places, isLive: isLive,
      setting: {
        let standard = Root.standard[keyPath: field()].toml(form())
        return Setting(
          key: key, places: places, form: form(), standard: words ?? "`\(standard)`",
          example: example ?? standard, help: help(), isLive: isLive)
      }, field: field, read: { $0.value(key, form()) }, toml: { $0.toml(form()) })
  }

  /// Creates a row for an optional field.
  ///
  /// - Parameter words: a description of the default.
  init<Value: SettingValue>(
    _ key: String, in places: [Setting.Place] = Root.places,
    _ form: @autoclosure @escaping @Sendable () -> Setting.Form,
    _ field: @autoclosure @escaping @Sendable () -> Path<Value?>, else words: String, example: String,
    isLive: Bool = true, _ help: @autoclosure @escaping @Sendable () -> String
  ) {
    self.init(
      key: key, places: places, isLive: isLive,
      setting: {
        Setting(
          key: key, places: places, form: form(), standard: words, example: example, help: help(),
          isLive: isLive)
      }, field: field, read: { table in table.value(key, form()).map { (value: Value) in value } },
      toml: { $0?.toml(form()) })
  }
}
