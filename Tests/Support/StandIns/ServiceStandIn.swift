import Foundation
package import HTTP
package import Messages

/// The events that are possible at a service besides arrivals and a client's marks.
package struct StandInAbilities: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// An existing message can become unread again.
  package static let news = StandInAbilities(rawValue: 1)
  /// A message can change without becoming unread again.
  package static let edits = StandInAbilities(rawValue: 2)
  /// Another client can mark messages as read.
  package static let read = StandInAbilities(rawValue: 4)
  package static let unread = StandInAbilities(rawValue: 8)
  package static let star = StandInAbilities(rawValue: 16)
  package static let done = StandInAbilities(rawValue: 32)
  /// The service forgets something when it restarts.
  package static let restarts = StandInAbilities(rawValue: 64)
}

/// A message with one of its occasions, `MessageExtras.occasion`, which is empty if it has none.
package struct StandInOccasion: Hashable, Sendable {
  package var id: RemoteID
  package var occasion: String

  package init(_ id: RemoteID, _ occasion: String = "") {
    self.id = id
    self.occasion = occasion
  }
}

/// The actual state of a service.
package struct StandInTruth: Sendable {
  /// All messages that a client could have read at any time.
  package var everPresent: Set<StandInOccasion> = []
  /// The messages, with their newest occasions, that a client which reads now must have.
  package var listed: Set<StandInOccasion> = []
  /// The open messages: unread, to do, firing.
  package var openNow: Set<RemoteID> = []
  /// The marks that a client must know after a complete read; `nil` if the service does not report them.
  package var marks: [RemoteID: UpstreamMarks] = [:]

  package init() {}
}

/// A service in memory that follows the rules of the real one. It can be used from any thread; its responses depend
/// only on its state and its clock, so it runs under `StandInTransport` as under `StandInServer`.
package protocol ServiceStandIn: AnyObject, Sendable {
  static var kind: SourceKind { get }
  static var abilities: StandInAbilities { get }

  init(_ conditions: StandInConditions)

  var conditions: StandInConditions { get }

  /// The source's address for a server at this origin.
  static func address(at origin: String) -> String

  /// Whether the request has the user's token, in the service's own way.
  func isAuthorized(_ request: StandInRequest) -> Bool

  /// Returns the response if there are no faults.
  func respond(to request: StandInRequest) -> StandInResponse

  /// Returns the form of the response to a request that is held open, or `nil` if it isn't held.
  func stream(for request: StandInRequest) -> StreamForm?

  /// Returns the response to a fault that has a status.
  func refusal(_ fault: StandInFault) -> StandInResponse

  /// Adds a new message.
  @discardableResult func arrive() -> RemoteID

  /// Makes an existing message unread again; unknown ids are ignored.
  func renew(_ id: RemoteID)

  /// Changes the content of an existing message, without making it unread again.
  func edit(_ id: RemoteID)

  /// Marks a message in another client. It is called only with the marks in `abilities`.
  func markElsewhere(_ mark: OutgoingMark, of id: RemoteID)

  func restart()

  var truth: StandInTruth { get }
}

extension ServiceStandIn {
  package static func address(at origin: String) -> String { origin }
  package func renew(_ id: RemoteID) {}
  package func edit(_ id: RemoteID) {}
  package func stream(for request: StandInRequest) -> StreamForm? { nil }
  package func markElsewhere(_ mark: OutgoingMark, of id: RemoteID) {}
  package func restart() {}

  package func refusal(_ fault: StandInFault) -> StandInResponse { .usual(fault) }

  /// Responds to a request, or fails according to the conditions.
  package func answer(_ request: StandInRequest) -> StandInResponse {
    let isAuthorized = isAuthorized(request)
    var response: StandInResponse
    switch conditions.nextFault() {
    case nil where conditions.proxy?.hides(request) == true: response = .unknownAddress
    case nil: response = respond(to: request)
    case .cut?:
      response = respond(to: request)
      response.delivery = .cut
    case .hangUp?:
      response = StandInResponse(0)
      response.delivery = .hangUp
    case let fault?: response = refusal(fault)
    }
    conditions.note(
      StandInVisit(
        method: request.method, path: request.path, query: request.query, body: request.body,
        hasToken: isAuthorized, status: response.status == 0 ? nil : response.status))
    return response
  }
}

extension StandInResponse {
  /// The page of a proxy, which contains nothing of the service.
  static let unknownAddress = StandInResponse(
    404, [("Content-Type", "text/html")], body: Data("<html><title>404 Not Found</title></html>".utf8))

  /// Returns the usual response to a fault if a service has no special one.
  package static func usual(_ fault: StandInFault) -> StandInResponse {
    switch fault {
    case .unauthorized: .json(["message": "wrong token"], status: 401)
    case .forbidden: .json(["message": "not now"], status: 403)
    case .tooManyRequests: .json(["message": "too many requests"], status: 429, [("Retry-After", "120")])
    case .serverError: .json(["message": "the server has failed"], status: 500)
    case .cut, .hangUp: StandInResponse(500)
    }
  }
}

package enum StandIns {
  package static let types: [any ServiceStandIn.Type] = [
    GiteaStandIn.self, GitHubStandIn.self, GitLabStandIn.self, GotifyStandIn.self, MastodonStandIn.self,
    MinifluxStandIn.self, NtfyStandIn.self, AlertmanagerStandIn.self, HealthchecksStandIn.self,
    NextcloudStandIn.self, DiscourseStandIn.self,
    FreshRSSStandIn.self, MinifluxReaderStandIn.self,
  ]

  /// Returns the first one of a kind that several servers have.
  package static func type(of kind: SourceKind) -> (any ServiceStandIn.Type)? {
    types.first { $0.kind == kind }
  }
}
