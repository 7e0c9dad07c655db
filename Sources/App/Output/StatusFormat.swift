import Formats
import Notices

/// How `reddot status` writes its line: for a prompt, for a status bar, or by a template.
package struct StatusFormat: Hashable, Sendable {
  /// Whose special characters are escaped.
  package enum Target: String, Hashable, Sendable, CaseIterable {
    case plain, waybar, tmux, polybar, json
  }

  package var target: Target
  /// `{dot}`, `{unread}`, `{title}` and `{source}` stand for what holds; the last two are of the newest unread message.
  package var template: String

  package static let usual = "{dot} {unread}"
  static let fields = ["dot", "unread", "title", "source"]

  /// `waybar`, `tmux`, `polybar` or `json`; `tmux:` and the others with a template behind it, or a template alone.
  ///
  /// - Returns: nil if it is neither a bar nor a template.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if let target = Target(rawValue: parts[0]) {
      self.target = target
      template = parts.count > 1 ? parts[1] : Self.usual
    } else {
      guard Self.fields.contains(where: { text.contains("{\($0)}") }) else { return nil }
      (target, template) = (.plain, text)
    }
  }

  /// Whether the template tells of the newest message.
  package var needsMessages: Bool {
    target == .waybar || template.contains("{title}") || template.contains("{source}")
  }

  /// The line; nil where there is nothing to tell.
  ///
  /// - Parameter newest: unread messages, the newest first.
  package func line(
    _ status: InboxStatus, newest: [(title: String, source: String)], isUTF8: Bool
  ) -> String? {
    let isEmpty = status.line(isUTF8: isUTF8) == nil
    switch target {
    case .json: return status.json
    case .waybar:
      let state = status.isUnseen ? "unseen" : status.unread > 0 ? "unread" : "none"
      let tooltip = newest.map { escaped("\(SafeOutput.line($0.source)): \(SafeOutput.line($0.title))") }
      return SafeOutput.json(
        .object(
          JSONObject([
            .init(key: "text", value: .string(isEmpty ? "" : filled(status, newest.first, isUTF8: isUTF8))),
            .init(key: "alt", value: .string(state)),
            .init(key: "tooltip", value: .string(tooltip.joined(separator: "\n"))),
            .init(key: "class", value: .string(state)),
          ])))
    case .plain, .tmux, .polybar: return isEmpty ? nil : filled(status, newest.first, isUTF8: isUTF8)
    }
  }

  /// One pass: what stands in a title is not a field.
  private func filled(
    _ status: InboxStatus, _ newest: (title: String, source: String)?, isUTF8: Bool
  ) -> String {
    var text = ""
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      text += rest[..<open]
      rest = rest[open...]
      guard let close = rest.firstIndex(of: "}") else { break }
      switch rest[rest.index(after: open)..<close] {
      case "dot": text += status.isUnseen ? (isUTF8 ? "●" : "*") : ""
      case "unread": text += String(status.unread)
      case "title": text += escaped(SafeOutput.line(newest?.title ?? ""))
      case "source": text += escaped(SafeOutput.line(newest?.source ?? ""))
      case let other: text += "{\(other)}"
      }
      rest = rest[rest.index(after: close)...]
    }
    text += rest
    // Without a dot the space behind it goes, too.
    while text.first == " " { text.removeFirst() }
    return text
  }

  /// A text from outside, so that the bar reads nothing in it as its own.
  private func escaped(_ text: String) -> String {
    switch target {
    case .plain, .json: text
    case .waybar: NotificationMarkup.escaped(text)
    // `#[` begins a style and `#(` a command.
    case .tmux: Self.inserting("#", before: "#", behind: nil, in: text)
    // `%{` begins an action.
    case .polybar: Self.inserting(" ", before: "{", behind: "%", in: text)
    }
  }

  /// By code points: a sign with a combining mark means the same to a bar.
  ///
  /// - Parameter earlier: what must be in front of the sign; nil: anything.
  private static func inserting(
    _ other: Unicode.Scalar, before sign: Unicode.Scalar, behind earlier: Unicode.Scalar?, in text: String
  ) -> String {
    var changed = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == sign, earlier == nil || changed.last == earlier { changed.append(other) }
      changed.append(scalar)
    }
    return String(changed)
  }
}
