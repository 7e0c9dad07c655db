import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Sends requests to the server of one source, during one poll or while the user's changes are sent to it.
///
/// The credential is sent only to the origin of the source's address, except by `request(toOwners:)`. This type handles
/// what all services have in common: statuses, Retry-After, request limits, and the server's own error messages.
struct ServiceClient: Sendable {
  let transport: any HTTPTransport
  let source: Source
  let context: PollContext
  /// The source's address without query and without a slash at its end.
  let base: String
  /// The query of the source's address: the user's filters, which are sent with every request for a list.
  let filters: [URLQueryItem]

  /// - Parameter base: the address of the API; `nil` for the source's address.
  init(_ transport: any HTTPTransport, _ source: Source, _ context: PollContext, base: String? = nil) {
    self.transport = transport
    self.source = source
    self.context = context
    let address = base ?? source.address
    filters = URLComponents(string: address)?.percentEncodedQueryItems ?? []
    self.base = Self.base(of: address)
  }

  /// Returns an address without query, fragment, and slash at its end.
  static func base(of address: String) -> String {
    var parts = URLComponents(string: address)
    parts?.percentEncodedQuery = nil
    parts?.fragment = nil
    var text = parts?.string ?? address
    while text.hasSuffix("/") { text.removeLast() }
    return text
  }

  /// Returns a copy of the client with a path appended to its base.
  func below(_ path: String) -> ServiceClient {
    ServiceClient(self, base: base + path)
  }

  private init(_ other: ServiceClient, base: String) {
    transport = other.transport
    source = other.source
    context = other.context
    filters = other.filters
    self.base = base
  }

  /// Returns the address of a path below the base.
  ///
  /// - Parameters:
  ///   - path: begins with a slash; its parts are percent-encoded where needed (`ServiceClient.encoded`).
  ///   - query: names and values, which are encoded here.
  ///   - filtered: whether the query of the source's address is added.
  ///   - server: replaces the base.
  func address(
    _ path: String, _ query: [(String, String)] = [], filtered: Bool = false, of server: String? = nil
  ) -> String {
    let items =
      (filtered ? filters : []).map { $0.name + ($0.value.map { "=" + $0 } ?? "") }
      + query.map { Self.encoded($0) + "=" + Self.encoded($1) }
    return (server ?? base) + path + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
  }

  /// Returns the address of a web page on the API's server.
  ///
  /// - Parameter api: the end of the base that the page's address does not have.
  func page(_ path: String, without api: String = "") -> String? {
    let root = base.hasSuffix(api) ? String(base.dropLast(api.count)) : base
    return UserInfo.removed(from: root) + path
  }

  /// Percent-encodes a part of a path or of a query (RFC 3986 section 2.3).
  static func encoded(_ text: String) -> String { text.percentEncoded(allowing: \.isUnreserved) }

  /// Whether an address in a response is on the source's own server. A token is never sent to another server.
  func isOwn(_ address: String) -> Bool {
    guard let own = Origin(base), let other = Origin(address) else { return false }
    return own == other
  }

  /// Returns a request with the credential to another server that a response names, or `nil` unless that server has the
  /// same owner: its host is the source's host or a subdomain of it, and the connection isn't less protected.
  func request(toOwners address: String, _ headers: [HeaderField]) -> TransportRequest? {
    guard let own = Origin(base), let other = Origin(address),
      let name = HostName.withoutPort(own.description),
      let otherName = HostName.withoutPort(other.description),
      other.description.hasPrefix("https:") || own.description.hasPrefix("http:")
    else { return nil }
    // A name without a dot has no owner of its subdomains, and an IP address has no subdomains.
    let isDomain = name.contains(".") && name.last?.isLetter == true
    guard otherName == name || isDomain && otherName.hasSuffix("." + name) else { return nil }
    var request = request(.get, address, headers)
    if own != other { request.credential = context.credentialElsewhere?(address) }
    return request
  }

  func get(
    _ address: String, headers: [HeaderField] = [], validators: Validators = Validators(),
    accept: String = "application/json"
  ) async throws(ServiceFailure) -> ServiceAnswer {
    var request = request(.get, address, [HeaderField("Accept", accept)] + headers)
    request.etag = validators.etag
    request.lastModified = validators.lastModified
    return try await send(request)
  }

  /// Sends a body as JSON; `nil` is an empty body.
  func send(
    _ method: TransportRequest.Method, _ address: String, json: JSONValue? = nil, headers: [HeaderField] = []
  ) async throws(ServiceFailure) -> ServiceAnswer {
    var request = request(method, address, [HeaderField("Accept", "application/json")] + headers)
    request.body = json.map { .bytes(Data($0.serialized().utf8), type: "application/json") }
    return try await send(request)
  }

