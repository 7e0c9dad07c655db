import Foundation
import HTTP
import Messages
import Synchronization

/// The results of logins, which are kept while the program runs. The tokens of both services don't expire; they change
/// only with the password.
final class GoogleReaderLogins: Sendable {
  /// The server and the credential that a login is for.
  struct Key: Hashable {
    var base: String
    var credential: Credential
  }

  /// The result of a login.
  struct Login: Hashable, Sendable {
    /// The token that the login returned; it is sent in the `Authorization` header.
    var auth: String
    /// The path of the API below the source's address.
    var path = ""
    /// The token that a form must contain in order to change something, once it was requested.
    var token: String?
  }

  private let logins = Mutex<[Key: Login]>([:])
  /// The items that were starred in reddot, until a poll has seen the star: another client may remove the star before
  /// that.
  private let stars = Mutex<[Key: Set<GoogleReaderID>]>([:])

  /// Returns the items that were starred in reddot and that no poll has seen with the star yet.
  func starredHere(_ key: Key) -> Set<GoogleReaderID> { stars.withLock { $0[key] ?? [] } }

  /// Adds items that were starred in reddot.
  func addStars(_ ids: Set<GoogleReaderID>, _ key: Key) {
    stars.withLock { $0[key, default: []].formUnion(ids) }
  }

  /// Removes items whose stars a poll has seen.
  func forgetStars(_ ids: Set<GoogleReaderID>, _ key: Key) {
    stars.withLock { stars in
      stars[key]?.subtract(ids)
      if stars[key]?.isEmpty == true { stars[key] = nil }
    }
  }

  subscript(key: Key) -> Login? {
    get { logins.withLock { $0[key] } }
    set { logins.withLock { $0[key] = newValue } }
  }

  /// Removes a login unless another request has replaced it.
  func forget(_ login: Login, of key: Key) {
    logins.withLock { if $0[key]?.auth == login.auth { $0[key] = nil } }
  }
}

/// Sends requests to one server, after a login.
struct GoogleReaderServer: Sendable {
  private typealias Login = GoogleReaderLogins.Login

  /// The client without the login, used for its address and context.
  let client: ServiceClient
  private let logins: GoogleReaderLogins

  init(_ client: ServiceClient, _ logins: GoogleReaderLogins) {
    self.client = client
    self.logins = logins
  }

  /// Whether the server is FreshRSS, which escapes some characters of titles.
  var isFreshRSS: Bool {
    Self.isFreshRSS(client.base) || key.flatMap { logins[$0] }?.path == Self.pathOfFreshRSS
  }

  /// The path of the API in FreshRSS. Users mostly enter the address of its web page.
  private static let pathOfFreshRSS = "/api/greader.php"

  /// Whether an address is that of the API of FreshRSS.
  static func isFreshRSS(_ address: String) -> Bool { address.contains("greader.php") }

  /// The stream whose items are read: all items, or the stream in the address's query.
  var stream: String {
    client.filters.first { $0.name == "s" }?.value?.removingPercentEncoding
      ?? GoogleReaderTag.state("reading-list")
  }

  /// Sends a GET request to the API, after a login.
  func get(_ path: String, _ query: [(String, String)]) async throws(ServiceFailure) -> ServiceAnswer {
    try await loggedIn { (client, _) async throws(ServiceFailure) in
      try await client.get(client.address("/reader/api/0/" + path, [("output", "json")] + query))
    }
  }

  /// Posts a form. FreshRSS reads the token from the header, Miniflux only from `T` in the form.
  func post(_ path: String, _ form: [(String, String)]) async throws(ServiceFailure) -> ServiceAnswer {
    try await loggedIn { (client, login) async throws(ServiceFailure) in
      let token = try await self.token(of: login, client)
      let address = client.address("/reader/api/0/" + path, [("output", "json")])
      return try await client.send(.post, address, form: [("T", token), ("output", "json")] + form)
    }
  }

  /// Sets or removes a tag.
  func edit(_ form: [(String, String)]) async throws(ServiceFailure) {
    let answer = try await post("edit-tag", form)
    // Miniflux answers with an empty list if it doesn't know the path.
    guard String(decoding: answer.response.body.prefix(16), as: UTF8.self).hasPrefix("OK") else {
      throw ServiceFailure(malformed: "the server did not confirm the change")
    }
  }

