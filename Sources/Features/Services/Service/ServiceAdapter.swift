import Foundation
package import HTTP
package import Messages

/// Properties of a service that are known without a request. The interface, the settings and `reddot add` use
/// them.
package struct ServiceFacts: Sendable {
  /// The name as the service writes it: `GitHub`.
  package var name: String
  /// The service's address if there is only one; `nil` if the user has to enter it.
  package var address: String?
  /// The form in which the service expects the token.
  package var scheme: Credential.Scheme
  /// Whether the service needs a user name besides the token.
  package var needsUser = false
  /// Whether nothing can be read without a token.
  package var needsToken = true
  /// A description of the address, for a user who adds the service: "the address of your server".
  package var addressHelp: String
  /// One sentence on the token and on how to get one.
  package var tokenHelp: String
  /// The changes by the user that can be sent to the service.
  package var writableMarks: WritableMarks = []
  /// Whether the service has a push channel.
  package var isStreamed = false
  /// The beginning of the names of the headers with the request limit, such as `X-RateLimit-`; `nil` if there are none.
  package var limitHeaders: String?

  /// Whether a user name changes the requests.
  package var takesUser: Bool { scheme.takesUser }

  package init(
    name: String, address: String? = nil, scheme: Credential.Scheme, needsUser: Bool = false,
    needsToken: Bool = true, addressHelp: String, tokenHelp: String, writableMarks: WritableMarks = [],
    isStreamed: Bool = false, limitHeaders: String? = nil
  ) {
    self.limitHeaders = limitHeaders
    self.name = name
    self.address = address
    self.scheme = scheme
    self.needsUser = needsUser
    self.needsToken = needsToken
    self.addressHelp = addressHelp
    self.tokenHelp = tokenHelp
    self.writableMarks = writableMarks
    self.isStreamed = isStreamed
  }
}

/// A service that stores a state for its user: messages are polled from it, and the user's changes to them (acts) are
/// sent to it.
///
/// A service defines its pages, an element of a page, and the request for an act. `ListPoll` does the rest.
protocol ServiceAdapter: Sendable {
  associatedtype Cursor: ServiceCursor

  static var facts: ServiceFacts { get }

  /// The property that distinguishes a message from an earlier one with the same id, or `nil` if ids are unique or the
  /// messages have an `occasion`, which distinguishes them.
  static var reusedID: ReusedID? { get }

  var transport: any HTTPTransport { get }

  init(transport: any HTTPTransport)

  /// Returns the service's address for an address that the user entered, such as that of its web page. The settings and
  /// the credential use the result.
  static func address(of given: String) -> String

  /// Returns a client for the API of a source's server.
  func client(_ source: Source, _ context: PollContext) -> ServiceClient

  /// Returns the part of the list after a cursor: one page, if the list has pages.
  func part(
    _ request: ServiceRequest<Cursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<Cursor>

  /// Returns the meaning of a failure at this service: for example, a status may mean a request limit.
  static func meaning(of failure: ServiceFailure, _ client: ServiceClient) -> ServiceFailure

  /// Sends one change by the user to the service, if possible with one request.
  ///
  /// - Parameter act: an act within `facts.writableMarks`.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct

  /// The number of changes by the user that may be sent without a pause, or `nil` if there is no limit.
  static var actsAtOnce: Int? { get }

  /// Whether a 404 or 410 is in the service's own form, so that it means that the message no longer exists. The error
  /// page of a proxy, or of a server that lacks the address, does not mean this.
  static func saysGone(_ failure: ServiceFailure) -> Bool

  /// Sends changes by the user, in their order. Stops at the first temporary failure, such as a missing network or a
  /// request limit. A service that accepts several acts in one request has its own implementation.
  ///
  /// - Parameter acts: at most `Limits.outgoingActs`, all of this source, each within `facts.writableMarks`.
  func carry(_ acts: [OutgoingAct], _ client: ServiceClient) async -> WriteBackResult

  /// Returns the permission that sending the user's changes needs and the token lacks, if the service can report it, or
  /// `nil` if nothing is known to be missing.
  func missingScope(_ client: ServiceClient) async -> MissingScope?

  /// Parses a received response that contains the service's list, to show the user how it is read. Returns `nil` if the
  /// bytes are no such response.
  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages?

  /// Returns the request that opens the push channel, or `nil` if the service has none. It is called each time that the
  /// channel is opened.
  func stream(_ client: ServiceClient) async throws(ServiceFailure) -> StreamRequest?
}

extension ServiceAdapter {
  func client(_ source: Source, _ context: PollContext) -> ServiceClient {
    ServiceClient(transport, source, context)
  }

