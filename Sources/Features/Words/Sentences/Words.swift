import Basics
package import Screen
import Synchronization

/// The interface's strings in one language. Strings and arguments are already sanitized (`SafeText`).
package struct Words: Hashable, Sendable {
  /// The numbers that take the singular.
  package enum PluralRule: Hashable, Sendable {
    /// English: 1 only.
    case one
    /// Hindi: 0 and 1.
    case zeroAndOne
    /// Chinese: one form for all.
    case none
  }

  /// A part of a string: text, or the index of an argument.
  private enum Part: Hashable {
    case literal(SafeText)
    case argument(Int)
  }

  /// The singular and the plural of a string.
  private struct Template: Hashable {
    var one: [Part]
    var several: [Part]
  }

  /// The BCP 47 tag of the language.
  package let language: String
  private let plurals: PluralRule
  private let texts: Texts
  /// Whether times are written in full, as commands print them. The inbox shortens times that are near.
  private(set) var hasWholeTimes = false

  /// The keys of all strings: a phrase's is its name, a command's are its name in the settings followed by `.title` and
  /// `.help`.
  package static let keys =
    Phrase.allCases.map(\.rawValue) + Command.allCases.flatMap { [$0.titleKey, $0.helpKey] }

  /// - Parameter text: returns the string of a key. If it returns `nil`, the key or the command's name is shown
  ///   instead.
  package init(
    language: String, plurals: PluralRule, text: @escaping @Sendable (_ key: String) -> String?
  ) {
    self.language = language
    self.plurals = plurals
    texts = Texts(text)
  }

  /// Compares identities: values from one call are equal, since the strings of a language are read once.
  package static func == (a: Words, b: Words) -> Bool {
    a.texts === b.texts && a.hasWholeTimes == b.hasWholeTimes
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(texts)) }

  /// The strings of this language for the output of commands, with complete times.
  package var printed: Words {
    var words = self
    words.hasWholeTimes = true
    return words
  }

  /// The names of weekdays and months, beginning with Monday and January.
  package var weekdays: [SafeText] { texts.names(.weekdays, count: 7) }
  var weekdaysInFull: [SafeText] { texts.names(.weekdaysInFull, count: 7) }
  var months: [SafeText] { texts.names(.months, count: 12) }
  package var monthsInFull: [SafeText] { texts.names(.monthsInFull, count: 12) }

  /// Returns the width, in columns, of the widest time in a row of a list: of this year, or of any year.
  package func timeColumns(withClock: Bool = false, anyYear: Bool = false) -> Int {
    let columns = texts.timeColumns
    return max(
      withClock ? columns.weekday + 6 : columns.weekday, anyYear ? columns.anyYear : columns.thisYear)
  }

  /// Returns a phrase with its arguments, in the plural form.
  package func callAsFunction(_ phrase: Phrase, _ arguments: SafeText...) -> SafeText {
    Self.fill(template(phrase).several, arguments)
  }

  /// Returns a phrase about a number of things; the number is its first argument.
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

  /// Returns the sentence about an undo that left out messages because other machines changed them, or `nil` if there
  /// are none.
  ///
  /// - Parameter machines: the names of those machines.
  package func undoneElsewhere(_ count: Int, left: Int, _ machines: [String]) -> SafeText? {
    if left == 0 || machines.isEmpty { return nil }
    return self(
      .undoneElsewhere, "\(count)", "\(left)", SafeText(untrusted: machines.joined(separator: ", ")))
  }

  /// Returns a phrase about a number that isn't whole, in the plural form.
  package func several(_ phrase: Phrase, _ number: SafeText) -> SafeText {
    Self.fill(template(phrase).several, [number])
  }

  /// Returns a phrase of several lines, as Markdown, with its arguments.
  package func page(_ phrase: Phrase, _ arguments: SafeText...) -> String {
    arguments.enumerated().reduce(texts.page(phrase)) { text, argument in
      text.replacingBytes("{\(argument.offset + 1)}", with: argument.element.text)
    }
  }

  /// Returns a command's title, for hints.
  package func title(_ command: Command) -> SafeText { texts.title(command) }

  /// Returns a command's line in the help.
  package func help(_ command: Command) -> SafeText { texts.help(command) }

  // MARK: Templates

  private func template(_ phrase: Phrase) -> Template { texts.template(phrase) }

  private static func template(_ text: String) -> Template {
    // A page may contain tables.
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

extension Words {
  /// The strings of a language. Each is parsed when it is first shown, since a start shows only a few of the hundreds.
  private final class Texts: Sendable {
    private struct Parsed {
      var templates: [Phrase: Template] = [:]
      var titles: [Command: SafeText] = [:]
      var names: [Phrase: [SafeText]] = [:]
      var timeColumns: (weekday: Int, thisYear: Int, anyYear: Int)?
    }

    private let text: @Sendable (_ key: String) -> String?
    private let parsed = Mutex(Parsed())

    init(_ text: @escaping @Sendable (_ key: String) -> String?) { self.text = text }

    func page(_ phrase: Phrase) -> String { text(phrase.rawValue) ?? phrase.rawValue }

    func template(_ phrase: Phrase) -> Template {
      parsed.withLock { parsed in
        if let known = parsed.templates[phrase] { return known }
        let template = Words.template(page(phrase))
        parsed.templates[phrase] = template
        return template
      }
    }

    func title(_ command: Command) -> SafeText {
      parsed.withLock { parsed in
        if let known = parsed.titles[command] { return known }
        let title = SafeText(untrusted: text(command.titleKey) ?? command.rawValue)
        parsed.titles[command] = title
        return title
      }
    }

    func help(_ command: Command) -> SafeText {
      text(command.helpKey).map { SafeText(untrusted: $0) } ?? title(command)
    }

    /// Returns the names in a string that lists them with spaces between them.
    func names(_ phrase: Phrase, count: Int) -> [SafeText] {
      parsed.withLock { parsed in
        if let known = parsed.names[phrase] { return known }
        var names = (text(phrase.rawValue) ?? "").split(onBytes: " ").map {
          SafeText(untrusted: String($0))
        }
        while names.count < count { names.append("\(names.count + 1)") }
        parsed.names[phrase] = names
        return names
      }
    }

    var timeColumns: (weekday: Int, thisYear: Int, anyYear: Int) {
      if let known = parsed.withLock({ $0.timeColumns }) { return known }
      let months = names(.months, count: 12)
      let widest = [Phrase.dayOfYear, .dayOfEarlierYear].map { phrase in
        months.map { Words.fill(template(phrase).several, ["30", $0, "25"]).columns }.max() ?? 0
      }
      let weekday = names(.weekdays, count: 7).map(\.columns).max() ?? 5
      let thisYear = max(widest[0], 5)
      let columns = (weekday, thisYear, max(thisYear, widest[1]))
      parsed.withLock { $0.timeColumns = columns }
      return columns
    }
  }
}

extension Command {
  var titleKey: String { rawValue + ".title" }
  var helpKey: String { rawValue + ".help" }
}
