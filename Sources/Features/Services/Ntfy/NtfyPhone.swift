import Basics
import Formats
package import Foundation
package import HTTP
package import Messages

/// A message for the users of a topic (docs.ntfy.sh/publish).
package struct NtfyPublication: Hashable, Sendable {
  /// A button that sends a request when it is pressed.
  package struct Button: Hashable, Sendable {
    package var label: String
    /// The topic that the text is published to.
    package var topic: String
    package var text: String

    package init(label: String, topic: String, text: String) {
      (self.label, self.topic, self.text) = (label, topic, text)
    }
  }

  /// The id of the sequence: 1 to 64 letters, digits, `-` and `_`. From ntfy 2.16 on, a message replaces the earlier
  /// message of its sequence.
  package var sequence: String
  package var title = ""
  package var message: String
  package var priority = Priority.normal
  /// The URL that opens when the user taps the message, or `nil` for none.
  package var click: String?
  /// The buttons, at most three.
  package var buttons: [Button] = []

  package init(sequence: String, message: String) { (self.sequence, self.message) = (sequence, message) }
}

/// The reason why a message could not be sent to a topic, or a topic could not be read.
package struct NtfyFailure: Error, Hashable, Sendable {
  package var failure: FetchFailure
  /// The time before which the server wants no requests, if it sent one.
  package var retryAfter: Date?
  /// Whether the message may have arrived, since the server was connected but sent no response.
  package var mayHaveArrived = false

  package init(failure: FetchFailure, retryAfter: Date? = nil) {
    (self.failure, self.retryAfter) = (failure, retryAfter)
  }
}