  /// Sends a form, `application/x-www-form-urlencoded`.
  func send(
    _ method: TransportRequest.Method, _ address: String, form: [(String, String)],
    headers: [HeaderField] = []
  ) async throws(ServiceFailure) -> ServiceAnswer {
    var request = request(method, address, headers)
    let text = form.map { Self.encoded($0) + "=" + Self.encoded($1) }.joined(separator: "&")
    request.body = .bytes(Data(text.utf8), type: "application/x-www-form-urlencoded")
    return try await send(request)
  }

  /// Returns a request with the source's limits and credential.
  func request(_ method: TransportRequest.Method, _ address: String, _ headers: [HeaderField])
    -> TransportRequest
  {
    var request = TransportRequest(url: address)
    request.method = method
    request.headers = headers
    request.keepsErrorBody = true
    context.prepare(&request, of: source)
    return request
  }

  /// Sends a request. Any other status than a success (2xx) or 304 is thrown as a failure.
  ///
  /// - Returns: a success (2xx) or 304.
  func send(_ request: TransportRequest) async throws(ServiceFailure) -> ServiceAnswer {
    let response: TransportResponse
    do throws(RequestFailure) {
      response = try await transport.send(request)
    } catch .heldBack(let held) {
      var hints = PollHints()
      hints.heldBack = HostHold(host: held.host, until: held.until)
      throw ServiceFailure(failure: .heldBack(status: 429, host: held.host), hints: hints)
    } catch {
      throw ServiceFailure(failure: FetchFailure(error))
    }
    context.answers?.record(response, to: request.url, at: context.now)
    if (200..<300).contains(response.status) || response.status == 304 { return ServiceAnswer(response) }
    var failure = ServiceFailure(response, now: context.now)
    if let reason = Credential.withheldReason(request.credential, response) {
      failure.failure = .status(response.status, reason: reason)
    }
    throw failure
  }
}

/// A response with the status of a success (2xx) or 304.
struct ServiceAnswer: Sendable {
  let response: TransportResponse

  init(_ response: TransportResponse) { self.response = response }

  /// Creates a response from the bytes of a file.
  init(of bytes: Data) {
    response = TransportResponse(status: 200, headers: [:], body: bytes, finalURL: "")
  }

  var status: Int { response.status }
  var headers: HeaderFields { response.headers }
  var isNotModified: Bool { response.status == 304 }

  /// Returns the body as JSON.
  func json() throws(ServiceFailure) -> JSONValue {
    do { return try JSONReader.parse(response.body) } catch { throw ServiceFailure(error, in: response.body) }
  }

  /// Returns the body as a JSON array.
  func list() throws(ServiceFailure) -> [JSONValue] {
    let json = try json()
    if let elements = json.elements { return elements }
    throw ServiceFailure(malformed: "a list was expected, not \(json.kindInWords)")
  }

  /// Returns the target of a `Link` header with this relation (RFC 8288 section 3), if there is one.
  func link(_ relation: String) -> String? {
    headers.links.first { $0.has(relation: relation) }?.target
  }
}

/// The reason why a request to a service failed, with the server's explanation.
struct ServiceFailure: Error, Sendable {
  var failure: FetchFailure
  var hints = PollHints()
  /// The status; `nil` if there was no response.
  var status: Int?
  var headers = HeaderFields()
  var body = Data()

  init(failure: FetchFailure, hints: PollHints = PollHints(), status: Int? = nil) {
    self.failure = failure
    self.status = status
    self.hints = hints
  }

  /// Creates the failure for a response that could be parsed, but has unexpected content.
  ///
  /// - Parameter reason: the error in the response.
  init(malformed reason: String) { self.init(failure: .malformed(line: nil, reason: reason)) }

  /// Creates the failure for a response that is not valid JSON.
  ///
  /// - Parameter document: the response; often it is a web page, of a login or a proxy.
  init(_ json: JSONFailure, in document: Data) {
    let page = StatusReason.page(document)
    self.init(
      failure: .malformed(
        line: page == nil ? json.line : nil, reason: page.map { "it is \($0)" } ?? "\(json.reason)"))
  }

  /// Creates the failure for a response with an error status.
  init(_ response: TransportResponse, now: Date) {
    status = response.status
    headers = response.headers
    body = response.body
    let said = Self.sentence(response.body)
    failure = .status(response.status, reason: said ?? StatusReason.text(response))
    if let missingScope { failure = .status(response.status, reason: missingScope) }
    switch response.status {
    case 410:
      hints.isGone = true
      failure = .gone
    case 429, 503:
      hints.retryAfter = response.retryAfter(now: now)
      hints.retryAfterFrom = response.finalURL
      if hints.retryAfter != nil { failure = .heldBack(status: response.status) }
    case _: break
    }
  }

