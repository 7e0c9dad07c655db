import Basics
import Calendars
import Foundation
import HTTP
import Messages
import Services
import Synchronization
import Testing

@testable import Polling

/// Calendars as sources: files, folders and addresses.
struct CalendarAdapterTests {
  /// Answers with one answer, and counts.
  private final class Web: HTTPTransport {
    private struct State {
      var answer: Result<TransportResponse, RequestFailure> = .failure(.cancelled)
      var asked: [TransportRequest] = []
    }
    private let state = Mutex(State())

    var asked: [TransportRequest] { state.withLock { $0.asked } }

    func answer(_ status: Int, _ body: String = "", etag: String? = nil) {
      let headers: HeaderFields = etag.map { ["ETag": $0] } ?? [:]
      let response = TransportResponse(
        status: status, headers: headers, body: Data(body.utf8), finalURL: "https://cal.example/a.ics")
      state.withLock { $0.answer = .success(response) }
    }

    func fail() { state.withLock { $0.answer = .failure(.nameNotFound(host: "cal.example")) } }

    func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
      try state.withLock { state in
        state.asked.append(request)
        return state.answer
      }.get()
    }
  }

  private final class Shelf: Sendable {
    let bytes = Mutex<Data?>(nil)
  }

  private let web = Web()
  private let shelf = Shelf()
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "calendar-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private static func at(_ hour: Int, _ minute: Int = 0) -> Date { CalendarRoundTests.at(hour, minute) }

  private static func calendar(_ uid: String = "one", _ start: String = "20261120T090000Z") -> String {
    "BEGIN:VCALENDAR\r\nX-WR-CALNAME:Team\r\nBEGIN:VEVENT\r\nUID:\(uid)\r\nSUMMARY:\(uid)\r\nDTSTART:\(start)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
  }

  /// Polls like the store: the next poll gets the cursor and the document of the last successful one.
  private func poll(_ address: String, _ position: inout PollPosition, at now: Date) async -> PollOutcome {
    let source = Source(id: SourceID(1), name: "team", kind: .calendar, address: address)
    let adapter = CalendarAdapter(
      fetcher: Fetcher(transport: web), words: CalendarWords(reader: .gmt, join: "Join"),
      missedBefore: { "\($0) earlier" }, sentence: { "\($0)" },
      copy: { [shelf] in shelf.bytes.withLock { $0 } })
    let outcome = await adapter.poll(source, from: position, context: PollContext(now: now))
    if case .content(let content, _) = outcome {
      position = content.position
      if let document = content.document { shelf.bytes.withLock { $0 = document.bytes } }
    }
    return outcome
  }

  private func content(_ outcome: PollOutcome) throws -> (content: PollContent, next: Date?) {
    guard case .content(let content, let hints) = outcome else {
      throw CalendarSampleFailure(outcome: "\(outcome)")
    }
    return (content, hints.nextPoll)
  }

  struct CalendarSampleFailure: Error {
    var outcome: String
  }

  private static let address = "https://cal.example/a.ics"

  @Test func anAddressIsAskedOnceAndItsAlarmNeedsNoAnswer() async throws {
    var position = PollPosition()
    web.answer(200, Self.calendar(), etag: "\"1\"")
    var (content, next) = try content(await poll(Self.address, &position, at: Self.at(8, 45)))
    #expect(content.title == "Team")
    #expect(next == Self.at(8, 50))
    web.fail()
    (content, next) = try self.content(await poll(Self.address, &position, at: Self.at(8, 50)))
    #expect(content.messages.map(\.title) == ["one"])
    #expect(content.problems.isEmpty)
    #expect(web.asked.count == 1)
    // The next request is conditional, and nothing new is no failure.
    web.answer(304)
    (content, next) = try self.content(await poll(Self.address, &position, at: Self.at(9)))
    #expect(web.asked.last?.etag == "\"1\"")
    #expect(content.messages.isEmpty && position.validators.etag == "\"1\"")
  }

  @Test func withoutANetworkAnAlarmIsToldOfFromTheCopy() async throws {
    var position = PollPosition()
    web.answer(200, Self.calendar())
    _ = await poll(Self.address, &position, at: Self.at(7))
    web.fail()
    guard case .failed = await poll(Self.address, &position, at: Self.at(8)) else {
      Issue.record("no failure")
      return
    }
    let (content, _) = try content(await poll(Self.address, &position, at: Self.at(8, 50)))
    #expect(content.messages.map(\.title) == ["one"])
    #expect(content.problems.first?.message.hasPrefix("from the last copy") == true)
  }

  @Test func anAddressWhoseDocumentBreaksOffIsAskedForAllOfIt() async throws {
    var position = PollPosition()
    web.answer(200, Self.calendar(), etag: "\"1\"")
    _ = try content(await poll(Self.address, &position, at: Self.at(8, 45)))
    let told = try content(await poll(Self.address, &position, at: Self.at(8, 52)))
    #expect(told.content.messages.map(\.title) == ["one"])
    web.answer(200, String(Self.calendar().prefix(60)), etag: "\"2\"")
    let cut = try content(await poll(Self.address, &position, at: Self.at(8, 55)))
    #expect(cut.content.endings.isEmpty && !cut.content.problems.isEmpty)
    _ = await poll(Self.address, &position, at: Self.at(8, 58))
    #expect(web.asked.map(\.etag) == [nil, "\"1\"", nil])
  }

  @Test(arguments: ["", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:one\r\nDTST"])
  func aFileThatIsEmptyOrBreaksOffEndsNothing(text: String) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = URL(filePath: "\(folder)/a.ics")
    try Data(Self.calendar().utf8).write(to: file)
    var position = PollPosition()
    _ = await poll(file.absoluteString, &position, at: Self.at(8, 45))
    let told = try content(await poll(file.absoluteString, &position, at: Self.at(8, 50)))
    #expect(told.content.messages.count == 1)
    try Data(text.utf8).write(to: file)
    let outcome = await poll(file.absoluteString, &position, at: Self.at(8, 51))
    if case .content(let content, _) = outcome {
      #expect(content.endings.isEmpty && content.messages.isEmpty && !content.problems.isEmpty)
    } else {
      guard case .failed(.malformed, _) = outcome else {
        Issue.record("\(outcome)")
        return
      }
    }
  }

  @Test(arguments: [true, false])
  func anEmptiedFolderOrFileEndsItsMessagesAtASecondReading(isFolder: Bool) async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = URL(filePath: "\(folder)/a.ics")
    let address = isFolder ? URL(filePath: folder).absoluteString : file.absoluteString
    func empty() throws {
      if isFolder { try FileManager.default.removeItem(at: file) }
      if !isFolder { try Data("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8).write(to: file) }
    }
    try Data(Self.calendar().utf8).write(to: file)
    var position = PollPosition()
    _ = await poll(address, &position, at: Self.at(8, 45))
    let told = try content(await poll(address, &position, at: Self.at(8, 50)))
    #expect(told.content.messages.count == 1)
    try empty()
    let first = try content(await poll(address, &position, at: Self.at(8, 51)))
    #expect(first.content.endings.isEmpty && first.next == Self.at(8, 51) + 30)
    #expect(try content(await poll(address, &position, at: Self.at(8, 51) + 29)).content.endings.isEmpty)
    // The file gets its event back, and is emptied again.
    try Data(Self.calendar().utf8).write(to: file)
    let back = try content(await poll(address, &position, at: Self.at(8, 51) + 30))
    #expect(back.content.endings.isEmpty && back.content.messages.isEmpty && back.next == nil)
    try empty()
    #expect(try content(await poll(address, &position, at: Self.at(8, 52))).content.endings.isEmpty)
    let last = try content(await poll(address, &position, at: Self.at(8, 52) + 30))
    #expect(last.content.endings.map(\.isOver) == [true] && last.next == nil)
  }

  /// vdirsyncer and Syncthing put another file in the place of one that they delete first.
  @Test func aFileOfAFolderThatIsWrittenAgainEndsNothing() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let address = URL(filePath: folder).absoluteString
    func file(_ name: String) -> URL { URL(filePath: "\(folder)/\(name).ics") }
    for name in ["a", "b", "c"] { try Data(Self.calendar(name).utf8).write(to: file(name)) }
    var position = PollPosition()
    _ = await poll(address, &position, at: Self.at(8, 45))
    #expect(try content(await poll(address, &position, at: Self.at(8, 50))).content.messages.count == 3)
    try FileManager.default.removeItem(at: file("b"))
    let first = try content(await poll(address, &position, at: Self.at(8, 51)))
    #expect(first.content.endings.isEmpty && first.next == Self.at(8, 51) + 30)
    try Data(Self.calendar("b").utf8).write(to: file("b"))
    let back = try content(await poll(address, &position, at: Self.at(8, 51) + 1))
    #expect(back.content.endings.isEmpty && back.content.messages.isEmpty && back.next == nil)
    // Two readings that agree end its message, and those of no other file.
    try FileManager.default.removeItem(at: file("b"))
    #expect(try content(await poll(address, &position, at: Self.at(8, 52))).content.endings.isEmpty)
    let last = try content(await poll(address, &position, at: Self.at(8, 52) + 30))
    #expect(last.content.endings.map(\.message.text) == ["event:b@/default"])
    // An event that is missing in its file ends immediately.
    try Data(Self.calendar("d", "20270120T090000Z").utf8).write(to: file("a"))
    let gone = try content(await poll(address, &position, at: Self.at(8, 53)))
    #expect(gone.content.endings.map(\.message.text) == ["event:a@/default"])
  }

  @Test func theNameOfAFileMayBeInCapitals() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(Self.calendar("a").utf8).write(to: URL(filePath: "\(folder)/A.ICS"))
    try Data("not read".utf8).write(to: URL(filePath: "\(folder)/A.ICSX"))
    let reading = try CalendarReading.read(folder)
    #expect(reading.items.map(\.uid) == ["a"] && reading.problems.isEmpty)
    #expect(
      CalendarReading.calendars(in: URL(filePath: folder).deletingLastPathComponent().path).contains(
        URL(filePath: folder).lastPathComponent))
  }

  @Test func anAddressThatIsNoCalendarFails() async throws {
    var position = PollPosition()
    web.answer(200, "<html>Sign in</html>")
    guard
      case .failed(.malformed(let line, let reason), _) = await poll(Self.address, &position, at: Self.at(8))
    else {
      Issue.record("no failure")
      return
    }
    #expect(line == 1 && reason.contains("BEGIN:VCALENDAR"))
  }

  @Test func aFolderIsOneCalendar() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(Self.calendar("a").utf8).write(to: URL(filePath: "\(folder)/a.ics"))
    try Data(Self.calendar("b", "20261120T100000Z").utf8).write(to: URL(filePath: "\(folder)/b.ics"))
    try Data("nothing".utf8).write(to: URL(filePath: "\(folder)/broken.ics"))
    try Data(Self.calendar("c", "2026").utf8).write(to: URL(filePath: "\(folder)/c.ics"))
    try Data("not read".utf8).write(to: URL(filePath: "\(folder)/notes.txt"))
    var position = PollPosition()
    let address = URL(filePath: folder).absoluteString
    var (content, next) = try content(await poll(address, &position, at: Self.at(8)))
    #expect(next == Self.at(8, 50))
    #expect(
      content.problems.map { "\($0.at) \($0.message)" } == [
        "broken.ics it is not an iCalendar file, which begins with BEGIN:VCALENDAR",
        "c.ics:6 DTSTART: 2026 is not a date",
      ])
    (content, next) = try self.content(await poll(address, &position, at: Self.at(9, 50)))
    #expect(content.messages.map(\.title) == ["a", "b"])
    #expect(web.asked.isEmpty)
  }

  @Test func aFileThatIsMissingIsNamed() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var position = PollPosition()
    guard
      case .failed(.file(let path, _), _) = await poll("file://\(folder)/none.ics", &position, at: Self.at(8))
    else {
      Issue.record("no failure")
      return
    }
    #expect(path == "\(folder)/none.ics")
  }

  @Test func aPipeIsNotWaitedFor() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(mkfifo("\(folder)/pipe.ics", 0o600) == 0)
    var position = PollPosition()
    let (content, _) = try content(
      await poll(URL(filePath: folder).absoluteString, &position, at: Self.at(8)))
    #expect(content.problems.map(\.at) == ["pipe.ics"])
  }
}
