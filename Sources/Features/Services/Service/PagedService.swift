import Basics
import Formats
import Foundation
import HTTP
import Messages

/// One page of a service's list.
struct ListPage: Sendable {
  var elements: [JSONValue]
  /// The path of the list in the document.
  var path = "$"
  /// The number or id that identifies the next page, or `nil` if this page is the last one.
  var next: String?
}

/// An element of a service's list, and the message made from it.
struct ListElement: Sendable {
  var message: IncomingMessage
  /// The element's time by the service's clock; the list is sorted by it.
  var time: Date?
  /// Whether the element is still to be dealt with, for example an unread notification.
  var isOpen = true
  /// The state of the message at the service, or `nil` if the element does not report it.
  var marks: UpstreamMarks?
  /// The API's address for details that the list does not have, or `nil` if there are none.
  var details: String?
  /// Whether the issue or pull request that the element is about was closed or merged, or `nil` if that isn't known.
  var isOver: Bool?
  /// The API's address of that issue or pull request, if the list does not contain its state.
  var subject: String?
  /// The id of the group that the element belongs to, if the list does not have the group's name.
  var group: String?

  /// The message's id as a number, if it is one.
  var number: Int? { Int(message.remoteID.text) }
}

/// A service that lists open elements, newest first, in pages. A page is identified by a number or by the last id
/// before it, never by an address in a response, so that requests stay on the source's own origin.
protocol PagedService: ServiceAdapter where Cursor == ListCursor {
  /// Returns the address of a page.
  ///
  /// - Parameter page: the page; `nil` for the first one.
  static func address(ofPage page: String?, _ client: ServiceClient) -> String

  /// Reads a page. By default, the response is a list and names the next page in a `Link` header.
  ///
  /// - Parameter reading: the state after the previous pages; `nil` for the first page.
  static func page(
    _ answer: ServiceAnswer, after reading: ListCursor.Reading?
  ) throws(ServiceFailure) -> ListPage

  /// Converts an element of the list.
  ///
  /// - Returns: `nil` if the element isn't a message; `fields` then has a problem.
  static func element(_ fields: inout JSONFields) -> ListElement?

  /// The headers of each request for a page, and the value of its `Accept` header.
  static var headers: [HeaderField] { get }
  static var accept: String { get }
  /// The numbers of polls and of seconds after which the whole list is read again.
  static var pollsUntilWhole: Int { get }
  static var secondsUntilWhole: Double { get }
  /// Whether the first page may be requested with validators: "not modified" then means that nothing is new.
  static var isConditional: Bool { get }
  /// Whether the ids are numbers that increase. If ids become smaller while times become later, the server was restored
  /// or restarted its numbers.
  static var countsIDs: Bool { get }

  /// Returns the URL of the list's web page, or `nil` if it has none.
  static func link(_ client: ServiceClient) -> String?

  /// Returns the hints for the next poll that a response contains, for example a poll interval.
  static func hints(_ answer: ServiceAnswer, _ client: ServiceClient) -> PollHints

  /// Returns the `Last-Modified` of a response if it may be sent with the next request, otherwise `nil`.
  static func lastModified(_ answer: ServiceAnswer, _ client: ServiceClient) -> String?

