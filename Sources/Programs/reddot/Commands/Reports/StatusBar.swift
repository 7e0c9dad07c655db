import Basics
import Formats
import Profile
import Words

/// A status bar that reads lines of `reddot status`. Each bar has its own characters that begin styles and commands.
enum StatusBar: String, CaseIterable, Sendable {
  /// tmux(1): `#[…]` is a style, `#(…)` a command, and `##` a number sign.
  case tmux
  /// polybar: `%{…}` is a style or a command for a click, and cannot be escaped.
  case polybar
  /// waybar-custom(5): Pango markup.
  case waybar
  /// A block of i3bar's protocol, a JSON object; its text isn't markup unless the object specifies it.
  case i3bar

  /// Appends text that has no special meaning for the bar.
  ///
  /// - Parameter text: text without control characters.
  func append(_ text: String, to line: inout String) {
    guard !text.isEmpty else { return }
    // The comparison uses code points: a symbol with a combining mark is another character, but means the same to a
    // bar.
    let before = line.unicodeScalars.reversed()
    var scalars = text.unicodeScalars[...]
    switch self {
    case .tmux:
      // A number sign before the text would make a format of its first characters.
      if !before.prefix(while: { $0 == "#" }).count.isMultiple(of: 2) { line += "#" }
      for scalar in scalars { line += scalar == "#" ? "##" : String(scalar) }
    case .polybar:
      if before.first == "%", scalars.first == "{" { line += " " }
      while let scalar = scalars.popFirst() {
        line.unicodeScalars.append(scalar)
        // A brace may follow the text, too.
        if scalar == "%", scalars.first.map({ $0 == "{" }) ?? true { line += " " }
      }
    case .waybar: line += Self.markup(text)
    case .i3bar: line += text
    }
  }

  /// Returns the output for a line whose parts are already escaped: i3bar gets a JSON object, other bars get the line.
  func line(_ text: String) -> String {
    guard self == .i3bar else { return text }
    return SafeOutput.json(.object(JSONObject(pairs: [("full_text", .string(text))])))
  }

  /// Returns text as Pango markup, without any markup in it.
  static func markup(_ text: String) -> String {
    text.markupEscaped.replacingBytes("'", with: "&apos;")
  }
}
