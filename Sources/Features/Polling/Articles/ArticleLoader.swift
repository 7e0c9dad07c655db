import Basics
package import Foundation
package import HTTP
import Markup
package import Messages
package import Platform
import Profile
import Services
package import Storage
import Words

/// Fetches the web pages of messages and stores their articles.
///
/// There is one request at a time: a later request cancels an earlier one, because the user has moved on. Requests
/// follow the same rules as polls: they are conditional if there is an older article, are not sent to a host before its
/// Retry-After has passed, and use the source's limits of time and size.
package actor ArticleLoader {
  /// The settings of a message's source that a request needs.
  package struct Access: Sendable {
    package var polling = PollSettings()
    package var connectTimeout = Duration.seconds(15)
    /// The source's options, which determine which servers are trusted.
    package var options = SourceOptions()
    /// The source's credential, which is sent only to the page's own server.
    package var credential: Credential?

    package init() {}
  }

  private let fetcher: Fetcher
  private let store: Store
  private let now: @Sendable () -> Date
  private let access: @Sendable (Message, _ address: String) async -> Result<Access, FetchFailure>
  private let threads: WorkThreads
  private var current: (message: MessageID, task: Task<ArticleAnswer, Never>)?
  /// The number of requests that were made so far. The newest request is identified by it.
  private var turns = 0

  /// - Parameter access: returns the settings of the message's source for an address.
  package init(
    transport: any HTTPTransport, store: Store, threads: WorkThreads, now: @escaping @Sendable () -> Date,
    access: @escaping @Sendable (Message, _ address: String) async -> Result<Access, FetchFailure>
  ) {
    fetcher = Fetcher(transport: transport)
    self.store = store
    self.threads = threads
    self.now = now
    self.access = access
  }

  /// Returns the stored article, or `nil` if there is none or the message has changed since.
  package nonisolated func stored(_ message: MessageID) async throws(StoreFailure) -> Article? {
    let stored = try await store.inBackground { store throws(StoreFailure) in
      try store.messages.article(of: message)
    }
    return stored?.isCurrent == true ? stored?.article : nil
  }

  /// Fetches the message's web page, and stores and returns its article. A second call for the same message waits for
  /// the first one.
  ///
  /// - Parameter address: the address of the message, http or https.
  package func fetch(_ message: Message, from address: String) async -> ArticleAnswer {
    if let current, current.message == message.id { return await current.task.value }
    let earlier = current?.task
    earlier?.cancel()
    turns += 1
    let turn = turns
    let task = Task<ArticleAnswer, Never> { [weak self] in
      _ = await earlier?.value
      let host = HostName.of(address) ?? ""
      guard let self, !Task.isCancelled else { return .failed(.fetch(.cancelled, host: host), kept: nil) }
      return await self.load(message, address, host)
    }
    current = (message.id, task)
    let answer = await task.value
    if turn == turns { current = nil }
    return answer
  }

  /// Cancels the current request.
  package func stop() { current?.task.cancel() }

  // MARK: One request

  /// Fetches the page unless its host must not receive requests yet.
  private func load(_ message: Message, _ address: String, _ host: String) async -> ArticleAnswer {
    var kept: StoredArticle?
    do throws(StoreFailure) {
      let id = message.id
      let (known, holds) = try await store.inBackground { store throws(StoreFailure) in
        (try store.messages.article(of: id), try store.polls.holds())
      }
      kept = known
      if let hold = HostName.of(address), let until = holds[hold], until > now() {
        return .failed(.heldBack(host: hold, until: until), kept: kept?.article)
      }
      return try await load(message, address, host, kept: known, holds)
    } catch {
      return .failed(.fetch(.storage(reason: error.sentence), host: host), kept: kept?.article)
    }
  }

  /// Requests the page, and extracts and stores its article.
  private func load(
    _ message: Message, _ address: String, _ host: String, kept: StoredArticle?, _ holds: [String: Date]
  ) async throws(StoreFailure) -> ArticleAnswer {
    func failed(_ failure: ArticleFailure) -> ArticleAnswer { .failed(failure, kept: kept?.article) }
    let access: Access
    switch await self.access(message, address) {
    case .success(let found): access = found
    case .failure(let failure): return failed(.fetch(failure, host: host))
    }
    var source = Source(id: message.source, name: message.sourceName, kind: .feed, address: address)
    source.polling = access.polling
    source.settings.options = access.options
    source.polling.responseLimit = min(access.polling.responseLimit, Limits.articlePageBytes)
    var context = PollContext(now: now(), credential: access.credential)
    context.connectTimeout = access.connectTimeout
    context.hold = { [now] address in
      guard let host = HostName.of(address), let until = holds[host], until > now() else { return nil }
      return HeldHost(host: host, until: until)
    }
    // Validators of another address would apply to another page.
    let isSame = kept?.requested == message.content.url
    let position = PollPosition(validators: isSame ? kept?.validators ?? Validators() : Validators())
    let answer = await threads.run { [fetcher, source, context] in
      await fetcher.fetch(source, position: position, accept: Self.accept, context: context)
    }
    switch answer {
    case .document(let document):
      guard Self.isPage(document.mediaType) else {
        return failed(.notAPage(type: document.mediaType ?? "", host: host))
      }
      let allowance = Allowance(documentBytes: document.bytes.count)
      let extracted = await withTaskCancellationHandler {
        await threads.run {
          try? ExtractedArticle(page: document.bytes, charset: document.charset, allowance: allowance)
        }
      } onCancel: {
        allowance.cancel()
      }
      if Task.isCancelled { return failed(.fetch(.cancelled, host: host)) }
      guard let extracted else { return failed(.noText(host: host)) }
      let article = Article(
        title: extracted.title, html: extracted.html, address: document.address, fetched: now())
      return try await keep(
        StoredArticle(article, requested: message.content.url ?? "", validators: document.validators),
        of: message)
    case .notModified:
      guard var kept else {
        return failed(
          .fetch(.malformed(line: nil, reason: "304 to a request without validators"), host: host))
      }
      kept.isCurrent = true
      kept.article.fetched = now()
      return try await keep(kept, of: message)
    case .failed(let failure, let hints): return try await taken(failure, hints, host, kept: kept?.article)
    }
  }

  private func keep(_ stored: StoredArticle, of message: Message) async throws(StoreFailure) -> ArticleAnswer
  {
    try await store.inBackground { store throws(StoreFailure) in
      _ = try store.messages.keep(stored, of: message.id)
    }
    return .found(stored.article)
  }

  /// Returns the answer for a failed request. A Retry-After in its response delays polls of the host too.
  private func taken(
    _ failure: FetchFailure, _ hints: PollHints, _ host: String, kept: Article?
  ) async throws(StoreFailure) -> ArticleAnswer {
    if let held = hints.heldBack { return .failed(.heldBack(host: held.host, until: held.until), kept: kept) }
    guard let until = hints.retryAfter, let held = hints.retryAfterFrom.flatMap(HostName.of) else {
      return .failed(.fetch(failure, host: host), kept: kept)
    }
    let now = now()
    try await store.inBackground { store throws(StoreFailure) in
      try store.polls.hold(held, until: until, at: now)
    }
    return .failed(.heldBack(host: held, until: until), kept: kept)
  }

  private static let accept = "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"

  /// Whether a media type is that of a web page. A missing media type is accepted.
  private static func isPage(_ mediaType: String?) -> Bool {
    guard let mediaType, !mediaType.isEmpty else { return true }
    return mediaType == "text/html" || mediaType == "application/xhtml+xml"
  }
}
