import Basics
import Formats
import Foundation
import HTTP
import Messages

/// What fires at a Prometheus Alertmanager (API v2 of version 0.16 and later, api/v2/openapi.yaml).
///
/// The answer is the whole state; what isn't in it has been resolved. An alert that somebody silenced, or that another one
/// inhibits, isn't resolved: so all are asked for, and those are left out here.
struct AlertmanagerAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Alertmanager", scheme: .bearer, needsToken: false,
    addressHelp: "the address of your Alertmanager; its query can have filters, such as ?filter=team=\"web\"",
    tokenHelp: "Alertmanager has none of its own; a proxy before it may want one, or a name and a password",
    carries: [.snooze])

  let transport: any HTTPTransport

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
    // Somebody ended the silence of a snoozed alert, or it was over.
    let ended = request.cursor.silenced.intersection(list.open).subtracting(list.silenced)
    upstream.marks = ended.sorted().map {
      UpstreamState.Mark(RemoteID($0), UpstreamMarks(isSnoozed: false))
    }
    // Until it is known which alerts are resolved, all of them stay open.
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

  /// After a start the list is empty until Prometheus has sent its alerts again.
  private func hasRunLongEnough(
    _ client: ServiceClient, _ problems: inout [FormatProblem]
  ) async throws(ServiceFailure) -> Bool {
    do throws(ServiceFailure) {
      let answer = try await client.get(client.address("/api/v2/status"))
      guard let start = try answer.json().object?["uptime"]?.text.flatMap(ISOInstant.parse) else {
        problems.append(
          FormatProblem(
            at: "$.uptime",
            message: "is missing in the answer of /api/v2/status, so alerts are not marked as resolved"))
        return false
      }
      // By the server's own clock, which need not be ours.
      let now = answer.response.serverDate(now: client.context.now) ?? client.context.now
      return now.timeIntervalSince(start) >= Limits.alertmanagerStart
    } catch {
      // A proxy may let only the list through.
      guard error.isUnknownAddress else { throw error }
      problems.append(
        FormatProblem(
          at: "", message: "the server lacks /api/v2/status, so alerts are not marked as resolved"))
      return false
    }
  }

  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    if case .snoozed(let until) = act.mark, let labels = act.handle.flatMap(AlertLabels.init) {
      try await Silences(client).set(labels, until: until.flatMap { $0 > client.context.now ? $0 : nil })
    }
    return .done
  }
}

/// The person's own filters, from the query of the source's address.
private struct AlertFilters {
  let query: [(String, String)]
  /// Whether alerts that are silenced or inhibited are messages too.
  let includesSuppressed: Bool

  init(_ items: [URLQueryItem]) {
    var query: [(String, String)] = []
    var includesSuppressed = false
    for item in items {
      let value = item.value?.removingPercentEncoding ?? item.value ?? ""
      // Left out here, not by the server.
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

/// The fingerprints that the last polls knew: only if one of them is missing, somebody has to find out whether it is
/// resolved.
struct KnownAlerts: ServiceCursor {
  /// nil: too many.
  private var fingerprints: Set<String>? = []
  /// Those of them that were silenced.
  private(set) var silenced: Set<String> = []

  init() {}

  /// Earlier versions separated them by spaces, with a `!` after a silenced one, or wrote a `*` for too many.
  init?(earlier text: String) {
    if text == "*" {
      fingerprints = nil
    } else {
      let words = text.split(exactly: " ")
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

  /// Whether none of them is missing.
  func areIn(_ open: Set<String>) -> Bool { fingerprints?.isSubset(of: open) ?? false }

  mutating func replace(with list: AlertList, isWhole: Bool) {
    if isWhole { fingerprints = list.open } else { fingerprints?.formUnion(list.open) }
    silenced = list.silenced
  }

  mutating func limit() {
    if fingerprints?.count ?? 0 > Limits.knownAlerts { (fingerprints, silenced) = (nil, []) }
  }
}