/// A topic of an ntfy server that a phone subscribes to. Messages are published, replaced and deleted. The messages
/// that buttons send are read from another topic of the same server.
package struct NtfyPhone: Sendable {
  private let client: ServiceClient
  private let place: NtfyPlace
  private let topic: String

  /// - Parameters:
  ///   - topic: a source with the URL, the certificates and the limits of the topic.
  ///   - context: a context with the credential.
  package init?(_ topic: Source, transport: any HTTPTransport, _ context: PollContext) {
    client = ServiceClient(transport, topic, context)
    guard let place = NtfyPlace(client.base), let name = Self.topic(of: client.base) else { return nil }
    (self.place, self.topic) = (place, name)
  }

  /// Returns the name of the topic at a URL, or `nil` if the URL is not that of one topic.
  package static func topic(of url: String) -> String? {
    guard let place = NtfyPlace(ServiceClient.base(of: url)) else { return nil }
    let name = String(place.page.dropFirst(place.server.utf8.count + 1))
    return NtfyPlace.isName(name) && place.list == "/\(name)/json" ? name : nil
  }

  /// Whether the argument is a valid name of a topic.
  package static func isTopic(_ name: String) -> Bool { NtfyPlace.isName(name) }

  /// The header with which a token is sent to ntfy.
  package static var scheme: Credential.Scheme { NtfyAdapter.facts.scheme }

  // MARK: - The phone's topic

  /// Publishes a message.
  ///
  /// - Returns: whether the server supports sequences.
  package func publish(_ message: NtfyPublication) async throws(NtfyFailure) -> Bool {
    let answer = try await sending { () async throws(ServiceFailure) in
      try await client.send(.post, place.server + "/", json: json(message))
    }
    return (try? answer.json())?.object?["sequence_id"]?.text == message.sequence
  }

  private func json(_ message: NtfyPublication) -> JSONValue {
    var object = JSONObject()
    object["topic"] = .string(topic)
    object["sequence_id"] = .string(message.sequence)
    if !message.title.isEmpty { object["title"] = .string(message.title) }
    object["message"] = .string(message.message)
    if message.priority != .normal { object["priority"] = .integer(message.priority.rawValue) }
    if let click = message.click { object["click"] = .string(click) }
    if !message.buttons.isEmpty { object["actions"] = .array(message.buttons.map(json)) }
    return .object(object)
  }

  /// Returns a button as JSON. With the header `Firebase`, the server does not wake phones for the message that the
  /// button sends, because only this program reads it.
  private func json(_ button: NtfyPublication.Button) -> JSONValue {
    .object(
      JSONObject([
        .init(key: "action", value: .string("http")), .init(key: "label", value: .string(button.label)),
        .init(key: "url", value: .string(UserInfo.removed(from: place.server) + "/" + button.topic)),
        .init(key: "method", value: .string("POST")), .init(key: "body", value: .string(button.text)),
        .init(key: "headers", value: .object(JSONObject([.init(key: "Firebase", value: .string("no"))]))),
        .init(key: "clear", value: .bool(true)),
      ]))
  }

  /// Deletes the message of a sequence.
  ///
  /// - Returns: `false` if the server does not support this.
  package func delete(_ sequence: String) async throws(NtfyFailure) -> Bool {
    do throws(ServiceFailure) {
      _ = try await client.send(.delete, place.server + "/\(topic)/\(sequence)")
      return true
    } catch {
      // Only an error in ntfy's own form counts, since the page of a proxy would not show what the server supports.
      if error.status == 404 || error.status == 405, error.object?["code"] != nil { return false }
      throw NtfyFailure(error)
    }
  }

  /// Returns the server's version, or `nil` if it is unknown. Servers since ntfy 2.17 send it to administrators.
  package func version() async -> String? {
    guard let answer = try? await client.get(place.server + "/v1/version"),
      let version = (try? answer.json())?.object?["version"]?.text
    else { return nil }
    return ServiceText.oneLine(String(version.prefix(Limits.ntfyVersionCharacters)))
  }

  // MARK: - The buttons' topic

  /// Returns the messages of a topic that arrived after a cursor, in order, and the cursor after them.
  package func messages(
    of topic: String, after cursor: String?
  ) async throws(NtfyFailure) -> (messages: [String], cursor: String) {
    let before = NtfyCursor(stored: cursor.map { Cursor($0) })
    let answer = try await sending { () async throws(ServiceFailure) in
      try await client.get(
        client.address("/\(topic)/json", [("poll", "1"), ("since", before.since)], of: place.server),
        accept: "application/x-ndjson")
    }
    var after = before
    var log = NtfyLog(answer.response.body)
    guard log.isReadable else {
      throw NtfyFailure(failure: .malformed(line: 1, reason: "this is not a list of ntfy's messages"))
    }
    after.add(log.events, at: answer.response.serverDate(now: client.context.now))
    log.removeEvents { before.knows($0) }
    let texts = log.events.filter { $0.kind == .message }.map { event in
      event.fields.value("message")?.text ?? ""
    }
    return (texts, after.stored?.text ?? "")
  }

  /// Returns the request for a connection on which the server reports each message of a topic.
  package func stream(_ topic: String) -> StreamRequest {
    StreamRequest(
      client.request(
        .get, client.address("/\(topic)/json", [("since", "none")], of: place.server),
        [HeaderField("Accept", "application/x-ndjson")]), .lines, isNews: NtfyAdapter.isNews)
  }

  /// Runs a request, and converts its failure to an `NtfyFailure`.
  private func sending(
    _ body: () async throws(ServiceFailure) -> ServiceAnswer
  ) async throws(NtfyFailure) -> ServiceAnswer {
    do throws(ServiceFailure) { return try await body() } catch { throw NtfyFailure(error) }
  }
}

extension NtfyFailure {
  fileprivate init(_ failure: ServiceFailure) {
    self.init(
      failure: failure.failure, retryAfter: failure.hints.retryAfter ?? failure.hints.heldBack?.until)
    switch failure.failure {
    case .timedOut(.waiting, _), .timedOut(.reading, _), .cutOff, .malformed, .cancelled, .tooLarge:
      mayHaveArrived = failure.status == nil
    case _: break
    }
  }
}
