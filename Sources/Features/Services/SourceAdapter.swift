import Basics
package import Formats
package import Foundation
package import HTTP
package import Messages

/// Polls one kind of source: requests, parsing, incoming messages. It does not use the store or decide when to poll.
package protocol SourceAdapter: Sendable {
  /// Runs one part of a poll: usually one request. If `PollHints.hasMore` is true, the next part continues from the
  /// position of this one. The poll ends early if its task is cancelled.
  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome

  /// Returns the longest time for which the source's server can hold a request of `poll` until there is something new,
  /// or `nil` if it can't.
  func longestWait(of source: Source) -> Duration?
}

extension SourceAdapter {
  package func longestWait(of source: Source) -> Duration? { nil }
}

/// The data that a poll needs besides its source.
package struct PollContext: Sendable {
  package var now: Date
  /// The source's token or password, read for this poll.
  package var credential: Credential?
  /// Returns the same token or password for another server of the same owner, only for
  /// `ServiceClient.request(toOwners:)`.
  package var credentialElsewhere: (@Sendable (_ address: String) -> Credential?)?
  /// The time for which the server is requested to hold the response until there is something new, or `nil` for an
  /// immediate response.
  package var wait: Duration?
  /// The limit for name resolution, connection and TLS handshake of one request.
  package var connectTimeout: Duration = .seconds(15)
  /// The cookies that the requests of one poll share.
  package var cookies = CookieJar()
  /// Returns the host of a URL if its Retry-After has not passed, otherwise `nil`; redirects to such a host are not
  /// followed.
  package var hold: (@Sendable (_ address: String) async -> HeldHost?)?
  /// The user's language, as a language tag.
  package var language: String
  /// The date of reddot's installation; some notifications are scheduled relative to it.
  package var installed: Date
  /// The application's name, which replaces the placeholder `{{%s}}` in notifications.
  package var application: String
  /// Logs a line that a source's program prints to standard error.
  package var log: (@Sendable (_ line: String) -> Void)?
  /// Whether the messages of a large poll may be returned as `PollContent.stream`.
  package var takesStreams = false
  /// The source's `.strings` files, for APNs payloads with keys instead of text.
  package var strings = LocalizedStringsCatalog()
  /// The document of the source if it was already read, so that no request is sent for it.
  package var document: Fetcher.Document?
  /// Records the final URLs of a service's requests, and the times of the responses.
  var answers: AnswerWatch?

  package init(
    now: Date, credential: Credential? = nil, language: String = "en", installed: Date = .distantPast,
    application: String = "reddot"
  ) {
    self.now = now
    self.credential = credential
    self.language = language
    self.installed = installed
    self.application = application
  }

  /// Sets the parameters of a request that depend on its source: limits, credential, trust, cookies. Only if the
  /// request goes to the source's own server, it may use a Unix socket, sends the client certificate, and follows the
  /// setting that turns off certificate verification.
  func prepare(_ request: inout TransportRequest, of source: Source) {
    let isOwn = Origin(request.url) == Origin(source.address)
    request.credential = credential
    request.connectTimeout = connectTimeout
    request.trust = isOwn ? source.trust : source.trust.elsewhere
    request.cookies = cookies
    request.allowsSocket = isOwn
    request.requestTimeout = source.polling.requestTimeout + (wait ?? .zero)
    request.responseLimit = source.polling.responseLimit
    request.hold = hold
  }
}

extension Source {
  /// The TLS settings of the source: trusted authorities, client certificate and key, and whether server certificates
  /// are verified.
  var trust: Trust {
    var trust = Trust()
    trust.authorities = settings.options.caFile
    trust.certificate = settings.options.clientCertificate
    trust.key = settings.options.clientKey
    trust.verifies = settings.verifiesCertificates
    return trust
  }

  /// Returns the source with another URL. If that URL is on another server, the client certificate is removed and
  /// certificate verification is turned on.
  package func moved(to address: String) -> Source {
    var moved = self
    moved.address = address
    guard Origin(address) != Origin(self.address) else { return moved }
    (moved.settings.options.clientCertificate, moved.settings.options.clientKey) = (nil, nil)
    moved.settings.verifiesCertificates = true
    return moved
  }
}

