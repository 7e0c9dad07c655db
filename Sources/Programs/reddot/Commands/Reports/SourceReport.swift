import Basics
import Formats
import Foundation
import HTTP
import Messages
import Notifications
import Platform
import Polling
import Profile
import Screen
import Settings
import Storage
import Words

/// A source in the output of `reddot sources`.
struct ListedSource {
  var status: SourceStatus
  /// The number of entries that the last poll left out.
  var leftOut: Int
  /// The reason why other programs' notifications cannot be stored, or `nil` if they can.
  var desktopProblem: String?

  private var name: String { status.source.name }

  static func columns(_ environment: Environment, _ words: Words) -> [Column<ListedSource>] {
    [
      Column(
        gap: 1, style: Style(roles: .dot),
        text: { $0.status.isUnseen ? (environment.isUTF8 ? "●" : "*") : " " }),
      Column(
        "name", filling: .always,
        styled: { row in
          StyledText(SafeText(untrusted: row.name), style: row.status.isUnseen ? .bold : .plain)
        },
        json: {
          .string($0.name)
        }),
      // A control file has no messages: counts of 0 would look like an empty inbox.
      Column(
        filling: .inFront,
        styled: { row in
          let status = row.status
          guard status.source.kind != .banners else { return .empty }
          return StyledText("\(status.unread)", style: status.unread > 0 ? .bold : .plain)
            + StyledText("/\(status.total)", style: Style(roles: .dim))
        }),
      Column(
        "kind", filling: .onTerminal, style: Style(roles: .accent),
        text: {
          $0.status.source.kind.rawValue
        },
        json: {
          .string($0.status.source.kind.rawValue)
        }),
      Column(styled: { $0.lastPoll(environment, words) }),
      Column(
        style: Style(roles: .warning),
        text: { row in
          guard row.leftOut > 0 else { return "" }
          let entries = row.leftOut == 1 ? "1 entry" : "\(row.leftOut) entries"
          return "\(entries) left out (reddot why \(ShellWord.quoted(SafeOutput.line(row.name))))"
        }),
      Column(
        style: Style(roles: .warning),
        text: {
          $0.status.source.settings.verifiesCertificates ? "" : Profile.notVerified
        }),
      Column(
        "url",
        json: {
          $0.status.source.address.isEmpty ? .null : .string($0.status.source.shownAddress)
        }),
      Column("verify", json: { .bool($0.status.source.settings.verifiesCertificates) }),
      Column("folder", json: { MessageJSON.text($0.status.source.folder?.path) }),
      Column("title", json: { .string($0.status.title ?? words.title(of: $0.status).text) }),
      Column("unread", json: { .integer($0.status.unread) }),
      Column("total", json: { .integer($0.status.total) }),
      Column("unseen", json: { .bool($0.status.isUnseen) }),
      Column("badge", json: { $0.status.badge.map(JSONValue.integer) ?? .null }),
      Column("last_attempt", json: { MessageJSON.date($0.status.state.lastAttemptEnd) }),
      Column("last_success", json: { MessageJSON.date($0.status.state.lastSuccess) }),
      Column("failures", json: { .integer($0.status.state.failures) }),
      Column(
        "last_failure",
        json: { MessageJSON.text($0.status.state.lastFailure.map { words.sentence($0).text }) }),
      Column("left_out", json: { .integer($0.leftOut) }),
    ]
  }

  /// Returns the result of the last poll: its failure, or its time.
  private func lastPoll(_ environment: Environment, _ words: Words) -> StyledText {
    if let failure = status.state.lastFailure {
      return StyledText(words.brief(failure), style: Style(roles: .error))
    }
    if let end = status.state.lastAttemptEnd {
      return StyledText("polled \(untrusted: environment.wallTime(end))", style: Style(roles: .dim))
    }
    return StyledText(SafeText(untrusted: desktopProblem ?? ""), style: Style(roles: .warning))
  }
}

extension Profile {
  /// Returns a report of all sources: dot, name, unread messages, kind, and the result of the last poll.
  func sourceReport() throws -> Report<ListedSource> {
    try store.time.catchUp(to: environment.now())
    let rows = try statuses().map { status in
      ListedSource(
        status: status, leftOut: try lastProblems(of: status.source).leftOut,
        desktopProblem: status.source.kind == .desktop ? desktopProblem : nil)
    }
    return Report(rows, ListedSource.columns(environment, words))
  }

  static let notVerified = "certificates are not verified (verify = false)"
}
