import Foundation
import Platform
import Profile
import Screen
import Settings
import Words

/// The terminal of standard output.
enum OutputTerminal {
  /// The size in cells, or `nil` if standard output isn't a terminal, or its size is unknown.
  static var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether lines on standard output have styles.
  static func showsStyles(_ environment: Environment) -> Bool {
    let variables = environment.variables
    return isatty(1) == 1 && !["", "dumb"].contains(variables["TERM"] ?? "")
      && (variables["NO_COLOR"] ?? "").isEmpty
  }
}

/// The styles of lines on standard output: those of a theme on a terminal, otherwise none.
struct OutputStyles {
  private let theme: Theme?

  init(_ environment: Environment, theme: Theme = Theme()) {
    self.theme = OutputTerminal.showsStyles(environment) ? theme : nil
  }

  /// Creates the styles of the settings' theme.
  init(_ profile: Profile) { self.init(profile.environment, theme: profile.settings.theme) }

  /// Whether lines have styles.
  var areShown: Bool { theme != nil }

  /// Returns the line with its styles as control sequences (ECMA-48, SGR), or as plain text.
  func text(_ line: StyledText) -> String {
    guard let theme else { return line.plain }
    return line.runs.reduce(into: "") { text, run in
      let look = theme.look(of: run.style)
      // Spaces have nothing to colour.
      let isBlank = run.text.text.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
      let codes = isBlank && look.background == .terminal ? "" : Self.codes(look)
      text += codes.isEmpty ? run.text.text : "\u{1B}[\(codes)m\(run.text.text)\u{1B}[0m"
    }
  }

  private static func codes(_ style: Style) -> String {
    let attributes: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
    ]
    let codes =
      attributes.filter { style.attributes.contains($0.0) }.map(\.1)
      + [code(style.foreground, 30), code(style.background, 40)].compactMap(\.self)
    return codes.joined(separator: ";")
  }

  /// - Parameter base: the code of the first of eight colours: 30 for the text, 40 for its background.
  private static func code(_ color: Color, _ base: Int) -> String? {
    switch color {
    case .terminal: nil
    case .ansi(let number): "\(number < 8 ? base + Int(number) : base + 60 + Int(number) - 8)"
    case .indexed(let number): "\(base + 8);5;\(number)"
    case .rgb(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }
}
