package import Basics
package import Calendars
package import Formats
package import Foundation
import HTTP
package import Messages

/// The result of reading some bytes without storing anything.
package struct Inspection: Sendable {
  /// The format: `rss20`, `atom10`, `native`, `schedule`, …; `page` or `unknown` if reddot cannot read it.
  package var format: String
  package var kind: SourceKind?
  package var title: String?
  package var link: String?
  /// The messages in the order of the document.
  package var messages: [IncomingMessage]
  package var problems: [FormatProblem]
  /// The feeds that a page links to.
  package var alternates: [FeedLink] = []
  /// The names of a control file's banners, in document order.
  package var banners: [String] = []
  /// The reason why the bytes aren't a control file of banners, if one was expected.
  package var failure: FetchFailure?
  /// A schedule file's entries.
  package var schedule: ScheduleFile?
  /// A calendar's events and to-dos.
  package var calendar: [CalendarItem]?
  /// The hours from the installation of reddot until local notifications are shown, keyed by index in `messages`.
  package var relativeHours: [Int: Double] = [:]
  /// The notifications that are not shown but turn features on or off, in document order.
  package var notices: [FeatureNotice] = []
  /// The hours from the installation of reddot until these notifications are valid, keyed by index in `notices`.
  package var noticeHours: [Int: Double] = [:]
  /// The response, for the first poll of a source that is added after the inspection, or `nil` for a folder.
  package var first: FirstAnswer?

  /// Whether reddot can follow the document, or the document is a page that links to a feed.
  package var isKnown: Bool { kind != nil || !alternates.isEmpty }
}

extension Inspection {
  /// Creates the result for a calendar.
  package init(_ calendar: CalendarReading) {
    self.init(
      format: "calendar", kind: .calendar, title: calendar.title, messages: [], problems: calendar.problems)
    self.calendar = calendar.items
  }
}

