import Basics
import Foundation
package import Screen

/// How a terminal shows notices, by the environment that it starts programs with. Nothing is asked: an answer could
/// arrive as keys in another pane, and one terminal ends when it is asked.
package struct NoticeSupport: Hashable, Sendable {
  package enum Code: String, Hashable, Sendable {
    /// kitty's: with an id, so that a notice can be replaced and taken back.
    case identified = "OSC 99"
    /// urxvt's: title and text.
    case titled = "OSC 777"
    /// iTerm2's: one text.
    case plain = "OSC 9"
  }

  /// nil: it isn't known to show any.
  package var code: Code?
  /// tmux passes codes on only where `allow-passthrough` lets it, and does not say so.
  package var isInTmux: Bool

  package init(code: Code?, isInTmux: Bool = false) {
    self.code = code
    self.isInTmux = isInTmux
  }

  package init(in variables: [String: String]) {
    let environment = TerminalEnvironment(variables)
    self.init(code: environment.notices, isInTmux: environment.isInTmux)
  }

  /// Whether a notice can be replaced and taken back.
  package var hasIdentity: Bool { code == .identified }
}

extension NoticeSupport {
  /// What is written to the terminal; empty where it shows no notices.
  package func sequence(for notice: ScreenNotice) -> String {
    let title = Self.text(notice.title, Limits.noticeTitleBytes)
    let body = Self.text(notice.body, Limits.noticeBodyBytes)
    switch code {
    case .identified:
      // Not asked to report: an answer would go to whatever pane is active then.
      let first =
        "i=\(notice.id):d=0:e=1:u=\(notice.isUrgent ? 2 : 1):f=\(Self.base64("reddot"));\(Self.base64(title))"
      let second = "i=\(notice.id):d=1:e=1:p=body;\(Self.base64(body))"
      return wrapped("\u{1B}]99;\(first)\u{1B}\\") + wrapped("\u{1B}]99;\(second)\u{1B}\\")
    case .titled:
      // The first semicolon after it ends the title.
      return wrapped("\u{1B}]777;notify;\(Self.withoutSemicolons(title));\(body)\u{1B}\\")
    case .plain:
      let text = body.isEmpty ? title : "\(title): \(body)"
      // A number and a semicolon would be another command.
      let isNumber = text.unicodeScalars.first.map { "0"..."9" ~= $0 } ?? false
      return wrapped("\u{1B}]9;\(isNumber ? "reddot: " : "")\(text)\u{1B}\\")
    case nil: return ""
    }
  }

  /// Takes a notice back; empty where that isn't possible.
  func closing(_ id: String) -> String {
    guard hasIdentity else { return "" }
    let id = ScreenNotice(id: id, title: .empty, body: .empty).id
    return wrapped("\u{1B}]99;i=\(id):p=close;\u{1B}\\")
  }

  /// By code points: one with a combining mark would end the title, too.
  private static func withoutSemicolons(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == ";" ? "," : $0 }))
  }

  private func wrapped(_ sequence: String) -> String {
    isInTmux ? "\u{1B}Ptmux;\(sequence.replacing(exactly: "\u{1B}", with: "\u{1B}\u{1B}"))\u{1B}\\" : sequence
  }

  /// Safe texts have no control characters; this is the last place that could let one through.
  private static func text(_ safe: SafeText, _ limit: Int) -> String {
    String(String.UnicodeScalarView(safe.text.unicodeScalars.filter { !$0.isControl })).cut(toBytes: limit)
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
}
