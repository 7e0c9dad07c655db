import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Polls any service: one call is one part, which is mostly one page of its list.
///
/// The poller asks for parts until `PollHints.hasMore` is false, and stores each with the cursor after it. So what came
/// before a failure, a 429 or the deadline stands, and the next poll goes on there. A service says only what its pages are:
/// what all of them need is here: the cursor's form, the server's clock, its limits of requests, and where permanent
/// redirects lead.
///
/// As for feeds, a new address is used after 3 polls in a row that were all sent there by 301 or 308. A service has many
/// addresses below that of its source. One that is redirected by itself, such as that of a renamed project, says nothing
/// about the others: so only a redirect that keeps what follows the source's address counts.
struct ListPoll<Service: ServiceAdapter>: SourceAdapter {
  /// One for all polls: some services keep a login.
  let service: Service

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    var source = source
    source.address = position.permanentAddress ?? source.address
    let watch = AnswerWatch(source.address, limits: Service.facts.limitHeaders)
    var context = context
    context.answers = watch
    let client = service.client(source, context)
    var next = position
    next.isContinued = false
    do throws(ServiceFailure) {
      let part = try await service.part(
        ServiceRequest(Service.Cursor(stored: position.cursor), position), client)
      // One part of several says nothing of where the others are led.
      if !position.isContinued, !part.hints.hasMore { next.count(watch.movedTo, after: position) }
      next.cursor = part.cursor.stored
      next.validators = part.validators
      let hints = watch.adding(to: part.hints)
      if part.isNotModified { return .notModified(next, hints) }
      var content = PollContent(
        messages: part.messages, link: part.link, position: next, problems: part.problems)
      content.upstream = part.upstream
      content.reusedID = Service.reusedID
      return .content(content, hints)
    } catch {
      let failure = Service.meaning(of: error, client)
      return .failed(failure.failure, watch.adding(to: failure.hints))
    }
  }
}

/// What a service is asked for: the part of its list after a cursor.
struct ServiceRequest<Cursor: ServiceCursor>: Sendable {
  var cursor: Cursor
  /// Of the first page; empty where nothing may be called "not modified".
  var validators: Validators
  /// Whether an earlier part of the same poll was read: else the poll begins, perhaps in the middle of a list that the last
  /// one could not read to its end.
  var isContinued: Bool

  init(_ cursor: Cursor, _ position: PollPosition) {
    self.cursor = cursor
    validators = position.validators
    isContinued = position.isContinued
  }
}

/// What one part of a service's list brought, and from where the next one goes on.
struct ServicePart<Cursor: ServiceCursor>: Sendable {
  /// Oldest first.
  var messages: [IncomingMessage] = []
  var problems: [FormatProblem] = []
  var upstream: UpstreamState?
  var cursor: Cursor
  var validators = Validators()
  /// The service's web page.
  var link: String?
  /// `hasMore`: the list goes on.
  var hints = PollHints()
  /// Nothing is new; the cursor may still have moved.
  var isNotModified = false

  init(_ cursor: Cursor) { self.cursor = cursor }

  init(notModified cursor: Cursor, _ validators: Validators = Validators()) {
    self.cursor = cursor
    self.validators = validators
    isNotModified = true
  }

  /// - Parameter list: newest first.
  mutating func add(_ list: ServiceMessages) {
    messages += list.messages.reversed()
    problems += list.problems
  }
}

/// What a service keeps from one request to the next: stored as JSON, in the source's cursor.
protocol ServiceCursor: Codable, Equatable, Sendable {
  /// Before the first poll.
  init()

  /// A cursor in the form of an earlier version; nil: it isn't one.
  init?(earlier text: String)
}

extension ServiceCursor {
  init?(earlier text: String) { nil }

  /// A cursor that can't be read is as none: everything is read again, and what is known is not new.
  init(stored cursor: Cursor?) {
    guard let text = cursor?.text else {
      self.init()
      return
    }
    if let known = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) {
      self = known
    } else {
      self = Self(earlier: text) ?? Self()
    }
  }

  var stored: Cursor? {
    if self == Self() { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Encoding numbers, texts and lists of them cannot fail: numbers are finite.
    return (try? encoder.encode(self)).map { Cursor(String(decoding: $0, as: UTF8.self)) }
  }
}
