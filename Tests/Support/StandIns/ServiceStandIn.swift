import Foundation
package import HTTP
package import Messages

/// What can happen at a service besides arrivals and marks that a client sends.
package struct StandInAbilities: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A message that is there becomes news again.
  package static let news = StandInAbilities(rawValue: 1)
  /// A message changes and is no news.
  package static let edits = StandInAbilities(rawValue: 2)
  /// Marks by another client.
  package static let read = StandInAbilities(rawValue: 4)
  package static let unread = StandInAbilities(rawValue: 8)
  package static let star = StandInAbilities(rawValue: 16)
  package static let done = StandInAbilities(rawValue: 32)
  /// It forgets something when it restarts.
  package static let restarts = StandInAbilities(rawValue: 64)
}

/// A message with one of its occasions, `MessageExtras.occasion`; empty: it has none.
package struct StandInOccasion: Hashable, Sendable {
  package var id: RemoteID
  package var occasion: String

  package init(_ id: RemoteID, _ occasion: String = "") {
    self.id = id
    self.occasion = occasion
  }
}

/// What is true at a service.
package struct StandInTruth: Sendable {
  /// All that a client could have read at any time.
  package var everPresent: Set<StandInOccasion> = []
  /// What a client that reads now has to have, with its newest occasion.
  package var listed: Set<StandInOccasion> = []
  /// What is open: unread, to do, firing.
  package var openNow: Set<RemoteID> = []
  /// The marks that a client has to know after a complete read; nil where the service says nothing of it.
  package var marks: [RemoteID: UpstreamMarks] = [:]

  package init() {}
}

/// A service in memory that keeps the rules of the real one. Safe to use from any thread; its answers depend on its state
/// and its clock only, so that it runs under `StandInTransport` and under `StandInServer` alike.
package protocol ServiceStandIn: AnyObject, Sendable {
  static var kind: SourceKind { get }
  static var abilities: StandInAbilities { get }

  init(_ conditions: StandInConditions)

  var conditions: StandInConditions { get }

  /// The source's address for a server at this origin.
  static func address(at origin: String) -> String

  /// Whether the request has the user's token, in the service's own way.
  func isAuthorized(_ request: StandInRequest) -> Bool

  /// The answer where nothing goes wrong.
  func respond(to request: StandInRequest) -> StandInResponse

  /// How a request is answered that is held open; nil: it isn't one.
  func stream(for request: StandInRequest) -> StreamForm?

  /// The answer to a fault that has a status.
  func refusal(_ fault: StandInFault) -> StandInResponse

  /// A new message, now.
  @discardableResult func arrive() -> RemoteID

  /// An existing message becomes news again; unknown ids are ignored.
  func renew(_ id: RemoteID)

  /// An existing message gets another content, and is no news.
  func edit(_ id: RemoteID)

  /// Another client marks a message. Called with what `abilities` says only.
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

  /// Answers a request, or fails as it was told to.
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
  /// A proxy's page: nothing in it is of the service.
  static let unknownAddress = StandInResponse(
    404, [("Content-Type", "text/html")], body: Data("<html><title>404 Not Found</title></html>".utf8))

  /// The answer to a fault where a service has none of its own.
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

/// The stand-ins there are.
package enum StandIns {
  package static let types: [any ServiceStandIn.Type] = [
    GiteaStandIn.self, GitHubStandIn.self, GitLabStandIn.self, GotifyStandIn.self, MastodonStandIn.self,
    MinifluxStandIn.self, NtfyStandIn.self, AlertmanagerStandIn.self, HealthchecksStandIn.self,
    NextcloudStandIn.self, DiscourseStandIn.self,
    FreshRSSStandIn.self, MinifluxReaderStandIn.self,
  ]

  /// The first one of a kind that several servers offer.
  package static func type(of kind: SourceKind) -> (any ServiceStandIn.Type)? {
    types.first { $0.kind == kind }
  }
}