  static var reusedID: ReusedID? { nil }

  static func address(of given: String) -> String { given }

  static var actsAtOnce: Int? { nil }
  static func saysGone(_ failure: ServiceFailure) -> Bool { false }

  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct {
    .notOffered
  }

  func carry(_ acts: [OutgoingAct], _ client: ServiceClient) async -> WriteBackResult {
    var result = WriteBackResult()
    for act in acts.prefix(Self.actsAtOnce ?? acts.count) where result.refused[act.id] == nil {
      do throws(ServiceFailure) {
        result.add(try await send(act, client), of: act)
      } catch {
        let failure = Self.meaning(of: error, client)
        if failure.missingScope != nil {
          // The failure applies to all acts of this kind: another request would not help.
          result.add(
            failure, of: acts.filter { $0.mark.isSameKind(as: act.mark) && !result.carried.contains($0.id) })
        } else {
          result.add(failure, of: [act], isGone: Self.saysGone(failure))
        }
        if result.failure != nil { return result }
      }
    }
    if let most = Self.actsAtOnce, acts.count > most {
      // The service requires a second between two writes, so the others are sent later.
      result.hints.minimumWait = .seconds(most)
      result.hints.minimumWaitRule = .requestLimit
    }
    return result
  }

  static func meaning(of failure: ServiceFailure, _ client: ServiceClient) -> ServiceFailure {
    facts.limitHeaders.map { RequestLimits.failure(failure, prefix: $0, client) } ?? failure
  }

  func stream(_ client: ServiceClient) async throws(ServiceFailure) -> StreamRequest? { nil }
  func missingScope(_ client: ServiceClient) async -> MissingScope? { nil }
}

/// A permission that a token lacks.
package struct MissingScope: Hashable, Sendable {
  /// The scope's name at the service: `api`.
  package var scope: String
  /// The scopes that the token has.
  package var has: [String]
  /// The web page on which a token is created; `nil` if it is unknown.
  package var page: String?
}

/// The result of sending a change by the user (an act) to its service.
enum SentAct {
  /// The service has made the change.
  case done
  /// The service has made the change and, as a result, reports a new occasion for the message. This occasion must not
  /// make the message unread again.
  case doneAs(occasion: String)
  /// The service does not support this change: it is not in `ServiceFacts.writableMarks`.
  case notOffered
}

extension OutgoingMark {
  /// Whether both changes are of the same kind: a token that lacks the permission for one also lacks it for the other.
  fileprivate func isSameKind(as other: OutgoingMark) -> Bool {
    switch (self, other) {
    case (.read, .read), (.done, .done), (.starred, .starred), (.snoozed, .snoozed), (.named, .named): true
    case (.read, _), (.done, _), (.starred, _), (.snoozed, _), (.named, _): false
    }
  }
}

/// The request for a connection that a service keeps open to report that there is something new. A poll then fetches
/// the new messages, so no message is lost between two connections or received twice.
package struct StreamRequest: Sendable {
  package var request: TransportRequest
  package var form: StreamForm
  /// Whether a message of the channel reports something new: a line, the data of an event, or a WebSocket message.
  package var isNews: @Sendable (String) -> Bool

  package init(
    _ request: TransportRequest, _ form: StreamForm,
    isNews: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.request = request
    self.form = form
    self.isNews = isNews
  }

  /// Returns the failure for a response that isn't a stream.
  package func failure(_ response: TransportResponse) -> FetchFailure {
    let withheld = Credential.withheldReason(request.credential, response)
    return .status(response.status, reason: withheld ?? StatusReason.text(response))
  }
}