/// Reads bytes without storing anything, for example for a source that the user wants to add.
package enum Inspector {
  /// Reads a received document and returns its format, title, messages and problems.
  ///
  /// - Parameters:
  ///   - kind: the kind, or `nil` to detect it from the bytes.
  ///   - offered: the feeds that the response's `Link` headers name, if the bytes are a page.
  package static func inspect(
    _ bytes: Data, kind: SourceKind?, charset: String? = nil, mediaType: String? = nil,
    offered: [FeedLink] = [], address: String, context: PollContext
  ) -> Inspection {
    var inspection = inspection(bytes, kind, charset, mediaType, address, context)
    if inspection.format == "page" {
      inspection.alternates = FeedLink.inOrder(offered + inspection.alternates)
    }
    return inspection
  }

  private static func inspection(
    _ bytes: Data, _ kind: SourceKind?, _ charset: String?, _ mediaType: String?, _ address: String,
    _ context: PollContext
  ) -> Inspection {
    switch kind {
    case .native: return native(bytes, context) ?? feed(bytes, charset, mediaType, address)
    case .feed: return feed(bytes, charset, mediaType, address)
    case .schedule: return schedule(bytes) ?? feed(bytes, charset, mediaType, address)
    case .banners: return controlFile(bytes)
    case let kind? where kind.row.isService:
      return service(bytes, kind, address, context) ?? feed(bytes, charset, mediaType, address)
    case .calendar: return calendar(bytes) ?? feed(bytes, charset, mediaType, address)
    case _: break
    }
    if let inspection = calendar(bytes) { return inspection }
    let inspection = feed(bytes, charset, mediaType, address)
    if inspection.kind != nil || !inspection.alternates.isEmpty { return inspection }
    return native(bytes, context) ?? schedule(bytes) ?? banners(bytes) ?? inspection
  }

  private static func feed(_ bytes: Data, _ charset: String?, _ mediaType: String?, _ address: String)
    -> Inspection
  {
    let allowance = Allowance(documentBytes: bytes.count)
    let reading = FeedReader.read(
      bytes, charset: charset, mediaType: mediaType, address: address, allowance: allowance)
    switch reading {
    case .feed(let feed):
      let title = feed.title.map(WebFeedMessages.line)
      var messages = WebFeedMessages.messages(of: feed, allowance: allowance)
      let doubted = tellApart(&messages)
      return Inspection(
        format: feed.format.rawValue, kind: .feed, title: title, link: feed.link,
        messages: messages.reversed(),
        problems: doubted + feed.allProblems)
    case .page(let title, let alternates):
      return Inspection(
        format: "page", title: title, messages: [],
        problems: [FormatProblem(at: "", message: "this is a web page, not a feed")], alternates: alternates)
    case .notAFeed(let found):
      return Inspection(
        format: "unknown", messages: [],
        problems: [FormatProblem(at: "", message: "this is \(found), not a feed")])
    }
  }

  /// Gives entries that have the same id the distinct ids under which they would be stored, and returns a problem for
  /// each such id.
  private static func tellApart(_ messages: inout [IncomingMessage]) -> [FormatProblem] {
    var places: [RemoteID: [Int]] = [:]
    for place in messages.indices { places[messages[place].remoteID, default: []].append(place) }
    var reader = EntryReader()
    var doubted: [(place: Int, problem: FormatProblem)] = []
    for (id, places) in places where places.count > 1 {
      let facts = places.map { reader.read(messages[$0], as: id).facts }
      // The same entry may be listed twice.
      let count = Set(facts.map(\.words)).count
      if count < 2 { continue }
      var (made, given): ([Int64: RemoteID], Set<RemoteID>) = ([:], [])
      for (place, facts) in zip(places, facts) {
        let apart = made[facts.words] ?? id.apart(facts, from: given)
        made[facts.words] = apart
        given.insert(apart)
        messages[place].remoteID = apart
      }
      doubted.append((places[0], .repeated(id: id, entries: count)))
    }
    let problems = doubted.sorted { $0.place < $1.place }.map(\.problem)
    let rest = problems.count - Limits.storedProblems
    if rest <= 0 { return problems }
    return problems.prefix(Limits.storedProblems) + [.repeated(ids: rest)]
  }

  private static func native(_ bytes: Data, _ context: PollContext) -> Inspection? {
    let allowance = Allowance(documentBytes: bytes.count)
    guard let page = try? NativeFeedReader.read(bytes, allowance: allowance) else { return nil }
    var messages = NativeMessages(context: context)
    messages.take(page.items, allowance: allowance)
    // The time of installation isn't known here, so such messages have no date.
    var relativeHours: [Int: Double] = [:]
    var noticeHours: [Int: Double] = [:]
    let places = Self.places(of: messages.messages.map(\.remoteID))
    let noticePlaces = Self.places(of: messages.features.map(\.remoteID))
    for item in page.items {
      guard let hours = item.notification?.relativeHours else { continue }
      let id = RemoteID(item.messageID)
      if let place = places[id] { relativeHours[place] = hours }
      if let place = noticePlaces[id] { noticeHours[place] = hours }
    }
    let ignored = page.unknownKeys.map { FormatProblem.ignored(key: $0) }
    var inspection = Inspection(
      format: "native", kind: .native, title: page.title,
      messages: messages.messages.enumerated().map { place, message in
        var message = message
        if relativeHours[place] != nil {
          message.visibleFrom = nil
          message.published = nil
        } else {
          message.expires = message.expiry(received: context.now)
        }
        return message
      },
      problems: page.problems + messages.problems + ignored)
    inspection.relativeHours = relativeHours
    inspection.notices = messages.features
    for place in noticeHours.keys { inspection.notices[place].visibleFrom = nil }
    inspection.noticeHours = noticeHours
    return inspection
  }

  /// Reads one response of a service that contains its list, or returns `nil` if the bytes are no such response.
  private static func service(
    _ bytes: Data, _ kind: SourceKind?, _ address: String, _ context: PollContext
  ) -> Inspection? {
    guard let kind, let type = SourceAdapters.serviceType(of: kind) else { return nil }
    let source = Source(id: Source.unregistered, name: kind.rawValue, kind: kind, address: address)
    let service = type.init(transport: NoRequests())
    guard let list = type.messages(of: bytes, service.client(source, context)) else { return nil }
    return Inspection(
      format: kind.rawValue, kind: kind, messages: list.messages, problems: list.problems)
  }

  /// Returns the index of each id.
  private static func places(of ids: [RemoteID]) -> [RemoteID: Int] {
    Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { _, last in last })
  }

  private static func schedule(_ bytes: Data) -> Inspection? {
    guard let file = try? ScheduleFile.read(bytes), file.entries.contains(where: \.isRecognizable)
    else {
      return nil
    }
    var inspection = Inspection(
      format: "schedule", kind: .schedule, messages: [], problems: file.problems)
    inspection.schedule = file
    return inspection
  }

  private static func calendar(_ bytes: Data) -> Inspection? {
    (try? CalendarReading(bytes)).map(Inspection.init)
  }

  private static func banners(_ bytes: Data) -> Inspection? {
    guard let file = try? ControlFileReader.read(bytes), file.banners.contains(where: { !$0.views.isEmpty })
    else {
      return nil
    }
    return inspection(file)
  }

  /// Reads a control file of banners; if the bytes aren't one, the result contains the reason and the line.
  private static func controlFile(_ bytes: Data) -> Inspection {
    do throws(FetchFailure) {
      return inspection(try ControlFileAdapter.controlFile(bytes))
    } catch {
      var inspection = Inspection(format: "unknown", messages: [], problems: [])
      inspection.failure = error
      if case .malformed(let line, let reason) = error {
        inspection.problems = [FormatProblem(at: line.map(String.init) ?? "", message: reason)]
      }
      return inspection
    }
  }

  private static func inspection(_ file: ControlFile) -> Inspection {
    var inspection = Inspection(
      format: "banners", kind: .banners, messages: [], problems: ControlFileAdapter.problems(of: file))
    inspection.banners = file.banners.map(\.name)
    return inspection
  }
}

/// A transport that sends no requests, for reading bytes that were already received.
private struct NoRequests: HTTPTransport {
  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    throw .cancelled
  }
}