  private var key: GoogleReaderLogins.Key? {
    client.context.credential.map { GoogleReaderLogins.Key(base: client.base, credential: $0) }
  }

  var starredHere: Set<GoogleReaderID> { key.map { logins.starredHere($0) } ?? [] }

  func addStars(_ ids: Set<GoogleReaderID>) { if let key { logins.addStars(ids, key) } }

  func forgetStars(_ ids: Set<GoogleReaderID>) { if let key { logins.forgetStars(ids, key) } }

  // MARK: The login

  /// Sends a request with the token of a login. If the server rejects the stored token, logs in again and repeats the
  /// request once.
  private func loggedIn(
    _ send: (ServiceClient, Login) async throws(ServiceFailure) -> ServiceAnswer
  ) async throws(ServiceFailure) -> ServiceAnswer {
    guard let credential = client.context.credential, credential.isLogin, let key else {
      throw ServiceFailure(failure: .credentials(reason: "a user and the API password are needed"))
    }
    if let known = logins[key] {
      do throws(ServiceFailure) {
        return try await send(authorized(known, credential), known)
      } catch {
        guard error.status == 401 else { throw error }
        // The password was changed, or the server has forgotten the login: try once more with a new one.
        logins.forget(known, of: key)
      }
    }
    let fresh = try await login()
    logins[key] = fresh
    return try await send(authorized(fresh, credential), fresh)
  }

  /// Returns a client that sends the token of a login.
  private func authorized(_ login: Login, _ credential: Credential) -> ServiceClient {
    var context = client.context
    context.credential = credential.loggedIn(auth: login.auth)
    return ServiceClient(client.transport, client.source, context, base: client.base + login.path)
  }

  /// Logs in at the source's address or, if the API isn't there, at the path that FreshRSS uses.
  private func login() async throws(ServiceFailure) -> Login {
    do throws(ServiceFailure) {
      return try await login(below: "")
    } catch {
      guard isNowhere(error), !Self.isFreshRSS(client.base) else { throw error }
      // If the API isn't at that path either, the error is about the address as it was written.
      do throws(ServiceFailure) { return try await login(below: Self.pathOfFreshRSS) } catch let other {
        throw other.status == 401 || other.status == 403 ? other : error
      }
    }
  }

  /// Whether an error means that the API isn't at the address: the web server reports an unknown path, or redirects it
  /// to a page of FreshRSS.
  private func isNowhere(_ error: ServiceFailure) -> Bool {
    if case .badRedirect(let target) = error.failure, let origin = Origin(target) {
      return origin == Origin(client.base)
    }
    return error.isUnknownAddress || error.failure == Self.notALogin
  }

  /// The failure for a response that is not the response to a login.
  private static let notALogin = FetchFailure.notAFeed(
    found: "no login of a Google Reader API", alternates: [])

  /// Logs in at a path below the source's address.
  private func login(below path: String) async throws(ServiceFailure) -> Login {
    var request = client.request(.post, client.address(path + "/accounts/ClientLogin"), [])
    request.body = .login
    let answer = try await client.send(request)
    let lines = String(decoding: answer.response.body.prefix(4096), as: UTF8.self).split(
      whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.hasPrefix("Auth=") }), line.utf8.count > "Auth=".utf8.count
    else {
      throw ServiceFailure(failure: Self.notALogin)
    }
    return Login(auth: String(line.dropFirst("Auth=".count)), path: path)
  }

  /// Returns the token that a form must contain in order to change something. It is requested once for each
  /// login.
  private func token(of login: Login, _ client: ServiceClient) async throws(ServiceFailure) -> String {
    if let token = login.token { return token }
    let answer = try await client.get(client.address("/reader/api/0/token"), accept: "*/*")
    let token = String(decoding: answer.response.body.prefix(1024), as: UTF8.self).trimmingCharacters(
      in: .whitespacesAndNewlines)
    if let key { logins[key] = Login(auth: login.auth, path: login.path, token: token) }
    return token
  }
}
