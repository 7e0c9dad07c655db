import Basics
import Formats
import Foundation
import HTTP
import Messages
import Synchronization

/// Reads topics of an ntfy server (docs.ntfy.sh/subscribe/api).
struct NtfyAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "ntfy", scheme: .bearer, needsToken: false,
    addressHelp: "the address of a topic, or of several: https://ntfy.sh/alerts,backups",
    tokenHelp: "an access token, from Account, Access tokens; a topic that everybody may read needs none",
    writableMarks: [.read, .done], isStreamed: true)

  let transport: any HTTPTransport
  private let oldServers = OldServers()

  init(transport: any HTTPTransport) { self.transport = transport }

  /// Reads the events since the cursor, and returns the messages and states that result from them.
  func part(
    _ request: ServiceRequest<NtfyCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<NtfyCursor> {
    guard let place = NtfyPlace(client.base) else {
      throw ServiceFailure(failure: .invalidAddress(client.source.address))
    }
    var cursor = request.cursor
    let answer = try await client.get(
      client.address(place.list, [("poll", "1"), ("since", cursor.since)], of: place.server),
      accept: "application/x-ndjson")
    var log = NtfyLog(answer.response.body)
    guard log.isReadable else {
      throw ServiceFailure(failure: .malformed(line: 1, reason: "this is not a list of ntfy's messages"))
    }
    cursor.add(log.events, at: answer.response.serverDate(now: client.context.now))
    log.removeEvents { request.cursor.knows($0) }
    if log.events.isEmpty, log.problems.isEmpty { return ServicePart(notModified: cursor) }
    let state = NtfyState(log.events, filter: NtfyFilter(client.filters))
    var part = ServicePart(cursor)
    part.messages = state.list.messages
    part.problems = log.problems + state.list.problems
    part.upstream = state.upstream
    part.link = place.page
    return part
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    let log = NtfyLog(bytes)
    guard log.isReadable else { return nil }
    var list = NtfyState(log.events, filter: NtfyFilter([])).list
    log.problems.forEach { list.note($0) }
    return list
  }

  /// Marks a message as read or deletes it. Servers before 2.16 support neither, so nothing more is sent to a server
  /// that refused.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    guard let place = NtfyPlace(client.base) else {
      throw ServiceFailure(failure: .invalidAddress(client.source.address), status: 400)
    }
    guard let path = act.handle.flatMap(NtfyPlace.path) else { return .notOffered }
    let isOld = ServiceFailure(
      failure: .status(405, reason: "the server needs ntfy 2.16 for this"), status: 405)
    if oldServers.addresses.withLock({ $0.contains(place.server) }) { throw isOld }
    do throws(ServiceFailure) {
      switch act.mark {
      case .read(true): _ = try await client.send(.put, place.server + path + "/clear")
      case .done(true): _ = try await client.send(.delete, place.server + path)
      case .read(false), .done(false), .starred, .snoozed, .named: return .notOffered
      }
    } catch {
      // Only ntfy's own error form counts: a proxy's page says nothing about the server.
      guard error.status == 404 || error.status == 405, error.object?["code"] != nil else { throw error }
      oldServers.addresses.withLock { _ = $0.insert(place.server) }
      throw isOld
    }
    return .done
  }

  /// Returns the request for a connection on which the server reports each new event of the topics.
  func stream(_ client: ServiceClient) -> StreamRequest? {
    guard let place = NtfyPlace(client.base) else { return nil }
    let request = client.request(
      .get, client.address(place.list, [("since", "none")], of: place.server),
      [HeaderField("Accept", "application/x-ndjson")])
    return StreamRequest(request, .lines, isNews: Self.isNews)
  }

  /// Whether a line of the stream is a message or changes one, unlike for example a keepalive.
  static func isNews(_ line: String) -> Bool {
    let event = (try? JSONReader.parse(line))?.object?["event"]?.text
    return event.flatMap(NtfyEvent.Kind.init) != nil
  }
}

/// The servers that refused to mark or delete a message. They are remembered while the program runs.
private final class OldServers: Sendable {
  let addresses = Mutex<Set<String>>([])
}

/// The addresses of a source's topics.
struct NtfyPlace {
  /// The server's address, without a slash at its end.
  var server: String
  /// The path of the list of the topics' messages, below `server`.
  var list: String
  /// The web page of the first topic.
  var page: String

  /// - Parameter base: an address whose last part is the topics, separated by commas.
  init?(_ base: String) {
    guard let parts = URLComponents(string: base), parts.host != nil else { return nil }
    var names = parts.percentEncodedPath.split(onBytes: "/").map(String.init)
    if let last = names.last, names.count > 1, ["json", "sse", "raw", "ws"].contains(last) {
      names.removeLast()
    }
    guard let topics = names.popLast() else { return nil }
    var server = parts
    server.percentEncodedPath = names.map { "/" + $0 }.joined()
    guard let text = server.string else { return nil }
    self.server = text
    list = "/\(topics)/json"
    page = text + "/" + topics.prefix { $0 != "," }
  }

  /// Returns the path of the message with a handle, or `nil` if the handle has another form.
  static func path(_ handle: String) -> String? {
    let parts = handle.split(onBytes: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ isName($0) }) else { return nil }
    return "/" + handle
  }

  /// Whether the argument is a valid name of a topic, or a valid id of a sequence.
  static func isName(_ name: some StringProtocol) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || (48...57).contains(byte)
          || (65...90).contains(byte) || (97...122).contains(byte)
      }
  }
}