  /// Whether the same request may succeed later: no response, too many requests, a failing server, or a token that the
  /// user may replace.
  var mayPass: Bool {
    guard let status else { return true }
    return status == 401 || status == 403 || status == 407 || status == 408 || status == 425 || status == 429
      || status >= 500
  }

  /// One sentence that names the scope that the token lacks, if the server reports it. The failure lasts until the user
  /// makes another token.
  var missingScope: String? {
    guard status == 403 else { return nil }
    // GitLab answers as in RFC 6750 section 3.1.
    if object?["error"]?.text == "insufficient_scope" {
      return "the token lacks the scope " + (object?["scope"]?.text ?? "for this")
    }
    // GitHub lists the accepted scopes, one of which is needed, and the scopes of the token.
    if let needed = headers["X-Accepted-OAuth-Scopes"], let has = headers["X-OAuth-Scopes"] {
      func scopes(_ text: String) -> [String] {
        text.split(onBytes: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      }
      if !scopes(needed).isEmpty, Set(scopes(needed)).isDisjoint(with: scopes(has)) {
        return "the token lacks the scope \(scopes(needed).joined(separator: " or "))"
      }
    }
    // Gitea and Mastodon only send a sentence.
    guard let said = Self.sentence(body), said.lowercased().contains("scope") else { return nil }
    return "the token lacks a scope: \(said)"
  }

  /// Returns the server's own explanation: a known member of a JSON object, or the first line of plain text; `nil` for
  /// a web page.
  static func sentence(_ body: Data) -> String? {
    let text: String
    if let json = try? JSONReader.parse(body) {
      guard let found = message(in: json, depth: 0) else { return nil }
      text = found
    } else {
      text = String(decoding: body.prefix(4096), as: UTF8.self)
      if text.contains("<") { return nil }
    }
    let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingCharacters(in: .whitespaces) }
    guard let line, !line.isEmpty else { return nil }
    return line.count > 200 ? line.prefix(199) + "…" : line
  }

  /// The keys under which services put their error message, by precedence.
  private static let messageKeys = [
    "message", "error_description", "errorDescription", "error_message", "error", "errors", "meta", "ocs",
  ]

  /// Returns the error message in a JSON value, at most three levels deep, or `nil` if there is none.
  private static func message(in json: JSONValue, depth: Int) -> String? {
    if depth > 3 { return nil }
    if let text = json.text { return text.isEmpty ? nil : text }
    if let elements = json.elements { return elements.first.flatMap { message(in: $0, depth: depth + 1) } }
    guard let object = json.object else { return nil }
    for key in messageKeys {
      if let value = object[key], let text = message(in: value, depth: depth + 1) { return text }
    }
    return depth > 0 ? object.members.first.flatMap { message(in: $0.value, depth: depth + 1) } : nil
  }
}

extension WriteBackResult {
  /// Adds the result of sending one change.
  mutating func add(_ sent: SentAct, of act: OutgoingAct) {
    switch sent {
    case .done: carried.insert(act.id)
    case .doneAs(let occasion):
      carried.insert(act.id)
      occasions[act.remoteID] = occasion
    case .notOffered: refuse(act)
    }
  }

  /// Adds a change that the service does not support.
  mutating func refuse(_ act: OutgoingAct) {
    refused[act.id] = .malformed(line: nil, reason: "the service does not support this change")
  }

  /// Adds the failure of one request that sent some acts. They count as done, are refused, or are sent again later.
  ///
  /// - Parameter isGone: whether the service reported that the message no longer exists there.
  mutating func add(_ failure: ServiceFailure, of acts: [OutgoingAct], isGone: Bool = false) {
    if isGone, failure.status == 404 || failure.status == 410 {
      carried.formUnion(acts.map(\.id))
    } else if failure.status == 404 || failure.status == 410 {
      // The cause may be a proxy, or a server that is being set up, so the acts do not count as done.
      self.failure = .status(
        failure.status ?? 404, reason: "the server does not know the address of this action")
      hints = failure.hints
      hints.isGone = false
      failed = Set(acts.map(\.id))
    } else if failure.mayPass, failure.missingScope == nil {
      self.failure = failure.failure
      hints = failure.hints
      failed = Set(acts.map(\.id))
    } else {
      for act in acts { refused[act.id] = failure.failure }
    }
  }
}

extension ServiceFailure {
  /// The body as a JSON object, the usual form of a service's errors.
  var object: JSONObject? { (try? JSONReader.parse(body))?.object }
}
