package import Screen

/// What the interface says, in one language. Texts are safe before they get here, arguments too.
package struct Words: Hashable, Sendable {
  /// Which numbers say what one of something says.
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

  /// BCP 47.
  package let language: String
  private let plurals: PluralRule
  private let templates: [Template]
  private let commands: [Command: CommandWords]
  /// Texts of several lines, as written.
  private let pages: [Phrase: String]
  let weekdays: [SafeText]
  let weekdaysInFull: [SafeText]
  let months: [SafeText]
  let monthsInFull: [SafeText]
  /// The widest time that a list's row shows.
  let timeColumns: Int

  /// - Parameters:
  ///   - phrase: the text of each phrase; a compiler-checked switch in every language.
  ///   - commands: titles and help lines; those missing are taken from the command table.
  package init(
    language: String, plurals: PluralRule, phrase: (Phrase) -> String, commands: [Command: CommandWords] = [:]
  ) {
    self.language = language
    self.plurals = plurals
    self.commands = commands
    templates = Phrase.allCases.map { Self.template(phrase($0)) }
    pages = Dictionary(
      uniqueKeysWithValues: Phrase.allCases.map { ($0, phrase($0)) }.filter { $0.1.contains("\n") })
    weekdays = Self.names(phrase(.weekdays), count: 7)
    weekdaysInFull = Self.names(phrase(.weekdaysInFull), count: 7)
    months = Self.names(phrase(.months), count: 12)
    monthsInFull = Self.names(phrase(.monthsInFull), count: 12)
    let dayOfYear = Self.template(phrase(.dayOfYear)).several
    let dates = months.map { Self.fill(dayOfYear, ["30", $0]).columns }
    timeColumns = (weekdays.map(\.columns) + dates + [5]).max() ?? 5
  }

  package func callAsFunction(_ phrase: Phrase, _ arguments: SafeText...) -> SafeText {
    Self.fill(templates[phrase.rawValue].several, arguments)
  }

  /// A phrase about a number of things, the number being its first argument.
  package func count(_ phrase: Phrase, _ number: Int, _ arguments: SafeText...) -> SafeText {
    let isOne: Bool
    switch plurals {
    case .one: isOne = number == 1
    case .zeroAndOne: isOne = number == 0 || number == 1
    case .none: isOne = false
    }
    let template = templates[phrase.rawValue]
    return Self.fill(isOne ? template.one : template.several, ["\(number)"] + arguments)
  }

  /// A number that isn't whole, written in the form for several.
  func several(_ phrase: Phrase, _ number: SafeText) -> SafeText {
    Self.fill(templates[phrase.rawValue].several, [number])
  }

  /// A phrase of several lines, as Markdown.
  func page(_ phrase: Phrase, _ arguments: SafeText...) -> String {
    arguments.enumerated().reduce(pages[phrase] ?? "") { text, argument in
      text.replacing("{\(argument.offset + 1)}", with: argument.element.text)
    }
  }

  /// A command's title, for hints.
  package func title(_ command: Command) -> SafeText {
    SafeText(untrusted: commands[command]?.title ?? command.row.title)
  }

  /// A command's line in the help.
  package func help(_ command: Command) -> SafeText {
    SafeText(untrusted: commands[command]?.help ?? command.row.help)
  }

  // MARK: Templates

  private static func names(_ list: String, count: Int) -> [SafeText] {
    var names = list.split(separator: " ").map { SafeText(untrusted: String($0)) }
    while names.count < count { names.append("\(names.count + 1)") }
    return names
  }

  private static func template(_ text: String) -> Template {
    // A page may hold tables.
    let forms =
      text.contains("\n")
      ? [text[...]] : text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = forms.map { Self.parts($0) }
    return Template(one: parts.first ?? [], several: parts.last ?? [])
  }

  private static func parts(_ text: Substring) -> [Part] {
    var parts: [Part] = []
    var rest = text
    while let brace = rest.firstIndex(of: "{") {
      let after = rest[rest.index(after: brace)...]
      guard let digit = after.first?.wholeNumberValue, digit > 0, after.dropFirst().first == "}" else {
        break
      }
      if brace > rest.startIndex { parts.append(.literal(SafeText(untrusted: String(rest[..<brace])))) }
      parts.append(.argument(digit - 1))
      rest = after.dropFirst(2)
    }
    if !rest.isEmpty { parts.append(.literal(SafeText(untrusted: String(rest)))) }
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

/// A command's words in one language.
package struct CommandWords: Hashable, Sendable {
  package var title: String
  package var help: String

  package init(title: String, help: String) {
    self.title = title
    self.help = help
  }
}
