import Basics
import Formats
import Foundation
import HTTP
import Messages

/// The silences that reddot created at an Alertmanager: one for each snoozed alert, which matches all labels of the
/// alert.
struct Silences {
  private let client: ServiceClient

  init(_ client: ServiceClient) { self.client = client }

  /// Silences an alert until a time, even if it is already silenced, or ends its silence if the time is `nil`.
  func set(_ labels: AlertLabels, until end: Date?) async throws(ServiceFailure) {
    let id = try await find(labels)
    guard let end else {
      guard let id else { return }
      do throws(ServiceFailure) {
        _ = try await client.send(.delete, client.address("/api/v2/silence/\(ServiceClient.encoded(id))"))
      } catch {
        // The silence was listed a moment ago, so another client has ended it.
        if error.status != 404 { throw error }
      }
      return
    }
    var members: [JSONObject.Member] = [
      .init(key: "matchers", value: labels.matchers),
      .init(key: "startsAt", value: .string(ISOInstant.text(client.context.now))),
      .init(key: "endsAt", value: .string(ISOInstant.text(end))),
      .init(key: "createdBy", value: .string(Self.author)),
      .init(key: "comment", value: .string("snoozed")),
    ]
    // With an id it is an update; otherwise each new time would add another silence.
    if let id { members.append(.init(key: "id", value: .string(id))) }
    _ = try await client.send(
      .post, client.address("/api/v2/silences"), json: .object(JSONObject(members)))
  }

  /// Returns the id of our unexpired silence for exactly these labels, or `nil` if there is none. The list is searched
  /// because the id from the silence's creation is not stored.
  private func find(_ labels: AlertLabels) async throws(ServiceFailure) -> String? {
    let filters = labels.pairs["alertname"].map { [("filter", "alertname=" + Self.quoted($0))] } ?? []
    let answer = try await client.get(client.address("/api/v2/silences", filters))
    for silence in try answer.json().elements ?? [] {
      guard let object = silence.object, object["createdBy"]?.text == Self.author,
        object["status"]?.object?["state"]?.text != "expired",
        labels.isMatched(by: object["matchers"]?.elements ?? [])
      else { continue }
      return object["id"]?.text
    }
    return nil
  }

  private static let author = "reddot"

  /// Returns the value of a matcher as a quoted string, with the escapes of Go.
  private static func quoted(_ value: String) -> String {
    "\""
      + value.replacingBytes("\\", with: "\\\\").replacingBytes("\"", with: "\\\"").replacingBytes(
        "\n", with: "\\n")
      + "\""
  }
}
