import Formats
package import Messages

/// Messages as lines for people and as JSON for programs.
package struct MessagePrinter: Sendable {
  private let surroundings: Surroundings

  package init(_ workspace: Workspace) { surroundings = workspace.surroundings }

  package func json(_ message: Message) -> String { SafeOutput.json(.object(MessageJSON.object(message))) }

  /// `42 ● ★ 2026-11-20 09:00  team  Title`
  package func line(_ message: Message) -> String {
    let isUTF8 = surroundings.isUTF8
    let unread = message.isUnread ? (isUTF8 ? "●" : "*") : " "
    let star = message.isStarred ? (isUTF8 ? "★" : "+") : " "
    let id = String(message.id.rawValue)
    let padding = String(repeating: " ", count: max(0, 6 - id.count))
    let time = surroundings.wallTime(message.content.published ?? message.received)
    return "\(padding)\(id) \(unread)\(star) \(time)  \(SafeOutput.line(message.sourceName))  "
      + SafeOutput.line(message.content.title)
  }

  /// A message with its headers, as a mail program prints one.
  package func whole(_ message: Message) -> String {
    let content = message.content
    var lines = [SafeOutput.line(content.title), ""]
    func header(_ name: String, _ value: String?) {
      if let value, !value.isEmpty { lines.append("\(SafeOutput.line(name)): \(SafeOutput.line(value))") }
    }
    header("Source", message.sourceName)
    header("Author", content.author)
    header("Date", surroundings.wallTime(content.published ?? message.received))
    header("Link", content.url)
    header("Tags", content.tags.joined(separator: ", "))
    for action in content.extras?.actions ?? [] { header(action.label, action.url) }
    if !content.body.isEmpty {
      lines.append("")
      lines.append(SafeOutput.lines(content.body))
    }
    return lines.joined(separator: "\n")
  }
}
