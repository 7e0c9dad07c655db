import Basics
import Formats
import Foundation
import HTTP
import Messages

/// One page of a list.
struct ListPage: Sendable {
  var elements: [JSONValue]
  /// Where the list is in the document.
  var path = "$"
  /// Names the next page; nil: the list ends here.
  var next: String?
}

/// One element of a list.
struct ListElement: Sendable {
  var message: IncomingMessage
  /// By the service's clock; the list is in its order.
  var time: Date?
  var isOpen = true
  var marks: UpstreamMarks?
  /// The API's address of more about it, which the list does not have.
  var details: String?
  /// The id of what it belongs to, where the list does not have the name.
  var group: String?

  /// Its id, where that is a number.
  var number: Int? { Int(message.remoteID.text) }
}

/// A service that lists what is open, newest first, in pages. A page is named by a number or by the last id before it, never
/// by an address that an answer has: the origin stays the source's own.
protocol PagedService: ServiceAdapter where Cursor == ListCursor {
  /// The request for a page.
  ///
  /// - Parameter page: nil: the first one.
  static func address(ofPage page: String?, _ client: ServiceClient) -> String

  /// A service that does not have its own answers with a list, and names the next page in a `Link`.
  ///
  /// - Parameter reading: the pages before this one; nil: it is the first one.
  static func page(
    _ answer: ServiceAnswer, after reading: ListCursor.Reading?
  ) throws(ServiceFailure) -> ListPage

  /// - Returns: nil where the element isn't a message, which `fields` has a note of.
  static func element(_ fields: inout JSONFields) -> ListElement?

  static var headers: [HeaderField] { get }
  static var accept: String { get }
  /// Polls and seconds after which the whole list is read again.
  static var pollsUntilWhole: Int { get }
  static var secondsUntilWhole: Double { get }
  /// Whether the first page may be asked for with validators: "not modified" then means that nothing is new.
  static var isConditional: Bool { get }
  /// Whether the ids are numbers that are counted up. Smaller ones with a later time are those of a server that was
  /// restored, or began anew.
  static var countsIDs: Bool { get }

  /// The web page of the list.
  static func link(_ client: ServiceClient) -> String?

  static func hints(_ answer: ServiceAnswer, _ client: ServiceClient) -> PollHints

  /// `Last-Modified` of an answer, where it may be used.
  static func lastModified(_ answer: ServiceAnswer, _ client: ServiceClient) -> String?

  /// Reads what the list does not have of its elements.
  ///
  /// - Parameter elements: of the page, in its order; changed ones are the messages.
  static func addDetails(
    to elements: [ListElement], _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async -> [IncomingMessage]
}

extension PagedService {
  static var headers: [HeaderField] { [] }
  static var accept: String { "application/json" }
  static var pollsUntilWhole: Int { Limits.pollsUntilWhole }
  static var secondsUntilWhole: Double { Limits.wholeListSeconds }
  static var isConditional: Bool { false }
  static var countsIDs: Bool { false }
  static func hints(_ answer: ServiceAnswer, _ client: ServiceClient) -> PollHints { PollHints() }
  static func lastModified(_ answer: ServiceAnswer, _ client: ServiceClient) -> String? { nil }

