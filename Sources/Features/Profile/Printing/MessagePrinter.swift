package import Formats
package import Messages
import Platform
package import Screen
import Words

/// Prints messages as lines and as JSON.
package struct MessagePrinter: Sendable {
  private let environment: Environment
  private let columns: Int?
  private let sourceColumns: Int
  private let folders: [SourceID: Folder]
  private let names: [SourceID: String]

  /// - Parameter columns: the width of the terminal, or `nil` to print lines in full length, without a terminal.
  package init(_ profile: Profile, columns: Int? = nil) {
    environment = profile.environment
    folders = Dictionary(
      profile.sources.compactMap { source in source.folder.map { (source.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    self.columns = columns
    names = Dictionary(profile.sources.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let widths = profile.sources.map { SafeText(untrusted: $0.name).columns }
    // Names get at most a fifth of the line, which leaves 40 columns of 80 to the title.
    sourceColumns = columns.map { min(widths.max() ?? 0, max(4, $0 / 5)) } ?? 0
  }

  package func json(_ message: Message) -> String { SafeOutput.json(object(message)) }

  package func object(_ message: Message) -> JSONValue {
    .object(
      MessageJSON.object(
        message, in: folders[message.source], alsoFrom: message.otherSources.compactMap { names[$0] }))
  }

  /// Returns a line like `42 ● ★ 2026-11-20 09:00  team  Title`.
  package func line(_ message: Message) -> StyledText {
    let isUTF8 = environment.isUTF8
    let id = SafeText(untrusted: String(message.id.rawValue))
    let source = SafeText(untrusted: message.sourceName)
    var line = StyledText(.spaces(6 - id.columns) + id + " ", style: Style(roles: .dim))
    line.append(message.isUnread ? isUTF8 ? "●" : "*" : " ", style: Style(roles: .dot))
    line.append(message.isStarred ? isUTF8 ? "★" : "+" : " ", style: Style(roles: .starred))
    line.append(" \(untrusted: environment.wallTime(message.time))  ", style: Style(roles: .dim))
    let ellipsis: SafeText = isUTF8 ? "…" : "."
    let name = columns.map { _ in
      source.truncated(to: sourceColumns, ellipsis: ellipsis).padded(to: sourceColumns)
    }
    line.append(name ?? source, style: Style(roles: .accent))
    line.append("  ")
    line.append(SafeText(untrusted: message.content.title), style: message.isUnread ? .bold : .plain)
    return columns.map { line.truncated(to: $0, ellipsis: ellipsis) } ?? line
  }
}
