import Foundation
import TerminalHarness
import Testing

/// A kind of terminal: the way in which programs recognise it, its responses, and its code for notifications.
struct TerminalKind: CustomTestStringConvertible, Sendable {
  var name: String
  /// The variables of programs that it starts; its `TERM` is described like xterm.
  var variables: [String: String]
  /// The code, or `nil` for the bell.
  var code: ToldNotices.Code?
  /// Whether tmux is between the program and the terminal.
  var isInTmux = false
  /// The name and version that it reports for XTVERSION, and the numbers for DA1; `nil` if it does not respond.
  var version: String?
  var attributes: String?
  /// Whether the terminal, or the terminal around it, responds to the query for its abilities with OSC 99.
  var tellsOfNotices = false

  var testDescription: String { name }

  static let kitty = TerminalKind(
    name: "kitty", variables: ["TERM": "xterm-kitty", "KITTY_WINDOW_ID": "1"], code: .identified,
    version: "kitty(0.46.2)", attributes: "62;52", tellsOfNotices: true)
  static let foot = TerminalKind(
    name: "foot", variables: ["TERM": "foot"], code: .titled, version: "foot(1.26.1)",
    attributes: "62;4;22;28;29;52")
  static let ghostty = TerminalKind(
    name: "ghostty",
    variables: [
      "TERM": "xterm-ghostty", "TERM_PROGRAM": "ghostty", "GHOSTTY_RESOURCES_DIR": "/usr/share/ghostty",
    ], code: .titled, version: "ghostty 1.3.1", attributes: "62;22;52")
  static let iTerm = TerminalKind(
    name: "iTerm2", variables: ["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], code: .plain,
    version: "iTerm2 3.5.14", attributes: "64;1;2;4;6;17;18;21;22;52")
  static let tmux = TerminalKind(
    name: "tmux",
    variables: [
      "TERM": "tmux-256color", "TERM_PROGRAM": "tmux", "TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%0",
      "KITTY_WINDOW_ID": "1",
    ], code: .identified, isInTmux: true, version: "tmux 3.3a", attributes: "1;2", tellsOfNotices: true)
  static let silent = TerminalKind(name: "silent", variables: ["TERM": "xterm-256color"])

  static let all = [kitty, foot, ghostty, iTerm, tmux, silent]

  private var nameAnswer: String { version.map { "\u{1B}P>|\($0)\u{1B}\\" } ?? "" }
  private var attributesAnswer: String { attributes.map { "\u{1B}[?\($0)c" } ?? "" }
  private func noticesAnswer(_ id: String) -> String {
    guard tellsOfNotices else { return "" }
    return
      "\u{1B}]99;i=\(id):p=?;a=focus,report:o=always,unfocused,invisible:p=title,body,?,close,icon,alive,"
      + "buttons:s=system,silent,error,warn,warning,info,question:u=0,1,2:c=1:w=1\u{1B}\\"
  }

  /// The responses to queries of an earlier program, and the bytes of a click on that program's notification.
  var lateAnswers: String {
    let clicks =
      tellsOfNotices
      ? "\u{1B}]99;i=q;\u{1B}\\\u{1B}]99;i=q;2\u{1B}\\\u{1B}]99;i=q:p=close;untracked\u{1B}\\"
        + "\u{1B}]99;i=q:p=alive;q,j,dd\u{1B}\\" : ""
    return nameAnswer + noticesAnswer("q") + attributesAnswer + clicks
  }

  /// Returns the responses to the questions in these bytes, in their order.
  func answers(to bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    // Inside tmux, the last query is wrapped, and its escape characters are doubled.
    return text.matches(of: /\x1B\[>0?q|\x1B\[0?c|\x1B\]99;(?:[^;\x1B]*:)?i=([^:;\x1B]*):p=\?;/).map {
      asked in
      if let id = asked.1 {
        // Some versions of foot crash at this question.
        if name == "foot" { Issue.record("foot was asked for its notices") }
        return noticesAnswer(String(id))
      }
      return asked.0.last == "q" ? nameAnswer : attributesAnswer
    }
  }
}

/// A terminal of some kind with the inbox in it, which answers whatever the program asks.
final class AnsweringTerminal {
  let kind: TerminalKind
  let terminal: PseudoTerminal
  /// The number of bytes that were searched for questions, and of questions that were answered.
  private var read = 0
  private var answered = 0

  init(_ kind: TerminalKind, _ terminal: PseudoTerminal) { (self.kind, self.terminal) = (kind, terminal) }

  convenience init(
    _ kind: TerminalKind, _ household: Household, columns: Int = 80, rows: Int = 24
  ) throws {
    try household.describe(terminal: kind.variables["TERM"] ?? "")
    self.init(
      kind, try household.inbox(columns: columns, rows: rows, environment: kind.variables))
  }

  var told: ToldNotices { ToldNotices(terminal.bytes) }

  func wait(for what: String, until holds: (AnsweringTerminal) -> Bool) throws {
    try terminal.wait(for: "\(what) (\(kind.name))") { _ in
      answer()
      return holds(self)
    }
  }

  func wait(forText text: String) throws {
    try wait(for: "“\(text)” on the screen") { $0.terminal.screen.text.contains(text) }
  }

  /// Waits for a number of notifications, or bells if those are the notifications.
  func wait(forTold count: Int) throws {
    try wait(for: "\(count) notices") {
      $0.kind.code == nil ? $0.told.bells >= count : $0.told.notices.count >= count
    }
  }

  private func answer() {
    guard terminal.bytes.count > read else { return }
    read = terminal.bytes.count
    let answers = kind.answers(to: terminal.bytes)
    terminal.send(answers.dropFirst(answered).joined())
    answered = answers.count
  }
}

extension Household {
  /// A description of a terminal by that name, the same as xterm's: not every machine has those of newer terminals.
  func describe(terminal name: String) throws {
    let folders = ["/lib/terminfo", "/usr/share/terminfo", "/etc/terminfo", "/usr/lib/terminfo"]
    let found = folders.flatMap { ["\($0)/x/xterm-256color", "\($0)/78/xterm-256color"] }
      .first { FileManager.default.fileExists(atPath: $0) }
    guard let found, let first = name.utf8.first else { throw HouseholdFailure("no terminfo of xterm") }
    let entry = try Data(contentsOf: URL(fileURLWithPath: found))
    for folder in [String(name.prefix(1)), String(first, radix: 16)] {
      try write(".terminfo/\(folder)/\(name)", entry)
    }
  }
}