/// The adapter of each kind of source that is fetched over the network, from a file or from a program.
package struct SourceAdapters: Sendable {
  /// The adapter type of each service, such as GitHub. Each service has its own folder next to this file, and one row
  /// here.
  private static let serviceTypes: [SourceKind: any ServiceAdapter.Type] = [
    .gitea: GiteaAdapter.self,
    .github: GitHubAdapter.self,
    .gitlab: GitLabAdapter.self,
    .gotify: GotifyAdapter.self,
    .mastodon: MastodonAdapter.self,
    .greader: GoogleReaderAdapter.self,
    .miniflux: MinifluxAdapter.self,
    .ntfy: NtfyAdapter.self,
    .alertmanager: AlertmanagerAdapter.self, .nextcloud: NextcloudAdapter.self,
    .discourse: DiscourseAdapter.self, .healthchecks: HealthchecksAdapter.self,
  ]

  private let adapters: [SourceKind: any SourceAdapter]
  private var services: [SourceKind: any ServiceAdapter] = [:]

  /// - Parameters:
  ///   - programs: the programs of `command` sources; without them they are not polled.
  package init(
    transport: any HTTPTransport, programs: CommandPrograms? = nil
  ) {
    let fetcher = Fetcher(transport: transport)
    var adapters: [SourceKind: any SourceAdapter] = [
      .feed: WebFeedAdapter(fetcher: fetcher), .native: NativeFeedAdapter(fetcher: fetcher),
      .banners: ControlFileAdapter(fetcher: fetcher),
    ]
    if let programs { adapters[.command] = CommandAdapter(programs: programs) }
    for (kind, type) in Self.serviceTypes {
      let service = type.init(transport: transport)
      services[kind] = service
      adapters[kind] = Self.poll(service)
    }
    self.adapters = adapters
  }

  private static func poll(_ service: some ServiceAdapter) -> any SourceAdapter { ListPoll(service: service) }

  /// Returns the adapter, or `nil` for kinds that are not fetched: schedules and local sources.
  package func adapter(for kind: SourceKind) -> (any SourceAdapter)? { adapters[kind] }

  /// Sends changes that the user made to messages (acts) to the source's service, in their order. Stops at the first
  /// temporary failure, for example without a network or at a rate limit.
  ///
  /// - Parameter acts: at most `Limits.outgoingActs`, all of this source, each within `facts.writableMarks`.
  /// - Returns: `nil` for kinds that are not services.
  package func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> WriteBackResult?
  {
    guard let service = services[source.kind] else { return nil }
    return await service.carry(acts, service.client(source, context))
  }

  /// Returns the request that opens a source's push channel, or `nil` if it has none. Some services must first be
  /// queried for the channel's URL.
  package func stream(of source: Source, context: PollContext) async throws(FetchFailure) -> StreamRequest? {
    guard let service = services[source.kind] else { return nil }
    do throws(ServiceFailure) {
      return try await service.stream(service.client(source, context))
    } catch {
      throw error.failure
    }
  }

  /// Returns the permission that the source's token lacks but that sending the user's changes needs, or `nil` if
  /// nothing is known to be missing. Only some services can be queried for it.
  package func missingScope(of source: Source, context: PollContext) async -> MissingScope? {
    guard let service = services[source.kind] else { return nil }
    return await service.missingScope(service.client(source, context))
  }

  /// Polls a source as for the first time, and returns the results of the poll's parts, up to the first part that
  /// contains messages.
  package func firstParts(of source: Source, context: PollContext) async -> [PollOutcome] {
    guard let adapter = adapter(for: source.kind) else { return [] }
    var position = PollPosition()
    var parts: [PollOutcome] = []
    while parts.count < Limits.pollParts {
      let outcome = await adapter.poll(source, position: position, context: context)
      parts.append(outcome)
      guard case .content(let content, let hints) = outcome, content.messages.isEmpty, hints.hasMore else {
        break
      }
      position = content.position
      position.isContinued = true
    }
    return parts
  }

  /// Returns the properties of a service that are known without a request, or `nil` for kinds that are not
  /// services.
  package static func facts(of kind: SourceKind) -> ServiceFacts? { serviceTypes[kind]?.facts }

  /// Returns the number of changes by the user that may be sent to a service without a pause, or `nil` if there is no
  /// limit.
  package static func actsAtOnce(of kind: SourceKind) -> Int? { serviceTypes[kind]?.actsAtOnce }

  /// Returns the URL of a source for the URL that the user entered, because some services have their API at another
  /// URL.
  package static func address(of given: String, kind: SourceKind) -> String {
    serviceTypes[kind]?.address(of: given) ?? given
  }

  static func serviceType(of kind: SourceKind) -> (any ServiceAdapter.Type)? { serviceTypes[kind] }

  /// The source kinds that are services, in the order of `SourceKind`.
  package static let serviceKinds = SourceKind.allCases.filter { serviceTypes[$0] != nil }
}