  static func addDetails(
    to elements: [ListElement], _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async -> [IncomingMessage] { elements.map(\.message) }

  static func page(
    _ answer: ServiceAnswer, after reading: ListCursor.Reading?
  ) throws(ServiceFailure) -> ListPage {
    ListPage(elements: try answer.list(), next: answer.link("next").map { _ in reading.nextNumber })
  }

  func part(
    _ request: ServiceRequest<ListCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<ListCursor> {
    // What is new since the last poll is on the first page, also where that one ended in the middle of the list.
    if request.cursor.reading != nil, !request.isContinued {
      return try await firstPageAgain(request, client)
    }
    let now = client.context.now
    var part = ServicePart(request.cursor)
    let asked = request.cursor.reading?.page
    let isFirst = asked == nil
    var reading =
      request.cursor.reading
      ?? ListCursor.Reading(
        page: "",
        isWhole: request.cursor.isWholeDue(
          now, afterPolls: Self.pollsUntilWhole, seconds: Self.secondsUntilWhole))
    // "Not modified" means that nothing is new, and says nothing of what was read elsewhere.
    let isConditional = Self.isConditional && isFirst && !reading.isWhole
    let answer = try await ask(asked, isConditional ? request.validators : Validators(), client)
    part.hints = Self.hints(answer, client)
    if answer.isNotModified {
      part.cursor.endBeginning()
      part.validators = request.validators
      part.isNotModified = true
      return part
    }
    if isFirst { reading.lastModified = Self.lastModified(answer, client) }
    let page = try Self.page(answer, after: request.cursor.reading)
    let (elements, isWhole) = await add(page, to: &part, client)
    part.link = Self.link(client)

    let earlier = request.cursor
    if Self.countsIDs, elements.isOfAnotherCount(than: earlier) {
      part.cursor.names = nil
      reading.isWhole = true
    }
    let isPartial = answer.isPartial
    if isPartial { part.problems.append(ServiceAnswer.partialProblem) }
    // Fewer elements than the list has, though there is no other page.
    let isShort = page.next == nil && answer.total.map { $0 > reading.count + page.elements.count } ?? false
    reading.isDamaged = reading.isDamaged || !isWhole || isPartial || isShort
    let open = elements.filter(\.isOpen).map(\.message.remoteID.text)
    reading.extend(to: elements, countsIDs: Self.countsIDs)
    let hasReachedKnown = elements.contains { element in
      if Self.countsIDs { return element.number.map { $0 <= earlier.greatest ?? .min } ?? false }
      guard let time = element.time, let known = earlier.newestDate else { return false }
      return known.timeIntervalSince(time) > Limits.listOverlap
    }

    // A page that leads to itself would be read again and again.
    if let next = page.next, next != asked, reading.isWhole || !hasReachedKnown {
      reading.page = next
      reading.count += page.elements.count
      if reading.isWhole {
        reading.open += open
      } else {
        part.cursor.add(brought: part.messages.map(\.remoteID))
      }
      part.cursor.reading = reading
      part.hints.leaveMore()
      return part
    }
    // A list of one page was read whole, whatever was asked for.
    if page.next == nil, reading.isWhole || isFirst, !reading.isDamaged {
      var upstream = part.upstream ?? UpstreamState()
      part.cursor.endWhole(
        Set(reading.open + open), isOnePage: isFirst, at: now, into: &upstream)
      part.upstream = upstream
    } else {
      part.cursor.add(brought: part.messages.map(\.remoteID))
      part.cursor.endBeginning()
    }
    part.cursor.end(reading)
    part.validators.lastModified = reading.lastModified
    return part
  }

  /// The next part goes on in the middle of the list.
  private func firstPageAgain(
    _ request: ServiceRequest<ListCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<ListCursor> {
    var part = ServicePart(request.cursor)
    let answer = try await ask(nil, Validators(), client)
    part.hints = Self.hints(answer, client)
    let (elements, _) = await add(try Self.page(answer, after: nil), to: &part, client)
    part.link = Self.link(client)
    if Self.countsIDs, elements.isOfAnotherCount(than: request.cursor) {
      // Nothing in the middle of the old list is of use: all is read from the beginning.
      part.cursor = ListCursor()
    } else {
      part.cursor.add(brought: part.messages.map(\.remoteID))
      // What was read elsewhere meanwhile has moved the others to earlier pages.
      if !Self.countsIDs { part.cursor.stepBack() }
    }
    part.hints.leaveMore()
    return part
  }

  private func ask(
    _ page: String?, _ validators: Validators, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServiceAnswer {
    try await client.get(
      Self.address(ofPage: page, client), headers: Self.headers, validators: validators, accept: Self.accept)
  }

  /// - Returns: the elements that could be read, in the order of the page, each once; and whether all could.
  private func add(
    _ page: ListPage, to part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async -> (elements: [ListElement], isWhole: Bool) {
    let (list, elements, isWhole) = Self.read(page)
    part.problems += list.problems
    var upstream = UpstreamState()
    for element in elements {
      if let said = element.marks {
        upstream.marks.append(UpstreamState.Mark(element.message.remoteID, said))
      }
    }
    part.upstream = upstream
    part.messages += await Self.addDetails(to: elements, &part, client).reversed()
    return (elements, isWhole)
  }

  private static func read(_ page: ListPage) -> (ServiceMessages, [ListElement], isWhole: Bool) {
    var list = ServiceMessages()
    var elements: [ListElement] = []
    var seen: Set<RemoteID> = []
    var isWhole = true
    for found in list.elements(page.elements, at: page.path, { Self.element(&$0) }) {
      guard var element = found else {
        isWhole = false
        continue
      }
      guard seen.insert(element.message.remoteID).inserted else { continue }
      element.message.keepWithinLimits()
      elements.append(element)
    }
    return (list, elements, isWhole)
  }

  static func messages(of bytes: Data, _ client: ServiceClient) -> ServiceMessages? {
    guard let page = try? Self.page(ServiceAnswer(of: bytes), after: nil) else { return nil }
    var (list, elements, _) = read(page)
    for element in elements { list.append(element.message) }
    return list
  }
}

extension [ListElement] {
  /// Whether a server counts its ids anew: an id that is not greater than the greatest one known belongs to an element that
  /// is younger than the newest one known.
  fileprivate func isOfAnotherCount(than cursor: ListCursor) -> Bool {
    guard let greatest = cursor.greatest, let newest = cursor.newestDate else { return false }
    return contains { element in
      guard let id = element.number, let time = element.time else { return false }
      return id <= greatest && time.timeIntervalSince(newest) > 1
    }
  }
}

extension ListCursor.Reading? {
  /// The page after the one that follows these, where pages have numbers from 1.
  var nextNumber: String { String((flatMap { Int($0.page) } ?? 1) &+ 1) }
}
