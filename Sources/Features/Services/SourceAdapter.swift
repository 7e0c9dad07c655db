import Basics
package import Formats
package import Foundation
package import HTTP
package import Messages

/// Polls one kind of source: requests, parsing, incoming messages. Does not use the store or decide when to poll.
package protocol SourceAdapter: Sendable {
  /// One part of a poll: mostly one request. Where `PollHints.hasMore` is true, the next part goes on from the position of
  /// this one. Ends early when its task is cancelled.
  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome

  /// How long the source's server can be asked to hold a request of `poll` until there is something new; nil: it can't.
  func longestWait(of source: Source) -> Duration?
}

extension SourceAdapter {
  package func longestWait(of source: Source) -> Duration? { nil }
}

/// What a poll needs besides its source.
package struct PollContext: Sendable {
  package var now: Date
  /// The source's token or password, read for this poll.
  package var credential: Credential?
  /// The same token or password for another server of the same owner: for `ServiceClient.request(toOwners:)` alone.
  package var credentialElsewhere: (@Sendable (_ address: String) -> Credential?)?
  /// How long the server is asked to hold the request until there is something new; nil: it answers at once.
  package var wait: Duration?
  /// The limit for name resolution, connection and TLS handshake of one request.
  package var connectTimeout: Duration = .seconds(15)
  /// Shared by the requests of one poll.
  package var cookies = CookieJar()
  /// The host of an address while its Retry-After lasts, else nil; redirects to such a host are not followed.
  package var hold: (@Sendable (_ address: String) async -> HeldHost?)?
  /// The user's language, as a language tag.
  package var language: String
  package var installed: Date
  /// The replacement for `{{%s}}`.
  package var application: String
  /// For the log: what a source's program says on its standard error.
  package var log: (@Sendable (_ line: String) -> Void)?
  /// Whether messages may come as a stream.
  package var takesStreams = false
  /// The source's `.strings` files, for APNs payloads with keys instead of text.
  package var strings = LocalizedStringsCatalog()
  /// The document of the source, if it was read before: no request is sent for it.
  package var document: Fetcher.Document?
  /// Where a service's requests were led, and when they were answered.
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

  /// Gives a request what belongs to its source: limits, credential, trust, cookies. Only a source's own address may be one
  /// of a Unix socket, and only its own server gets the client's certificate or goes unverified.
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
  /// Which servers it trusts, and its client's certificate, by its settings.
  var trust: Trust {
    var trust = Trust()
    trust.authorities = settings.options.caFile
    trust.certificate = settings.options.clientCertificate
    trust.key = settings.options.clientKey
    trust.verifies = settings.verifiesCertificates
    return trust
  }

  /// The source at another address: without what is for its own server only, where that is another one.
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
  /// The services: each has one folder, and its row here.
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
  ///   - programs: for `command` sources; without it they are not polled.
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

  /// nil for kinds that are not fetched: schedules and local sources.
  package func adapter(for kind: SourceKind) -> (any SourceAdapter)? { adapters[kind] }

  /// Carries acts of the user to the service of a source, in their order. Stops at the first failure that may pass, such as
  /// no network or a limit of requests.
  ///
  /// - Parameter acts: at most `Limits.outgoingActs`, all of this source, each within `facts.carries`.
  /// - Returns: nil for kinds that are not services.
  package func carry(_ acts: [OutgoingAct], of source: Source, context: PollContext) async -> CarryResult? {
    guard let service = services[source.kind] else { return nil }
    return await service.carry(acts, service.client(source, context))
  }

  /// The request of a source's push channel, which some services are asked for; nil: it has none.
  package func stream(of source: Source, context: PollContext) async throws(FetchFailure) -> StreamRequest? {
    guard let service = services[source.kind] else { return nil }
    do throws(ServiceFailure) {
      return try await service.stream(service.client(source, context))
    } catch {
      throw error.failure
    }
  }

  /// What the token of a source may not do that acts need, where its service can be asked for that; nil: nothing is known to
  /// be missing.
  package func missingScope(of source: Source, context: PollContext) async -> MissingScope? {
    guard let service = services[source.kind] else { return nil }
    return await service.missingScope(service.client(source, context))
  }

  /// Returns the parts of the first poll of a source, up to the part that contains messages.
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

  /// What is known of a service without asking it; nil for kinds that are not services.
  package static func facts(of kind: SourceKind) -> ServiceFacts? { serviceTypes[kind]?.facts }

  /// How many acts a service is sent without a pause; nil: all.
  package static func actsAtOnce(of kind: SourceKind) -> Int? { serviceTypes[kind]?.actsAtOnce }

  /// The address of a source for one that a person has written: some services have their API elsewhere.
  package static func address(of given: String, kind: SourceKind) -> String {
    serviceTypes[kind]?.address(of: given) ?? given
  }

  static func serviceType(of kind: SourceKind) -> (any ServiceAdapter.Type)? { serviceTypes[kind] }

  /// The kinds that are services, in their order.
  package static let serviceKinds = SourceKind.allCases.filter { serviceTypes[$0] != nil }
}
