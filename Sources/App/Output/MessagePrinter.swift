import Formats
package import Messages

/// Messages as lines for people and as JSON for programs.
package struct MessagePrinter: Sendable {
  private let environment: Environment

  package init(_ workspace: Workspace) { environment = workspace.environment }

  package func json(_ message: Message) -> String { SafeOutput.json(.object(MessageJSON.object(message))) }

  /// `42 ● ★ 2026-11-20 09:00  team  Title`
  package func line(_ message: Message) -> String {
    let isUTF8 = environment.isUTF8
    let unread = message.isUnread ? (isUTF8 ? "●" : "*") : " "
    let star = message.isStarred ? (isUTF8 ? "★" : "+") : " "
    let id = String(message.id.rawValue)
    let padding = String(repeating: " ", count: max(0, 6 - id.count))
    let time = environment.wallTime(message.content.published ?? message.received)
    return "\(padding)\(id) \(unread)\(star) \(time)  \(SafeOutput.line(message.sourceName))  "
      + SafeOutput.line(message.content.title)
  }
}
