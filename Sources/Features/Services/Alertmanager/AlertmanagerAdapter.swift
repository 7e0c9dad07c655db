import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads the firing alerts of a Prometheus Alertmanager (API v2 of version 0.16 and later, api/v2/openapi.yaml).
///
/// The response contains all alerts, so a missing alert is resolved. A silenced or inhibited alert isn't resolved: such
/// alerts are requested too, and left out by `AlertList`.
struct AlertmanagerAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Alertmanager", scheme: .bearer, needsToken: false,
    addressHelp: "the address of your Alertmanager; its query can have filters, such as ?filter=team=\"web\"",
    tokenHelp:
      "Alertmanager itself needs no token; a proxy in front of it may need one, or a name and a password",
    writableMarks: [.snooze])

  let transport: any HTTPTransport

  /// Reads all alerts. Missing alerts are reported as resolved only if the server has run long enough to know all
  /// alerts.
  func part(
    _ request: ServiceRequest<KnownAlerts>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<KnownAlerts> {
    let wish = AlertFilters(client.filters)
    let answer = try await client.get(client.address("/api/v2/alerts", wish.query))
    let list = AlertList(try answer.list(), includesSuppressed: wish.includesSuppressed)
    var part = ServicePart(request.cursor)
    part.messages = list.found.messages
    part.problems = list.found.problems
    let isPartial = answer.isPartial
    if isPartial { part.problems.append(ServiceAnswer.partialProblem) }
    var isKnown = list.isComplete && !isPartial
    if isKnown, !request.cursor.areIn(list.open) {
      isKnown = try await hasRunLongEnough(client, &part.problems)
    }
    var upstream = UpstreamState()
    // The silence of a snoozed alert was removed, or ended.
    let ended = request.cursor.silenced.intersection(list.open).subtracting(list.silenced)
    upstream.marks = ended.sorted().map {
      UpstreamState.Mark(RemoteID($0), UpstreamMarks(isSnoozed: false))
    }
    // All alerts stay open until it is known which are resolved.
    part.cursor.replace(with: list, isWhole: isKnown)
    upstream.open = Set(list.open.map { RemoteID($0) })
    upstream.isComplete = isKnown
    upstream.absence = .resolved
    part.upstream = upstream
    part.cursor.limit()
    return part
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    (try? ServiceAnswer(of: bytes).list()).map { AlertList($0, includesSuppressed: true).found }
  }

  /// Whether the server has run long enough: after a start the list is empty until Prometheus has sent its alerts
  /// again.
  private func hasRunLongEnough(
    _ client: ServiceClient, _ problems: inout [FormatProblem]
  ) async throws(ServiceFailure) -> Bool {
    do throws(ServiceFailure) {
      let answer = try await client.get(client.address("/api/v2/status"))
      guard let start = try answer.json().object?["uptime"]?.text.flatMap(ISOInstant.parse) else {
        problems.append(
          FormatProblem(
            at: "$.uptime",
            message: "is missing in the response of /api/v2/status, so alerts are not marked as resolved"))
        return false
      }
      // The server's clock may differ from this machine's.
      let now = answer.response.serverDate(now: client.context.now) ?? client.context.now
      return now.timeIntervalSince(start) >= Limits.alertmanagerStart
    } catch {
      // A proxy may forward only requests for the list.
      guard error.isUnknownAddress else { throw error }
      problems.append(
        FormatProblem(
          at: "", message: "the server lacks /api/v2/status, so alerts are not marked as resolved"))
      return false
    }
  }

  /// Creates, changes or ends the silence of a snoozed alert; other changes have no effect at the server.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    if case .snoozed(let until) = act.mark, let labels = act.handle.flatMap(AlertLabels.init) {
      try await Silences(client).set(labels, until: until.flatMap { $0 > client.context.now ? $0 : nil })
    }
    return .done
  }
}

/// The user's own filters, from the query of the source's URL.
private struct AlertFilters {
  let query: [(String, String)]
  /// Whether silenced or inhibited alerts also become messages.
  let includesSuppressed: Bool

  /// Reads the items of the query. reddot applies `silenced` and `inhibited` itself; the server applies the others.
  init(_ items: [URLQueryItem]) {
    var query: [(String, String)] = []
    var includesSuppressed = false
    for item in items {
      let value = item.value?.removingPercentEncoding ?? item.value ?? ""
      // These are left out here instead of by the server.
      if ["silenced", "inhibited"].contains(item.name) {
        includesSuppressed = includesSuppressed || value == "true"
      } else {
        query.append((item.name.removingPercentEncoding ?? item.name, value))
      }
    }
    self.query = query
    self.includesSuppressed = includesSuppressed
  }
}

/// The fingerprints of the alerts known from earlier polls. Only if one of them is missing, a poll must find out
/// whether the alert is resolved.
struct KnownAlerts: ServiceCursor {
  /// The fingerprints, or `nil` if there are too many.
  private var fingerprints: Set<String>? = []
  /// The fingerprints of the known alerts that were silenced.
  private(set) var silenced: Set<String> = []

  init() {}

  /// Reads the form of earlier versions: fingerprints separated by spaces, with a `!` after that of a silenced alert,
  /// or `*` for too many.
  init?(earlier text: String) {
    if text == "*" {
      fingerprints = nil
    } else {
      let words = text.split(onBytes: " ")
      fingerprints = Set(words.map { String($0.last == "!" ? $0.dropLast() : $0) })
      silenced = Set(words.filter { $0.last == "!" }.map { String($0.dropLast()) })
    }
  }

  private enum CodingKeys: CodingKey { case fingerprints, silenced }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fingerprints = try container.decode([String]?.self, forKey: .fingerprints).map(Set.init)
    silenced = Set(try container.decode([String].self, forKey: .silenced))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fingerprints?.sorted(), forKey: .fingerprints)
    try container.encode(silenced.sorted(), forKey: .silenced)
  }

  /// Whether all known alerts are still open.
  func areIn(_ open: Set<String>) -> Bool { fingerprints?.isSubset(of: open) ?? false }

  /// Replaces the known alerts with those of a list or, if the list isn't whole, adds those of the list.
  mutating func replace(with list: AlertList, isWhole: Bool) {
    if isWhole { fingerprints = list.open } else { fingerprints?.formUnion(list.open) }
    silenced = list.silenced
  }

  /// Removes the fingerprints if there are more than `Limits.knownAlerts`.
  mutating func limit() {
    if fingerprints?.count ?? 0 > Limits.knownAlerts { (fingerprints, silenced) = (nil, []) }
  }
}
