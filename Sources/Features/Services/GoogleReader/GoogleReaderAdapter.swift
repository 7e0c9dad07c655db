import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Reads items from the API of Google Reader, which FreshRSS and Miniflux offer.
///
/// A poll reads the ids of all unread items, which define what is open, and the bodies only of items that were not
/// unread before. The ids of the starred items are read if the unread ids have changed, and otherwise occasionally.
struct GoogleReaderAdapter: ServiceAdapter {
  static let facts = ServiceFacts(
    name: "Google Reader API", scheme: .login, needsUser: true,
    addressHelp: "the address of the API: of FreshRSS with /api/greader.php, of Miniflux the server's",
    tokenHelp: "the API password, set in the web settings of your reader; it is not that of the web page",
    writableMarks: [.read, .unread, .star, .unstar])

  static let reusedID: ReusedID? = .titleAndDate

  let transport: any HTTPTransport
  private let logins = GoogleReaderLogins()

  init(transport: any HTTPTransport) { self.transport = transport }

  /// Returns the address of the server for an address of the API: the path of the API is removed.
  static func address(of given: String) -> String {
    for path in ["/reader/api/0", "/accounts/ClientLogin"] {
      if let found = given.range(of: path) { return String(given[..<found.lowerBound]) }
    }
    return given
  }

  /// Sends one request of a poll, for ids or items.
  func part(
    _ request: ServiceRequest<GoogleReaderCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<GoogleReaderCursor> {
    let server = GoogleReaderServer(client, logins)
    var intake = GoogleReaderIntake(request.cursor, isFreshRSS: server.isFreshRSS)
    try await intake.run(server, isContinued: request.isContinued)
    var part = ServicePart(intake.cursor)
    part.messages = intake.messages
    part.problems = intake.problems
    part.upstream = intake.upstream
    part.link = client.page("/", without: "/api/greader.php")
    if intake.hasMore {
      part.hints.leaveMore(until: client.context.now.addingTimeInterval(Limits.backlogPauseSeconds))
    }
    return part
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    let isFreshRSS = GoogleReaderServer.isFreshRSS(client.base)
    let allowance = Allowance(documentBytes: bytes.count)
    let page = try? GoogleReaderPage(bytes, allowance, isFreshRSS: isFreshRSS)
    return page.map { ServiceMessages($0.items.map(\.message), $0.problems) }
  }

  /// Sends the user's changes: each sets or removes a tag. Each kind of change has separate requests, since FreshRSS
  /// accepts only one tag per request. A request is for many items, and repeating it is harmless.
  func carry(_ acts: [OutgoingAct], _ client: ServiceClient) async -> WriteBackResult {
    let server = GoogleReaderServer(client, logins)
    var result = WriteBackResult()
    let marks: [(mark: OutgoingMark, field: String, tag: String)] = [
      (.read(true), "a", "read"), (.read(false), "r", "read"), (.starred(true), "a", "starred"),
      (.starred(false), "r", "starred"),
    ]
    for (mark, field, tag) in marks {
      let batch = acts.filter { $0.mark == mark }
      let known = batch.filter { GoogleReaderID($0.remoteID.text) != nil }
      result.carried.formUnion(batch.filter { GoogleReaderID($0.remoteID.text) == nil }.map(\.id))
      var rest = known[...]
      while !rest.isEmpty {
        let part = Array(rest.prefix(Limits.googleReaderBatch))
        rest = rest.dropFirst(part.count)
        do throws(ServiceFailure) {
          let form = part.map { ("i", $0.remoteID.text) } + [(field, GoogleReaderTag.state(tag))]
          try await server.edit(form)
          if mark == .starred(true) {
            server.addStars(Set(part.compactMap { GoogleReaderID($0.remoteID.text) }))
          }
          result.carried.formUnion(part.map(\.id))
        } catch {
          result.add(error, of: part)
          if result.failure != nil { return result }
        }
      }
    }
    return result
  }
}

/// The names of states and labels in the API.
enum GoogleReaderTag {
  /// Returns the tag of a state: `read`, `starred` or `reading-list`.
  static func state(_ name: String) -> String { "user/-/state/com.google/" + name }

  /// Returns the part of a name after the user: FreshRSS writes `user/-/…`, Miniflux `user/7/…`. Returns `nil` if the
  /// name has another form.
  static func own(_ category: String) -> Substring? {
    let parts = category.split(onBytes: "/", maxSplits: 2, omittingEmptySubsequences: false)
    return parts.count == 3 && parts[0] == "user" ? parts[2] : nil
  }
}
