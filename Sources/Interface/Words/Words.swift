package import Screen

/// The interface's texts in one language. Texts and arguments are safe already.
package struct Words: Hashable, Sendable {
  /// Which numbers take the singular.
  package enum PluralRule: Hashable, Sendable {
    /// English: 1 only.
    case one
    /// Hindi: 0 and 1.
    case zeroAndOne
    /// Chinese: one form for all.
    case none
  }

  private enum Part: Hashable {
    case literal(SafeText)
    case argument(Int)
  }

  private struct Template: Hashable {
    var one: [Part]
    var several: [Part]
  }

  private struct CommandTexts: Hashable {
    var title: String
    var help: String
  }

  /// BCP 47.
  package let language: String
  private let plurals: PluralRule
  /// Texts of one line.
  private let templates: [Phrase: Template]
  private let commands: [Command: CommandTexts]
  /// Texts of several lines, as written.
  private let pages: [Phrase: String]
  let weekdays: [SafeText]
  let weekdaysInFull: [SafeText]
  let months: [SafeText]
  let monthsInFull: [SafeText]
  /// The widest time in a list's row: of this year, and of any year.
  let timeColumns: Int
  let timeColumnsOfAnyYear: Int

  /// The keys of all texts: a phrase's is its name, a command's are its name in the settings with `.title` and `.help`
  /// behind it.
  static let keys = Phrase.allCases.map(\.rawValue) + Command.allCases.flatMap { [$0.titleKey, $0.helpKey] }

  /// - Parameter text: the text of a key. Where there is none, the key or the command's name is shown instead.
  package init(language: String, plurals: PluralRule, text: (_ key: String) -> String?) {
    self.language = language
    self.plurals = plurals
    var templates: [Phrase: Template] = [:]
    templates.reserveCapacity(Phrase.allCases.count)
    var pages: [Phrase: String] = [:]
    for phrase in Phrase.allCases {
      let source = text(phrase.rawValue) ?? phrase.rawValue
      if Self.isPage(source) { pages[phrase] = source } else { templates[phrase] = Self.template(source) }
    }
    self.templates = templates
    self.pages = pages
    var commands: [Command: CommandTexts] = [:]
    for command in Command.allCases {
      let title = text(command.titleKey) ?? command.rawValue
      commands[command] = CommandTexts(title: title, help: text(command.helpKey) ?? title)
    }
    self.commands = commands
    func names(_ phrase: Phrase, count: Int) -> [SafeText] {
      Self.names(text(phrase.rawValue) ?? "", count: count)
    }
    weekdays = names(.weekdays, count: 7)
    weekdaysInFull = names(.weekdaysInFull, count: 7)
    let months = names(.months, count: 12)
    self.months = months
    monthsInFull = names(.monthsInFull, count: 12)
    let widest = [Phrase.dayOfYear, .dayOfEarlierYear].map { phrase in
      let parts = templates[phrase]?.several ?? []
      return months.map { Self.fill(parts, ["30", $0, "25"]).columns }.max() ?? 0
    }
    timeColumns = (weekdays.map(\.columns) + [widest[0], 5]).max() ?? 5
    timeColumnsOfAnyYear = max(timeColumns, widest[1])
  }

  package func callAsFunction(_ phrase: Phrase, _ arguments: SafeText...) -> SafeText {
    Self.fill(template(phrase).several, arguments)
  }

  /// A text about a number of things; the number is its first argument.
  package func count(_ phrase: Phrase, _ number: Int, _ arguments: SafeText...) -> SafeText {
    let isOne: Bool
    switch plurals {
    case .one: isOne = number == 1
    case .zeroAndOne: isOne = number == 0 || number == 1
    case .none: isOne = false
    }
    let template = template(phrase)
    return Self.fill(isOne ? template.one : template.several, ["\(number)"] + arguments)
  }

  /// A number that isn't whole, in the plural form.
  func several(_ phrase: Phrase, _ number: SafeText) -> SafeText {
    Self.fill(template(phrase).several, [number])
  }

  /// A phrase of several lines, as Markdown.
  func page(_ phrase: Phrase, _ arguments: SafeText...) -> String {
    arguments.enumerated().reduce(pages[phrase] ?? phrase.rawValue) { text, argument in
      text.replacing("{\(argument.offset + 1)}", with: argument.element.text)
    }
  }

  /// A command's title, for hints.
  package func title(_ command: Command) -> SafeText {
    SafeText(untrusted: commands[command]?.title ?? command.rawValue)
  }

  /// A command's line in the help.
  package func help(_ command: Command) -> SafeText {
    SafeText(untrusted: commands[command]?.help ?? command.rawValue)
  }

  // MARK: Templates

  private static func names(_ list: String, count: Int) -> [SafeText] {
    var names = list.split(separator: " ").map { SafeText(untrusted: String($0)) }
    while names.count < count { names.append("\(names.count + 1)") }
    return names
  }

  private func template(_ phrase: Phrase) -> Template {
    templates[phrase] ?? Self.template(pages[phrase] ?? "")
  }

  // By bytes: a language has hundreds of texts, and all are parsed at the start.

  private static func template(_ text: String) -> Template {
    // A page may hold tables.
    guard !isPage(text), let bar = text.utf8.firstIndex(of: UInt8(ascii: "|")) else {
      let parts = parts(text[...])
      return Template(one: parts, several: parts)
    }
    return Template(one: parts(text[..<bar]), several: parts(text[text.utf8.index(after: bar)...]))
  }

  private static func isPage(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "\n")) }

  private static func parts(_ text: Substring) -> [Part] {
    var parts: [Part] = []
    var rest = text.utf8
    while let brace = rest.firstIndex(of: UInt8(ascii: "{")) {
      let behind = rest[brace...].dropFirst()
      guard let digit = behind.first, (0x31...0x39).contains(digit),
        behind.dropFirst().first == UInt8(ascii: "}")
      else { break }
      if brace > rest.startIndex {
        parts.append(.literal(SafeText(untrusted: String(text[rest.startIndex..<brace]))))
      }
      parts.append(.argument(Int(digit) - 0x31))
      rest = behind.dropFirst(2)
    }
    if !rest.isEmpty { parts.append(.literal(SafeText(untrusted: String(text[rest.startIndex...])))) }
    return parts
  }

  private static func fill(_ parts: [Part], _ arguments: [SafeText]) -> SafeText {
    var text = SafeText.empty
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .argument(let index): if index < arguments.count { text += arguments[index] }
      }
    }
    return text
  }
}

extension Command {
  var titleKey: String { rawValue + ".title" }
  var helpKey: String { rawValue + ".help" }
}
