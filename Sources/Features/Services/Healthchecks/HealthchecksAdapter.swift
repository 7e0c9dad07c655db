import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads the checks of a project of Healthchecks (management API v3, healthchecks.io/docs/api).
///
/// The API lists no events. So a check's status is compared with that of the last poll, and the time of a change is
/// requested only for a check that has changed. No request is sent to a ping address, because a GET request counts as a
/// ping.
struct HealthchecksAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Healthchecks", address: "https://healthchecks.io", scheme: .header("X-Api-Key"),
    addressHelp:
      "https://healthchecks.io or the address of your server; ?tag=a names the checks that have that tag",
    tokenHelp: "an API key of the project, from its settings; the read-only key is enough")

  let transport: any HTTPTransport

  /// Reads all checks, and returns messages for those that are late or down.
  func part(
    _ request: ServiceRequest<CheckStatuses>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<CheckStatuses> {
    let answer = try await client.get(client.address("/api/v3/checks/", filtered: true))
    guard let list = CheckList(try answer.json()) else {
      throw ServiceFailure(malformed: "no list of checks")
    }
    let last = request.cursor
    let isComplete = list.isComplete && !answer.isPartial
    var part = ServicePart(CheckStatuses())
    var found = list.found
    var open: Set<RemoteID> = []
    var flips = Flips(client: client)
    for var check in list.checks where check.status.isTrouble {
      open.insert(check.remoteID)
      let known = last[check.id]
      // After a ping, the check may have been up in the meantime. An older ping belongs to a delayed response.
      if let known, known.status == check.status, !check.isPinged(since: known.lastPing) {
        check.lastPing = known.lastPing
        check.since = known.since
        check.occasion = known.occasion
      } else {
        check.occasion = check.lastPing
      }
      if check.since == nil {
        check.since = check.status == .grace ? check.lastPing : await flips.last(of: check)
      }
      part.cursor[check.id] = CheckStatuses.Entry(check)
      found.append(check.message(base: client.base))
    }
    // Nothing is known about the checks that could not be read.
    for id in isComplete ? list.unreadable : last.ids where part.cursor[id] == nil {
      part.cursor[id] = last[id]
    }
    part.messages = found.messages
    part.problems = found.problems + (answer.isPartial ? [ServiceAnswer.partialProblem] : [])
    part.hints = flips.hints
    var upstream = UpstreamState()
    upstream.open = open
    upstream.unreadable = Set(
      list.unreadable.flatMap { id in Check.Status.allCases.map { Check.remoteID(id, $0) } })
    upstream.isComplete = isComplete
    upstream.absence = .resolved
    part.upstream = upstream
    return part
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    guard let list = (try? JSONReader.parse(bytes)).flatMap(CheckList.init) else { return nil }
    var found = list.found
    for check in list.checks where check.status.isTrouble { found.append(check.message(base: client.base)) }
    return found
  }
}

/// Requests the times at which checks went down (their flips). If this fails, an outage is still reported, with the
/// time of the last ping.
private struct Flips {
  let client: ServiceClient
  /// The hints of a response that requests to wait.
  private(set) var hints = PollHints()
  /// The number of requests that this poll may still send.
  private var left = Limits.flipsPerPoll

  init(client: ServiceClient) { self.client = client }

  /// Returns the time at which a check went down or, if the server doesn't report it, the time of its last ping.
  /// Returns `nil` if the next poll should request the time again.
  mutating func last(of check: Check) async -> Date? {
    guard let asked = check.askedBy else { return check.lastPing }
    guard left > 0 else { return nil }
    left -= 1
    do throws(ServiceFailure) {
      let answer = try await client.get(
        client.address("/api/v3/checks/\(ServiceClient.encoded(asked))/flips/"))
      let json = try answer.json()
      // The documentation shows an array; the server sends an object.
      for flip in json.elements ?? json.object?["flips"]?.elements ?? [] {
        guard let object = flip.object, object["up"]?.integer == 0 else { continue }
        return object["timestamp"]?.text.flatMap(ISOInstant.parse) ?? check.lastPing
      }
    } catch {
      if error.mayPass, error.status != 403 {
        left = 0
        hints = error.hints
        return nil
      }
      // The check was just deleted, the server is older than this address, or the key has no permission.
    }
    return check.lastPing
  }
}

/// The statuses of the last poll. They are stored because the time since which a check is down is requested only once.
struct CheckStatuses: ServiceCursor {
  /// A check that was late or down at the last poll.
  struct Entry: Equatable {
    var status: Check.Status
    /// The time since which the check has this status; `nil` if it was not requested yet.
    var since: Date?
    var lastPing: Date?
    var occasion: Date?

    init(_ check: Check) {
      status = check.status
      since = check.since
      occasion = check.occasion
      lastPing = check.lastPing
    }
  }

  private var entries: [String: Entry] = [:]

  init() {}

  var ids: Set<String> { Set(entries.keys) }

  subscript(id: String) -> Entry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }

  init(from decoder: any Decoder) throws {
    entries = try decoder.singleValueContainer().decode([String: Entry].self)
  }

  /// Encodes the checks that are late or down; no others are stored.
  func encode(to encoder: any Encoder) throws {
    let kept = entries.sorted { $0.key < $1.key }.prefix(Limits.rememberedChecks).map { ($0.key, $0.value) }
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(uniqueKeysWithValues: kept))
  }
}

/// An entry is encoded as a list: status, time of the change, last ping, occasion. The times are in seconds since 1970
/// or null. Earlier versions had no occasion and used the time of the change.
extension CheckStatuses.Entry: Codable {
  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    status = try list.decode(Check.Status.self)
    since = try list.decode(Double?.self).map(Date.init(timeIntervalSince1970:))
    lastPing = try list.decode(Double?.self).map(Date.init(timeIntervalSince1970:))
    occasion = list.isAtEnd ? since : try list.decode(Double?.self).map(Date.init(timeIntervalSince1970:))
  }

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(status)
    try list.encode(since?.timeIntervalSince1970)
    try list.encode(lastPing?.timeIntervalSince1970)
    try list.encode(occasion?.timeIntervalSince1970)
  }
}
