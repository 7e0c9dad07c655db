import Basics
import Formats
import HTTP
import Messages

/// Reads RSS, Atom and JSON Feed: "Web feeds" of the page Formats.
struct WebFeedAdapter: SourceAdapter {
  static let accept =
    "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"

  let fetcher: Fetcher

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    let answer = await fetcher.fetch(
      source, position: position, accept: Self.accept, context: context, acceptsBrokenEnd: true)
    switch answer {
    case .notModified(let position, let hints): return .notModified(position, hints)
    case .failed(let failure, let hints): return .failed(failure, hints)
    case .document(let document):
      let allowance = Allowance(documentBytes: document.bytes.count)
      // Parsing a large document takes so long that the deadline may pass in the meantime.
      return await withTaskCancellationHandler {
        Self.outcome(document, allowance, asStream: context.takesStreams)
      } onCancel: {
        allowance.cancel()
      }
    }
  }

  /// Returns the result of a poll whose response is a document.
  ///
  /// - Parameter asStream: whether the messages of a large feed may be returned as a stream.
  static func outcome(
    _ document: Fetcher.Document, _ allowance: Allowance, asStream: Bool = false
  ) -> PollOutcome {
    let feed = FeedDocument(
      document.bytes, charset: document.charset, mediaType: document.mediaType, address: document.address)
    // A document whose transfer ended with an error counts only if it is evidently complete.
    var broken: RequestFailure?
    if case .broken(let failure) = document.end { broken = failure }
    if asStream, broken == nil, let sections = feed.sections(allowance) {
      return streamed(sections, document, allowance)
    }
    let reading = feed.read(allowance)
    if allowance.isCancelled { return .failed(.cancelled, document.hints) }
    // `consume` prevents another reference from keeping the entries: each is freed once its message is made.
    switch consume reading {
    case .notAFeed(let found): return .failed(.notAFeed(found: found, alternates: []), document.hints)
    case .page(let title, let alternates):
      let offered = FeedLink.inOrder(document.offeredFeeds + alternates)
      let found = StatusReason.name(ofPage: title)
      return .failed(.notAFeed(found: found, alternates: offered.map(\.url)), document.hints)
    case .feed(let feed):
      var (content, hints) = facts(of: feed, document)
      if let broken {
        guard feed.isComplete else { return .failed(FetchFailure(broken), document.hints) }
        content.problems.append(
          FormatProblem(at: "", message: "the transfer ended wrongly, but the document is whole"))
      }
      let wasSpent = allowance.isSpent
      content.messages = WebFeedMessages.messages(of: consume feed, allowance: allowance)
      if allowance.isSpent, !wasSpent {
        content.problems.append(FormatProblem(at: "", message: allowance.sentence))
      }
      if allowance.isCancelled { return .failed(.cancelled, document.hints) }
      return .content(content, hints)
    }
  }

  /// Returns the result for a large feed, whose entries are converted while earlier ones are stored.
  private static func streamed(
    _ sections: SectionedFeed, _ document: Fetcher.Document, _ allowance: Allowance
  ) -> PollOutcome {
    var (content, hints) = facts(of: sections.head, document)
    let makeAllowance: @Sendable () -> Allowance = { Allowance(documentBytes: document.bytes.count) }
    content.stream = WebFeedStream(sections, allowance, makeAllowance: makeAllowance) {
      outcome(document, makeAllowance())
    }
    return .content(content, hints)
  }

  /// Returns the content and hints of a feed, without the messages of its entries.
  private static func facts(
    of feed: ParsedFeed, _ document: Fetcher.Document
  ) -> (PollContent, PollHints) {
    var hints = document.hints
    hints.isGone = feed.isExpired
    hints.skipHours = feed.skipHours
    hints.skipDays = feed.skipDays
    if let minutes = feed.timeToLiveMinutes, minutes > 0 {
      let wait = Duration.seconds(min(Double(minutes) * 60, Limits.longestMinimumWait))
      if hints.minimumWait.map({ $0 < wait }) ?? true {
        hints.minimumWait = wait
        hints.minimumWaitRule = .ttl
      }
    }
    // After a truncated document, the next poll must fetch it all: a 304 would hide the rest for ever.
    var position = PollPosition(
      validators: feed.isComplete ? document.validators : Validators(), movedTo: document.movedTo,
      movedCount: document.movedCount)
    // The new address acts as a permanent redirect, if there was none. Two feeds may name each other.
    if let address = feed.newAddress, let asked = document.asked, !asked.addresses.contains(address),
      !asked.isRedirected
    {
      position.count(address, after: asked.position)
    }
    let title = feed.title.map(WebFeedMessages.line)
    let content = PollContent(
      messages: [], title: title.flatMap { $0.isEmpty ? nil : $0 }, link: feed.link, position: position,
      problems: feed.allProblems)
    return (content, hints)
  }
}
