import Formats
import Foundation
import Messages
import Platform
import Profile
import Queries
import Settings
import Storage
import Words

/// A form of the line about the inbox, for a bar, a prompt or a script. Each form is escaped for the program that reads
/// the line, since titles are untrusted.
enum StatusFormat: Hashable, Sendable {
  /// One JSON object; text and tooltip are Pango markup (waybar-custom(5)).
  case waybar
  /// A line with styles of tmux(1), in which `#` begins a format.
  case tmux
  /// A line with polybar's tags, which begin with `%{`.
  case polybar
  case json
  /// A template with names in braces.
  case template([Piece])

  /// A part of a template.
  enum Piece: Hashable, Sendable {
    case text(String)
    case value(Value)
    /// The number of unread messages of a saved list.
    case list(String)
  }

  /// A name in a template.
  enum Value: String, Hashable, Sendable, CaseIterable {
    /// `●` while something is unseen, otherwise empty.
    case dot
    case unread, starred, total
    /// The title and the source of the newest unread message.
    case title, source
    /// The quiet time, for example `quiet until 7:00`; empty if there is none.
    case quiet
    /// The number of programs that wait for the user.
    case waiting
  }

  /// The reason why a string isn't a format.
  struct Mistake: Error, Hashable, Sendable {
    var sentence: String
  }

  static let names = ["waybar", "tmux", "polybar", "json"]

  static func parse(_ text: String) -> Result<StatusFormat, Mistake> {
    switch text {
    case "waybar": return .success(.waybar)
    case "tmux": return .success(.tmux)
    case "polybar": return .success(.polybar)
    case "json": return .success(.json)
    case _ where text.contains("{") || text.contains("}"): return template(text)
    case _:
      return .failure(
        Mistake(
          sentence: "\"\(text)\" is not a format; there are \(names.joined(separator: ", ")), "
            + "and templates with names in braces, such as '{unread} {title}'"))
    }
  }

  private static func template(_ text: String) -> Result<StatusFormat, Mistake> {
    var pieces: [Piece] = []
    var literal = ""
    var rest = Substring(text)
    while let first = rest.popFirst() {
      if first == "{" || first == "}", rest.first == first {
        literal.append(first)
        rest.removeFirst()
      } else if first == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          return .failure(Mistake(sentence: "a { in the format has no } after it; write {{ for a brace"))
        }
        let name = rest[..<end]
        if !literal.isEmpty { pieces.append(.text(literal)) }
        literal = ""
        rest = rest[rest.index(after: end)...]
        if name.hasPrefix("list:") {
          pieces.append(.list(String(name.dropFirst("list:".count))))
          continue
        }
        guard let value = Value(rawValue: String(name)) else {
          let known = (Value.allCases.map(\.rawValue) + ["list:NAME"]).map { "{\($0)}" }
            .joined(separator: " ")
          return .failure(Mistake(sentence: "\(name) is not a name for formats; names: \(known)"))
        }
        pieces.append(.value(value))
      } else if first == "}" {
        return .failure(Mistake(sentence: "a } in the format has no { before it; write }} for a brace"))
      } else {
        literal.append(first)
      }
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
    return .success(.template(pieces))
  }

  /// Whether this is a template with names in braces, which may be for any bar.
  var isTemplate: Bool { if case .template = self { true } else { false } }

  /// Returns the line about the inbox.
  ///
  /// - Parameters:
  ///   - dot: the text for the red dot, which is shown while a message is unseen.
  ///   - bar: the bar that reads a template; `nil` for a terminal.
  func line(_ report: InboxReport, dot: String, for bar: StatusBar? = nil) -> String {
    let status = report.status
    let count = status.isUnseen || status.unread > 0 ? "\(status.unread)" : ""
    let quiet = status.quiet.map { (count.isEmpty ? "" : " ") + $0.text } ?? ""
    switch self {
    case .json: return SafeOutput.json(report.json)
    case .waybar:
      let tooltip = report.newest.map { message in
        StatusBar.markup("\(SafeOutput.line(message.source)): \(SafeOutput.line(message.title))")
      }
      let state = status.isUnseen ? "unseen" : status.unread > 0 ? "unread" : "none"
      return SafeOutput.json(
        .object(
          JSONObject(pairs: [
            ("text", .string((status.isUnseen ? "\(dot) \(count)" : count) + quiet)),
            ("tooltip", .string(tooltip.joined(separator: "\n"))), ("alt", .string(state)),
            ("class", status.quiet == nil ? .string(state) : .array([.string(state), .string("quiet")])),
          ])))
    case .tmux: return status.isUnseen ? "#[fg=red]\(dot)#[default] \(count)\(quiet)" : count + quiet
    case .polybar: return status.isUnseen ? "%{F#ff5555}\(dot)%{F-} \(count)\(quiet)" : count + quiet
    case .template(let pieces):
      var line = ""
      func add(_ value: String) {
        // Characters that could separate special characters are removed first.
        let value = SafeOutput.line(value)
        if let bar { bar.append(value, to: &line) } else { line += value }
      }
      for piece in pieces {
        switch piece {
        case .text(let text): line += text
        case .list(let name): add(report.unread(inList: name).map { "\($0)" } ?? "")
        case .value(.dot): add(status.isUnseen ? dot : "")
        case .value(.unread): add("\(status.unread)")
        case .value(.starred): add("\(report.starred)")
        case .value(.total): add("\(report.total)")
        case .value(.title): add(report.newest.first?.title ?? "")
        case .value(.source): add(report.newest.first?.source ?? "")
        case .value(.quiet): add(status.quiet?.text ?? "")
        case .value(.waiting): add("\(status.waiting)")
        }
      }
      line = SafeOutput.line(line)
      return bar?.line(line) ?? line
    }
  }
}