  /// Adds the states of the issues and pull requests that elements are about, if the list does not contain them:
  /// whether they have ended, and tags. It may send one request.
  ///
  /// - Parameter elements: the elements of the page, in its order.
  static func addStates(
    to elements: inout [ListElement], _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async

  /// Reads the details that the list does not contain, and returns the messages of the elements with them.
  ///
  /// - Parameter elements: the elements of the page, in its order.
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

  static func addStates(
    to elements: inout [ListElement], _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async {}

  static func addDetails(
    to elements: [ListElement], _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async -> [IncomingMessage] { elements.map(\.message) }

  static func page(
    _ answer: ServiceAnswer, after reading: ListCursor.Reading?
  ) throws(ServiceFailure) -> ListPage {
    ListPage(elements: try answer.list(), next: answer.link("next").map { _ in reading.nextNumber })
  }

  /// Reads one page. Continues the list until a known element is reached or, if the whole list is due, until its end.
  func part(
    _ request: ServiceRequest<ListCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<ListCursor> {
    // The elements that are new since the last poll are on the first page, even if that poll ended in the middle of the
    // list.
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
    // "Not modified" means that nothing is new, but not that nothing was read elsewhere.
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
    // The page has fewer elements than the list, although there is no next page.
    let isShort = page.next == nil && answer.total.map { $0 > reading.count + page.elements.count } ?? false
    reading.isDamaged = reading.isDamaged || !isWhole || isPartial || isShort
    let open = elements.filter(\.isOpen).map(\.message.remoteID.text)
    let stated = elements.map(\.message.remoteID).filter { part.cursor[tagsOf: $0] != nil }
    if !stated.isEmpty { reading.stated = (reading.stated ?? []) + stated.map(\.text) }
    reading.extend(to: elements, countsIDs: Self.countsIDs)
    let hasReachedKnown = elements.contains { element in
      if Self.countsIDs { return element.number.map { $0 <= earlier.greatest ?? .min } ?? false }
      guard let time = element.time, let known = earlier.newestDate else { return false }
      return known.timeIntervalSince(time) > Limits.listOverlap
    }

    // A page that names itself as the next one would be read for ever.
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
    // A list of one page was read whole, whatever was requested.
    if page.next == nil, reading.isWhole || isFirst, !reading.isDamaged {
      var upstream = part.upstream ?? UpstreamState()
      part.cursor.endWhole(
        Set(reading.open + open), stated: reading.stated ?? [], isOnePage: isFirst, at: now, into: &upstream)
      part.upstream = upstream
    } else {
      part.cursor.add(brought: part.messages.map(\.remoteID))
      part.cursor.endBeginning()
    }
    part.cursor.end(reading)
    part.validators.lastModified = reading.lastModified
    return part
  }

  /// Reads the first page, for new elements. The next part then continues the list that the last poll could not finish.
  private func firstPageAgain(
    _ request: ServiceRequest<ListCursor>, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServicePart<ListCursor> {
    var part = ServicePart(request.cursor)
    let answer = try await ask(nil, Validators(), client)
    part.hints = Self.hints(answer, client)
    let (elements, _) = await add(try Self.page(answer, after: nil), to: &part, client)
    part.link = Self.link(client)
    if Self.countsIDs, elements.isOfAnotherCount(than: request.cursor) {
      // The position in the old list is useless: everything is read from the beginning.
      part.cursor = ListCursor()
    } else {
      part.cursor.add(brought: part.messages.map(\.remoteID))
      // Elements that were read elsewhere in the meantime are no longer in it, so the others have moved to earlier
      // pages.
      if !Self.countsIDs { part.cursor.stepBack() }
    }
    part.hints.leaveMore()
    return part
  }

  /// Requests a page of the list; `nil` stands for the first page.
  private func ask(
    _ page: String?, _ validators: Validators, _ client: ServiceClient
  ) async throws(ServiceFailure) -> ServiceAnswer {
    try await client.get(
      Self.address(ofPage: page, client), headers: Self.headers, validators: validators, accept: Self.accept)
  }

  /// Adds the messages, the problems and the states of a page to a part.
  ///
  /// - Returns: the elements that could be read, in the order of the page and without duplicates; and whether all could
  ///   be read.
  private func add(
    _ page: ListPage, to part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async -> (elements: [ListElement], isWhole: Bool) {
    let (list, read, isWhole) = Self.read(page)
    var elements = read
    part.problems += list.problems
    await Self.addStates(to: &elements, &part, client)
    var upstream = UpstreamState()
    for element in elements {
      if let said = element.marks {
        upstream.marks.append(UpstreamState.Mark(element.message.remoteID, said))
      }
    }
    part.upstream = upstream
    // Nobody asks about what was read.
    for element in elements where element.isOpen {
      if let isOver = element.isOver { part.endings.append((element.message.remoteID, isOver)) }
    }
    part.messages += await Self.addDetails(to: elements, &part, client).reversed()
    return (elements, isWhole)
  }

  /// Converts the elements of a page. `isWhole` is `false` if an element could not be read.
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
  /// Whether the server has restarted its numbers: an element has an id that is not greater than the greatest known id,
  /// but is newer than the newest known element.
  fileprivate func isOfAnotherCount(than cursor: ListCursor) -> Bool {
    guard let greatest = cursor.greatest, let newest = cursor.newestDate else { return false }
    return contains { element in
      guard let id = element.number, let time = element.time else { return false }
      return id <= greatest && time.timeIntervalSince(newest) > 1
    }
  }
}

extension ListCursor.Reading? {
  /// The number of the page after those that were read, for services that number their pages from 1.
  var nextNumber: String { String((flatMap { Int($0.page) } ?? 1) &+ 1) }
}
