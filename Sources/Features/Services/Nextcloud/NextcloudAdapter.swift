import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads the notifications of a Nextcloud user (OCS API v2 of the app notifications, docs/ocs-endpoint-v2.md).
///
/// The server lists the newest 25, without pages. There is no read state, and dismissing a notification deletes it on
/// every device, so reading a message in reddot changes nothing there.
struct NextcloudAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Nextcloud", scheme: .basic, needsUser: true,
    addressHelp: "the address of your Nextcloud",
    tokenHelp: "an app password, from Personal settings, Security", writableMarks: [.done])

  static let reusedID: ReusedID? = .date
  private static let path = "/ocs/v2.php/apps/notifications/api/v2/notifications"
  /// The header without which the server refuses each request as possibly forged by another web page.
  private static let headers = [HeaderField("OCS-APIRequest", "true")]
  /// The number of notifications that the server lists.
  private static let listed = 25
  /// The number of ids whose existence one request may check.
  private static let askable = 200

  let transport: any HTTPTransport

  /// Reads the newest notifications, and checks whether the older known ones still exist.
  func part(
    _ request: ServiceRequest<KnownNotifications>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<KnownNotifications> {
    let answer = try await client.get(
      client.address(Self.path), headers: Self.headers, validators: request.validators)
    let etag = answer.headers["ETag"]
    // According to its documentation, a server may answer 200 with the same tag.
    if answer.isNotModified || etag != nil && etag == request.validators.etag {
      return ServicePart(notModified: request.cursor, request.validators)
    }
    if answer.status == 204 {
      // No app of the server creates notifications.
      var part = ServicePart(notModified: request.cursor)
      part.hints.minimumWait = .seconds(3600)
      part.hints.minimumWaitRule = .pollInterval
      return part
    }
    let status = answer.headers["X-Nextcloud-User-Status"]?.lowercased()
    var list = NextcloudList(origin: Origin(client.base), isQuiet: status == "dnd")
    if answer.isPartial { list.answerIsPartial() }
    list.add(try Self.data(try answer.json(), answer.status), known: request.cursor, limit: Self.listed)
    let older = Array(list.older.prefix(Self.askable))
    if let there = await areThere(older, client) { list.remove(Set(older).subtracting(there)) }
    var part = ServicePart(list.known)
    part.messages = list.found.messages
    part.problems = list.found.problems
    part.upstream = list.upstream
    part.validators = Validators(etag: list.isComplete ? etag : nil)
    return part
  }

  /// Returns the ids that still exist on the server, or `nil` if the server can't check this, for example because it is
  /// too old.
  private func areThere(_ ids: [Int], _ client: ServiceClient) async -> Set<Int>? {
    if ids.isEmpty { return nil }
    let body = JSONValue.object(
      JSONObject([.init(key: "ids", value: .array(ids.map(JSONValue.integer)))]))
    do throws(ServiceFailure) {
      let answer = try await client.send(
        .post, client.address(Self.path + "/exists"), json: body, headers: Self.headers)
      let elements = try Self.data(try answer.json(), answer.status)
      let there = elements.compactMap(\.integer)
      return there.count == elements.count ? Set(there) : nil
    } catch {
      return nil
    }
  }

  /// Returns the list in the envelope `{"ocs": {"meta": …, "data": …}}`.
  private static func data(_ json: JSONValue, _ code: Int) throws(ServiceFailure) -> [JSONValue] {
    let envelope = json.object?["ocs"]?.object
    let meta = envelope?["meta"]?.object
    if let status = meta?["status"]?.text, status != "ok" {
      throw ServiceFailure(
        failure: .status(meta?["statuscode"]?.integer ?? code, reason: meta?["message"]?.text ?? ""))
    }
    guard let elements = envelope?["data"]?.elements else {
      throw ServiceFailure(malformed: "no list of notifications")
    }
    return elements
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    guard let json = try? JSONReader.parse(bytes), let elements = try? data(json, 200) else { return nil }
    var list = NextcloudList(origin: Origin(client.base))
    list.add(elements, known: KnownNotifications(), limit: listed)
    return list.found
  }

  /// Delays the next attempt by a day if the password is wrong: the server slows down an address that repeats it.
  static func meaning(of failure: ServiceFailure, _ client: ServiceClient) -> ServiceFailure {
    guard failure.status == 401 else { return failure }
    var failure = failure
    failure.hints.minimumWait = .seconds(Limits.longestMinimumWait)
    failure.hints.minimumWaitRule = .requestLimit
    return failure
  }

  /// Whether the failure is in the envelope of Nextcloud's API. A proxy's error page is not.
  static func saysGone(_ failure: ServiceFailure) -> Bool { failure.object?["ocs"]?.object?["meta"] != nil }

  /// Deletes a notification that was marked as done, or sends the request of an action. No other change has an effect
  /// there.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    switch act.mark {
    case .done(true):
      // Without an id, the request would delete all notifications.
      guard let id = DecimalInteger(act.remoteID.text), id > DecimalInteger(0) else { return .done }
      _ = try await client.send(.delete, client.address(Self.path + "/\(id)"), headers: Self.headers)
    case .named(let name):
      guard let action = NextcloudAction(name), client.isOwn(action.link) else { return .done }
      _ = try await client.send(action.method, action.link, headers: Self.headers)
    case .done(false), .read, .starred, .snoozed: break
    }
    return .done
  }
}

/// An action that is a request to the server, in the form in which a message contains it.
struct NextcloudAction {
  let method: TransportRequest.Method
  let link: String

  init?(type: String, link: String) {
    guard let method = TransportRequest.Method(rawValue: type) else { return nil }
    self.method = method
    self.link = link
  }

  /// Reads an action from its text in a message: the method and the link, separated by a space.
  init?(_ name: String) {
    let parts = name.split(onBytes: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    self.init(type: parts[0], link: parts[1])
  }
}