/// The data about the inbox that a line contains.
struct InboxReport: Hashable, Sendable {
  struct Title: Hashable, Sendable {
    var title: String
    var source: String

    init(title: String, source: String) {
      self.title = title
      self.source = source
    }
  }

  var status: InboxStatus
  var starred: Int
  var total: Int
  /// The newest unread messages, at most `mostTitles`.
  var newest: [Title]

  /// The saved lists with a valid query.
  var lists: [ListCount]

  struct ListCount: Hashable, Sendable {
    var name: String
    var unread: Int

    init(name: String, unread: Int) {
      self.name = name
      self.unread = unread
    }
  }

  static let mostTitles = 5

  init(
    status: InboxStatus, starred: Int = 0, total: Int = 0, newest: [Title] = [], lists: [ListCount] = []
  ) {
    (self.status, self.starred, self.total, self.newest) = (status, starred, total, newest)
    self.lists = lists
  }

  /// Returns the number of unread messages, or `nil` if there is no such list.
  func unread(inList name: String) -> Int? {
    let found = lists.first { $0.name == name } ?? lists.first { $0.name.lowercased() == name.lowercased() }
    return found?.unread
  }

  var json: JSONValue {
    let titles = newest.map { message in
      JSONValue.object(
        JSONObject(pairs: [("source", .string(message.source)), ("title", .string(message.title))]))
    }
    return .object(
      JSONObject(
        pairs: [
          ("unseen", .bool(status.isUnseen)), ("unread", .number(String(status.unread))),
          ("starred", .number(String(starred))), ("waiting", .number(String(status.waiting))),
          ("total", .number(String(total))),
          ("newest", .array(titles)),
          (
            "lists",
            .array(
              lists.map { list in
                .object(
                  JSONObject(pairs: [("name", .string(list.name)), ("unread", .number(String(list.unread)))]))
              })
          ),
        ] + QuietTime.json(status.quiet)))
  }
}

extension Profile {
  func report() throws -> InboxReport {
    let now = environment.now()
    try store.time.catchUp(to: now)
    let snapshot = try store.lists.snapshot(
      InboxQuery(isUnreadOnly: true), InboxWindow(after: InboxReport.mostTitles))
    let names = Dictionary(sources.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return InboxReport(
      status: InboxStatus(
        unread: snapshot.unread, isUnseen: snapshot.isUnseen, quiet: try quietTime(),
        waiting: snapshot.waiting),
      starred: snapshot.starred,
      total: snapshot.total,
      newest: snapshot.rows.prefix(InboxReport.mostTitles).map {
        InboxReport.Title(title: $0.title, source: names[$0.source] ?? "")
      },
      lists: try settings.lists.compactMap { list in
        guard let query = list.query?.text else { return nil }
        let known = snapshot.lists.first { $0.list.name == list.name && $0.list.query == query }
        return InboxReport.ListCount(name: list.name, unread: try known?.unread ?? count(query))
      })
  }

  /// Returns the number of unread messages of a saved list, for a list that neither the inbox nor a poll has
  /// counted yet.
  private func count(_ query: String) throws(StoreFailure) -> Int {
    var list = InboxQuery(isUnreadOnly: true, search: query)
    list.isStrict = true
    return try store.lists.keys(list, limit: .max).count
  }
}
