package import Formats
package import Foundation
package import Messages
package import Transport

/// Brings one kind of source up to date: requests, parsing, incoming messages. Knows neither the store nor when to poll.
package protocol SourceAdapter: Sendable {
  /// One poll, all its requests. Ends early when its task is cancelled.
  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome
}

/// What a poll is told besides its source.
package struct PollContext: Sendable {
  package var now: Date
  /// The secret of the source, read for this poll.
  package var credential: Credential?
  /// Name, connection and handshake of one request.
  package var connectTimeout: Duration = .seconds(15)
  /// The host behind an address, where that asked to be left alone: redirects do not lead there meanwhile.
  package var hold: (@Sendable (_ address: String) async -> HeldHost?)?
  /// The reader's language, which names an inbox that no server has named.
  package var language: String
  package var installed: Date
  /// What `{{%s}}` stands for.
  package var application: String
  /// The source's strings, for APNs payloads that name their text by keys.
  package var strings = LocalizedStringsCatalog()

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
}

/// The adapter of each kind of source that is fetched.
package struct SourceAdapters: Sendable {
  private let adapters: [SourceKind: any SourceAdapter]

  package init(transport: any HTTPTransport) {
    let fetcher = Fetcher(transport: transport)
    adapters = [
      .feed: WebFeedAdapter(fetcher: fetcher), .native: NativeFeedAdapter(fetcher: fetcher),
      .banners: ControlFileAdapter(fetcher: fetcher),
    ]
  }

  /// nil for kinds that no service serves: schedules and local sources.
  package func adapter(for kind: SourceKind) -> (any SourceAdapter)? { adapters[kind] }
}
