import Formats
package import Messages
import Platform
import Screen
import Words

/// Prints messages as lines and as JSON.
package struct MessagePrinter: Sendable {
  private let environment: Environment
  private let columns: Int?
  private let sourceColumns: Int
  private let folders: [SourceID: Folder]
  private let names: [SourceID: String]

  /// - Parameter columns: of the terminal; nil without one: then nothing is cut.
  package init(_ profile: Profile, columns: Int? = nil) {
    environment = profile.environment
    folders = Dictionary(
      profile.sources.compactMap { source in source.folder.map { (source.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    self.columns = columns
    names = Dictionary(profile.sources.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let widths = profile.sources.map { SafeText(untrusted: $0.name).columns }
    // Names get a fifth of the line at most, which leaves 40 columns of 80 to the title.
    sourceColumns = columns.map { min(widths.max() ?? 0, max(4, $0 / 5)) } ?? 0
  }

  package func json(_ message: Message) -> String {
    SafeOutput.json(
      .object(
        MessageJSON.object(
          message, in: folders[message.source], alsoFrom: message.otherSources.compactMap { names[$0] })))
  }

  /// `42 ● ★ 2026-11-20 09:00  team  Title`
  package func line(_ message: Message) -> String {
    let isUTF8 = environment.isUTF8
    let unread = message.isUnread ? (isUTF8 ? "●" : "*") : " "
    let star = message.isStarred ? (isUTF8 ? "★" : "+") : " "
    let id = String(message.id.rawValue)
    let padding = String(repeating: " ", count: max(0, 6 - id.count))
    let time = environment.wallTime(message.time)
    let start = "\(padding)\(id) \(unread)\(star) \(time)  "
    let (source, title) = (
      SafeText(untrusted: message.sourceName), SafeText(untrusted: message.content.title)
    )
    guard let columns else { return start + source.text + "  " + title.text }
    let ellipsis: SafeText = isUTF8 ? "…" : "."
    let name = source.truncated(to: sourceColumns, ellipsis: ellipsis).padded(to: sourceColumns)
    let line = SafeText(untrusted: start) + name + "  " + title
    return line.truncated(to: columns, ellipsis: ellipsis).text
  }
}
