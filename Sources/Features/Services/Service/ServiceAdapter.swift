import Foundation
package import HTTP
package import Messages

/// What is known of a service without asking it. The interface, the settings and `reddot add` read it from here.
package struct ServiceFacts: Sendable {
  /// As the service writes itself: `GitHub`.
  package var name: String
  /// Where it is, if it has one place; nil: the person has to say it.
  package var address: String?
  /// How it wants the token.
  package var scheme: Credential.Scheme
  /// Whether it needs the name of a user besides the token.
  package var needsUser = false
  /// Whether nothing can be read without a token.
  package var needsToken = true
  /// What the address is to be, for a person who adds the service: "the address of your server".
  package var addressHelp: String
  /// What the token is and where to get it: one sentence.
  package var tokenHelp: String
  /// The acts of the user that it takes over.
  package var carries: CarriedActs = []
  /// Whether it has a push channel.
  package var isStreamed = false
  /// The beginning of the names of its headers with the limit of requests, such as `X-RateLimit-`; nil: it has none.
  package var limitHeaders: String?

  /// Whether the name of a user changes what is sent.
  package var takesUser: Bool { scheme.takesUser }

  package init(
    name: String, address: String? = nil, scheme: Credential.Scheme, needsUser: Bool = false,
    needsToken: Bool = true, addressHelp: String, tokenHelp: String, carries: CarriedActs = [],
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
    self.carries = carries
    self.isStreamed = isStreamed
  }
}

/// A service that keeps a state for its user: besides polling it, acts are carried to it.
///
/// It says what its pages are, what one element of them is, and which request an act is. `ListPoll` does the rest.
protocol ServiceAdapter: Sendable {
  associatedtype Cursor: ServiceCursor

  static var facts: ServiceFacts { get }

  /// How a message is known from an earlier one with its id; nil: no two messages have one id, or an occasion tells them apart.
  static var reusedID: ReusedID? { get }

  var transport: any HTTPTransport { get }

  init(transport: any HTTPTransport)

  /// The address of the service for one that a person has written, such as that of its web page. The settings and the
  /// credential use this one.
  static func address(of given: String) -> String

  /// Requests to the API of a source's server.
  func client(_ source: Source, _ context: PollContext) -> ServiceClient

  /// The part of the list after a cursor: one page, where it has pages.
  func part(
    _ request: ServiceRequest<Cursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<Cursor>

  /// What a failure means at this service: a status may stand for a limit of requests.
  static func meaning(of failure: ServiceFailure, _ client: ServiceClient) -> ServiceFailure

  /// Sends one act of the user: one request, where one is enough.
  ///
  /// - Parameter act: within `facts.carries`.
  func send(_ act: OutgoingAct, _ client: ServiceClient) async throws(ServiceFailure) -> SentAct

  /// How many acts may be sent without a pause; nil: all.
  static var actsAtOnce: Int? { get }

  /// Whether a 404 or 410 says in the service's own form that the message isn't there any more. A page of a proxy, or a
  /// server that lacks the address, does not.
  static func saysGone(_ failure: ServiceFailure) -> Bool

  /// Sends acts of the user, in their order. Stops at the first failure that may pass, such as no network or a limit of
  /// requests. A service that takes several acts in one request has its own.
  ///
  /// - Parameter acts: at most `Limits.outgoingActs`, all of this source, each within `facts.carries`.
  func carry(_ acts: [OutgoingAct], _ client: ServiceClient) async -> CarryResult

  /// What the token may not do that acts need, where the service can be asked for that; nil: nothing is known to be missing.
  func missingScope(_ client: ServiceClient) async -> MissingScope?

  /// The messages of one answer of its list, for a person who wants to see how it is read; nil if the bytes aren't such
  /// an answer.
  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages?

  /// The request of the push channel, each time that it is opened; nil: it has none.
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

  func carry(_ acts: [OutgoingAct], _ client: ServiceClient) async -> CarryResult {
    var result = CarryResult()
    for act in acts.prefix(Self.actsAtOnce ?? acts.count) where result.refused[act.id] == nil {
      do throws(ServiceFailure) {
        result.add(try await send(act, client), of: act)
      } catch {
        let failure = Self.meaning(of: error, client)
        if failure.missingScope != nil {
          // The same for all acts of this kind: asking again would not help.
          result.add(
            failure, of: acts.filter { $0.mark.isSameKind(as: act.mark) && !result.carried.contains($0.id) })
        } else {
          result.add(failure, of: [act], isGone: Self.saysGone(failure))
        }
        if result.failure != nil { return result }
      }
    }
    if let most = Self.actsAtOnce, acts.count > most {
      // The service asks for a second between two writes: the others come later.
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

/// What a token may not do.
package struct MissingScope: Hashable, Sendable {
  /// As the service calls it: `api`.
  package var scope: String
  /// Those that the token has.
  package var has: [String]
  /// The web page where one makes a token; nil: it isn't known.
  package var page: String?
}

/// What became of an act that was sent.
enum SentAct {
  /// The service has it.
  case done
  /// The same, and the act is an occasion of the message there, which must not come back as news.
  case doneAs(occasion: String)
  /// The service has no such mark: its facts do not offer it.
  case notOffered
}

extension OutgoingMark {
  /// Whether a token that may not send one of them may not send the other one.
  fileprivate func isSameKind(as other: OutgoingMark) -> Bool {
    switch (self, other) {
    case (.read, .read), (.done, .done), (.starred, .starred), (.snoozed, .snoozed), (.named, .named): true
    case (.read, _), (.done, _), (.starred, _), (.snoozed, _), (.named, _): false
    }
  }
}

/// A connection that a service holds open and on which it says that there is something new. What is new is fetched by a
/// poll: so nothing is lost between two connections, and nothing comes twice.
package struct StreamRequest: Sendable {
  package var request: TransportRequest
  package var form: StreamForm
  /// Whether a message of the channel is news: one line, the data of one event, or one WebSocket message.
  package var isNews: @Sendable (String) -> Bool

  package init(
    _ request: TransportRequest, _ form: StreamForm,
    isNews: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    self.request = request
    self.form = form
    self.isNews = isNews
  }

  /// What an answer that isn't a stream means.
  package func failure(_ response: TransportResponse) -> FetchFailure {
    let withheld = Credential.withheldReason(request.credential, response)
    return .status(response.status, reason: withheld ?? StatusReason.text(response))
  }
}
