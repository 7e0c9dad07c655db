import Basics
import Foundation
package import Screen

/// The way in which a terminal shows notifications, according to the environment in which it starts programs. The
/// terminal is not queried: a response could arrive as keys in another pane, and one terminal crashes at the query.
package struct NoticeSupport: Hashable, Sendable {
  package enum Code: String, Hashable, Sendable {
    /// kitty's code: with an id, so that a notification can be replaced and withdrawn.
    case identified = "OSC 99"
    /// urxvt's code: title and text.
    case titled = "OSC 777"
    /// iTerm2's code: one string.
    case plain = "OSC 9"
  }

  /// The code, or `nil` if the terminal isn't known to show notifications.
  package var code: Code?
  /// Whether the terminal is inside tmux, which passes codes on only if `allow-passthrough` allows it, and does not
  /// report that.
  package var isInTmux: Bool

  package init(code: Code?, isInTmux: Bool = false) {
    self.code = code
    self.isInTmux = isInTmux
  }

  package init(in variables: [String: String]) {
    let environment = TerminalEnvironment(variables)
    self.init(code: environment.notices, isInTmux: environment.isInTmux)
  }

  /// Whether a notification can be replaced and withdrawn.
  package var hasIdentity: Bool { code == .identified }
}

extension NoticeSupport {
  /// Returns the bytes for the terminal; empty if it shows no notifications.
  package func sequence(for notice: ScreenNotice) -> String {
    let title = Self.text(notice.title, Limits.noticeTitleBytes)
    let body = Self.text(notice.body, Limits.noticeBodyBytes)
    switch code {
    case .identified:
      // No report is requested: it would go to the pane that is active then.
      let first =
        "i=\(notice.id):d=0:e=1:u=\(notice.isUrgent ? 2 : 1):f=\(Self.base64("reddot"));\(Self.base64(title))"
      let second = "i=\(notice.id):d=1:e=1:p=body;\(Self.base64(body))"
      return wrapped("\u{1B}]99;\(first)\u{1B}\\") + wrapped("\u{1B}]99;\(second)\u{1B}\\")
    case .titled:
      // The first semicolon after the prefix ends the title.
      return wrapped("\u{1B}]777;notify;\(Self.withoutSemicolons(title));\(body)\u{1B}\\")
    case .plain:
      let text = body.isEmpty ? title : "\(title): \(body)"
      // A number and a semicolon would be another command.
      let isNumber = text.unicodeScalars.first.map { "0"..."9" ~= $0 } ?? false
      return wrapped("\u{1B}]9;\(isNumber ? "reddot: " : "")\(text)\u{1B}\\")
    case nil: return ""
    }
  }

  /// Returns the bytes that withdraw a notification; empty if that isn't possible.
  func closing(_ id: String) -> String {
    guard hasIdentity else { return "" }
    let id = ScreenNotice(id: id, title: .empty, body: .empty).id
    return wrapped("\u{1B}]99;i=\(id):p=close;\u{1B}\\")
  }

  /// Replaces semicolons as code points, since a semicolon with a combining mark would also end the title.
  private static func withoutSemicolons(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == ";" ? "," : $0 }))
  }

  /// Returns a sequence in the form that tmux passes on, if the terminal is inside tmux.
  private func wrapped(_ sequence: String) -> String {
    isInTmux ? "\u{1B}Ptmux;\(sequence.replacingBytes("\u{1B}", with: "\u{1B}\u{1B}"))\u{1B}\\" : sequence
  }

  /// Returns text without control characters. Safe text has none, but this is the last place that could let one
  /// through.
  private static func text(_ safe: SafeText, _ limit: Int) -> String {
    String(String.UnicodeScalarView(safe.text.unicodeScalars.filter { !$0.isControl })).cut(toBytes: limit)
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
