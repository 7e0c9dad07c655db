import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Polls any service. One call reads one part, which is mostly one page of its list.
///
/// The poller requests parts until `PollHints.hasMore` is false, and stores each with the cursor after it. So the parts
/// before a failure, a 429 or the deadline are kept, and the next poll continues there. A service only defines its
/// pages. This type does the work that all services share: the cursor's form, the server's clock, its request limits,
/// and the targets of permanent redirects.
///
/// As for feeds, a new address is used after 3 polls in a row in which every request was redirected to it by 301 or
/// 308. A service has many addresses below that of its source. A redirect of one of them alone, such as that of a
/// renamed project, says nothing about the others: so a redirect counts only if it keeps the part after the source's
/// address.
struct ListPoll<Service: ServiceAdapter>: SourceAdapter {
  /// One service object for all polls, because some services keep a login.
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
      // The redirect of one part of several says nothing about the other parts.
      if !position.isContinued, !part.hints.hasMore { next.count(watch.movedTo, after: position) }
      next.cursor = part.cursor.stored
      next.validators = part.validators
      let hints = watch.adding(to: part.hints)
      if part.isNotModified { return .notModified(next, hints) }
      var content = PollContent(
        messages: part.messages, link: part.link, position: next, problems: part.problems)
      content.upstream = part.upstream
      content.endings = part.endings
      content.reusedID = Service.reusedID
      return .content(content, hints)
    } catch {
      let failure = Service.meaning(of: error, client)
      return .failed(failure.failure, watch.adding(to: failure.hints))
    }
  }
}

/// A request for the part of a service's list that follows a cursor.
struct ServiceRequest<Cursor: ServiceCursor>: Sendable {
  var cursor: Cursor
  /// The validators of the first page; empty if no response may be "not modified".
  var validators: Validators
  /// Whether an earlier part of the same poll was read. If not, the poll begins, perhaps in the middle of a list that
  /// the last poll could not read to its end.
  var isContinued: Bool

  init(_ cursor: Cursor, _ position: PollPosition) {
    self.cursor = cursor
    validators = position.validators
    isContinued = position.isContinued
  }
}

/// The result of reading one part of a service's list, and the cursor for the next part.
struct ServicePart<Cursor: ServiceCursor>: Sendable {
  /// The messages, oldest first.
  var messages: [IncomingMessage] = []
  var problems: [FormatProblem] = []
  /// The state of messages at the service, or `nil` if this part does not report it.
  var upstream: UpstreamState?
  /// The messages whose subject, for example an issue or an alert, is reported to have ended or to be open.
  var endings: [(message: RemoteID, isOver: Bool)] = []
  var cursor: Cursor
  var validators = Validators()
  /// The URL of the service's web page.
  var link: String?
  /// The hints for the next poll. `hasMore` is true if the list continues.
  var hints = PollHints()
  /// Whether nothing is new; the cursor may still have changed.
  var isNotModified = false

  init(_ cursor: Cursor) { self.cursor = cursor }

  /// Creates the result for a list in which nothing is new.
  init(notModified cursor: Cursor, _ validators: Validators = Validators()) {
    self.cursor = cursor
    self.validators = validators
    isNotModified = true
  }

  /// - Parameter list: messages, newest first.
  mutating func add(_ list: ServiceMessages) {
    messages += list.messages.reversed()
    problems += list.problems
  }
}

/// The state that a service keeps from one request to the next. It is stored as JSON, in the source's cursor.
protocol ServiceCursor: Codable, Equatable, Sendable {
  /// Creates the cursor for the first poll, before anything was read.
  init()

  /// Reads a cursor in the form of an earlier version, or returns `nil` if it has another form.
  init?(earlier text: String)
}

extension ServiceCursor {
  init?(earlier text: String) { nil }

  /// Reads a stored cursor. A cursor that can't be read is treated as missing: everything is read again, and known
  /// messages are not new.
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

  /// The cursor as JSON for the database, or `nil` if it is equal to the initial cursor.
  var stored: Cursor? {
    if self == Self() { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Encoding numbers, strings and lists of them cannot fail, because the numbers are finite.
    return (try? encoder.encode(self)).map { Cursor(String(decoding: $0, as: UTF8.self)) }
  }
}
