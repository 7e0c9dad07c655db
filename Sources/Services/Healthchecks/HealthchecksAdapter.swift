import Dates
import Formats
import Foundation
import Limits
import Messages
import Transport

/// The checks of a project of Healthchecks (management API v3, healthchecks.io/docs/api).
///
/// There are no events: a check's status is compared with the last one, and only for one that has changed it is asked when.
/// A ping address is never sent to: a GET of it is a ping.
struct HealthchecksAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Healthchecks", address: "https://healthchecks.io", scheme: .header("X-Api-Key"),
    addressHelp:
      "https://healthchecks.io or the address of your server; ?tag=a names the checks that have that tag",
    tokenHelp: "an API key of the project, from its settings; the read-only key is enough")

  let transport: any HTTPTransport

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let client = ServiceClient(transport, source, context)
    do throws(ServiceFailure) {
      let answer = try await client.get(client.address("/api/v3/checks/", filtered: true))
      guard let list = CheckList(try answer.json()) else {
        throw ServiceFailure(failure: .malformed(line: nil, reason: "no list of checks"))
      }
      let last = CheckStatuses(position.cursor)
      var current = CheckStatuses()
      var found = list.found
      // While it isn't known what is up again, nothing is.
      var open = list.isComplete ? [] : last.open
      var hints = PollHints()
      var left = Limits.flipsPerPoll
      for var check in list.checks where check.status.isTrouble {
        open.insert(check.remoteID)
        let known = last[check.id]
        // A ping while it was down: it may have been up meanwhile.
        if let known, known.status == check.status, known.lastPing == check.lastPing {
          check.since = known.since
        } else if check.status == .grace {
          check.since = check.lastPing
        } else if left > 0 {
          left -= 1
          do throws(ServiceFailure) {
            check.since = try await lastFlip(of: check, client) ?? check.lastPing
          } catch {
            // What was asked for is kept, or so many changes would never all be known.
            guard error.status == 429, left < Limits.flipsPerPoll - 1 else { throw error }
            hints = error.hints
            left = 0
          }
        }
        guard left > 0 || check.since != nil else {
          // The next poll asks for the rest.
          current[check.id] = known
          continue
        }
        current[check.id] = CheckStatuses.Entry(check)
        found.append(check.message(base: client.base))
      }
      var content = PollContent(messages: found.messages, problems: found.problems)
      var upstream = UpstreamState()
      upstream.open = open
      upstream.absence = .resolved
      content.upstream = upstream
      content.position = PollPosition(cursor: current.cursor)
      return .content(content, hints)
    } catch {
      return error.outcome
    }
  }

  static func messages(of bytes: Data, source: Source, context: PollContext) -> ServiceMessages? {
    guard let list = (try? JSONReader.parse(bytes)).flatMap(CheckList.init) else { return nil }
    var found = list.found
    for check in list.checks where check.status.isTrouble {
      found.append(check.message(base: source.address))
    }
    return found
  }

  /// When it went down; nil if the server doesn't know.
  private func lastFlip(of check: Check, _ client: ServiceClient) async throws(ServiceFailure) -> Date? {
    do throws(ServiceFailure) {
      let answer = try await client.get(
        client.address("/api/v3/checks/\(ServiceClient.encoded(check.id))/flips/"))
      let json = try answer.json()
      // The documentation shows a bare array, the server sends an object.
      for flip in json.elements ?? json.object?["flips"]?.elements ?? [] {
        guard let object = flip.object, object["up"]?.integer == 0 else { continue }
        return object["timestamp"]?.text.flatMap(ISOInstant.parse)
      }
    } catch {
      // The check was deleted just now.
      guard error.isUnknownAddress else { throw error }
    }
    return nil
  }

  func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult {
    // It has no marks.
    var result = CarryResult()
    result.carried = Set(acts.map(\.id))
    return result
  }
}

/// The last statuses, as the cursor: since when a check is down is asked only once.
struct CheckStatuses {
  struct Entry {
    var status: Check.Status
    var since: Date?
    var lastPing: Date?

    init(_ check: Check) {
      status = check.status
      since = check.since
      lastPing = check.lastPing
    }

    init?(_ value: JSONValue) {
      guard let parts = value.elements, parts.count == 3,
        let status = parts[0].text.flatMap(Check.Status.init)
      else { return nil }
      self.status = status
      since = parts[1].double.map { Date(timeIntervalSince1970: $0) }
      lastPing = parts[2].double.map { Date(timeIntervalSince1970: $0) }
    }

    var json: JSONValue {
      .array(
        [.string(status.rawValue)]
          + [since, lastPing].map { $0.map { .double($0.timeIntervalSince1970) } ?? .null })
    }
  }

  private var entries: [String: Entry] = [:]

  init() {}

  init(_ cursor: Cursor?) {
    let members = (cursor.flatMap { try? JSONReader.parse($0.text) })?.object?.members ?? []
    for member in members { entries[member.key] = Entry(member.value) }
  }

  /// The ids of their messages.
  var open: Set<RemoteID> {
    Set(entries.map { Check.remoteID($0.key, $0.value.status) })
  }

  subscript(id: String) -> Entry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }

  /// Only troubles: all others need no memory.
  var cursor: Cursor {
    let members = entries.sorted { $0.key < $1.key }.prefix(Limits.rememberedChecks).map { id, entry in
      JSONObject.Member(key: id, value: entry.json)
    }
    return Cursor(JSONValue.object(JSONObject(members)).serialized())
  }
}
