import Basics
import Messages
import Testing

@testable import Notifications

/// Other programs' notices, from the messages of the bus to those that are stored.
struct ProgramNoticeTests {
  private static func call(
    _ summary: String = "Done", body: String = "", program: String = "Slack", replaces: UInt32 = 0,
    actions: [String] = [], hints: [(String, BusValue)] = [], serial: UInt32 = 1, from sender: String = ":1.9"
  ) -> BusMessage {
    var call = BusMessage.call(
      "Notify", of: DesktopNotifications.name, at: DesktopNotifications.path, to: DesktopNotifications.name,
      [
        .string(program), .uint32(replaces), .string(""), .string(summary), .string(body), .strings(actions),
        .dictionary(hints), .int32(-1),
      ])
    (call.serial, call.sender) = (serial, sender)
    return call
  }

  private static func answer(_ number: UInt32, to call: BusMessage, from daemon: String = ":1.2")
    -> BusMessage
  {
    var answer = BusMessage.answer(call, [.uint32(number)])
    answer.sender = daemon
    return answer
  }

  private static func closed(_ number: UInt32, reason: UInt32) -> BusMessage {
    var signal = BusMessage.signal(
      "NotificationClosed", of: DesktopNotifications.name, at: DesktopNotifications.path,
      [.uint32(number), .uint32(reason)])
    signal.sender = ":1.2"
    return signal
  }

  private static func message(_ call: BusMessage) throws -> IncomingMessage {
    try #require(ProgramNotice(call.body)).message(RemoteID("x"))
  }

  @Test func aNoticeBecomesAMessage() throws {
    let call = Self.call(
      "Ada\nLovelace", body: "<b>Hi</b>\n<a href='https://slack.example/1'>open</a>",
      actions: ["default", "Open", "reply", "Reply", "mute", "Mute\u{1B}[2J", "odd"],
      hints: [("urgency", .byte(2)), ("category", .string("im.received"))])
    let message = try Self.message(call)
    #expect(message.kind == .desktop && message.title == "Ada Lovelace")
    #expect(message.body == "Hi\nopen\n\n[Reply] [Mute\u{1B}[2J]")
    #expect(message.url == "https://slack.example/1" && message.channel == "Slack")
    #expect(message.tags == ["im.received"] && message.priority == Priority(5))
  }

  @Test(arguments: [
    (BusValue.byte(0), 2), (.byte(1), 3), (.byte(2), 5), (.int32(2), 5), (.byte(9), 3), (.string("2"), 3),
    (.int32(-1), 3),
  ])
  func urgencyIsItsPriority(_ urgency: BusValue, _ priority: Int) throws {
    #expect(try Self.message(Self.call(hints: [("urgency", urgency)])).priority == Priority(priority))
  }

  /// The hint `image-data` of the Desktop Notifications Specification 1.2.
  private static func picture(
    _ width: Int32, _ height: Int32, row: Int32, alpha: Bool = false, bits: Int32 = 8, samples: Int32 = 3,
    _ bytes: [UInt8]
  ) -> BusValue {
    .structure([
      .int32(width), .int32(height), .int32(row), .boolean(alpha), .int32(bits), .int32(samples),
      .bytes(bytes),
    ])
  }

  @Test(arguments: ["image-data", "image_data", "icon_data"])
  func aPictureComesWithIt(_ hint: String) throws {
    // Two rows of three pixels, with two bytes after each row that belong to no pixel.
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 11, 12, 13, 14, 15, 16, 17, 18, 19]
    let call = Self.call(hints: [(hint, Self.picture(3, 2, row: 11, bytes))])
    let held = try #require(PictureData(address: Self.message(call).extras?.poster ?? ""))
    let (width, height, pixels) = try PNGPixels.read(held.png)
    #expect((width, height) == (3, 2))
    #expect(
      pixels == [
        [1, 2, 3, 255], [4, 5, 6, 255], [7, 8, 9, 255], [11, 12, 13, 255], [14, 15, 16, 255],
        [17, 18, 19, 255],
      ])
  }

  @Test func aLargePictureIsMadeSmall() throws {
    // 200 by 100 pixels; the left half is red, the right one can't be seen.
    let row = [UInt8]((0..<200).flatMap { $0 < 100 ? [255, 0, 0, 255] : [9, 9, 9, 0] })
    let bytes = (0..<100).flatMap { _ in row }
    let call = Self.call(
      hints: [("image-data", Self.picture(200, 100, row: 800, alpha: true, samples: 4, bytes))])
    let held = try #require(PictureData(address: Self.message(call).extras?.poster ?? ""))
    let (width, height, pixels) = try PNGPixels.read(held.png)
    #expect((width, height) == (67, 34))
    #expect(pixels[0] == [255, 0, 0, 255] && pixels[66] == [0, 0, 0, 0])
  }

  @Test(arguments: [
    BusValue.string("x"), .bytes([1, 2, 3]), .structure([]), picture(0, 1, row: 0, []),
    picture(-1, -1, row: -3, [1, 2, 3]), picture(2, 1, row: 6, [1, 2, 3]),
    picture(1, 2, row: 3, [1, 2, 3, 4]),
    picture(.max, .max, row: .max, [1]), picture(1, .max, row: 3, [1, 2, 3]),
    picture(2, 1, row: 3, [1, 2, 3, 4, 5, 6]),
    picture(1, 1, row: 3, bits: 16, [1, 2, 3]), picture(1, 1, row: 4, samples: 4, [1, 2, 3, 4]),
    picture(1, 1, row: 3, alpha: true, [1, 2, 3, 4]),
  ])
  func whatIsNotAPictureLeavesTheNotice(_ hint: BusValue) throws {
    let message = try Self.message(Self.call(hints: [("image-data", hint), ("urgency", .byte(2))]))
    #expect(message.title == "Done" && message.extras == nil && message.priority == Priority(5))
  }

  @Test func withoutASummaryTheTextIsTheTitle() throws {
    let message = try Self.message(Self.call("", body: "first\nsecond", program: ""))
    #expect(message.title == "first" && message.body == "second" && message.channel == nil)
    #expect(try Self.message(Self.call("")).title == "Slack")
    let entry = Self.call(program: "", hints: [("desktop-entry", .string("org.kde.kate"))])
    #expect(try Self.message(entry).channel == "org.kde.kate")
  }

  @Test(arguments: [
    [("transient", BusValue.boolean(true))], [("transient", .int32(1))],
  ])
  func whatIsNotToBeKeptIsLeftOut(_ hints: [(String, BusValue)]) {
    var notices = MonitoredNotices(bus: "b")
    let call = Self.call(hints: hints)
    #expect(notices.read(call, at: .zero) == [] && notices.read(Self.answer(1, to: call), at: .zero) == [])
    #expect(notices.nextDue == nil)
  }

  /// Each change, for example of the volume or of a download, is a notification with a separate number.
  @Test(arguments: ["x-dunst-stack-tag", "x-canonical-private-synchronous"])
  func noticesOfOneStackAreOneMessage(_ hint: String) {
    var notices = MonitoredNotices(bus: "b")
    var ids: [RemoteID] = []
    func show(_ number: UInt32, _ program: String, _ hints: [(String, BusValue)]) {
      let call = Self.call(program: program, hints: hints)
      _ = notices.read(call, at: .zero)
      for case .shown(_, let id) in notices.read(Self.answer(number, to: call), at: .zero) { ids.append(id) }
    }
    for number in 1...3 { show(UInt32(number), "Slack", [(hint, .string("volume"))]) }
    // Another stack, the same stack of another program, and no stack.
    show(4, "Slack", [(hint, .string("light"))])
    show(5, "Mixer", [(hint, .string("volume"))])
    show(6, "Slack", [("value", .int32(40))])
    show(7, "Slack", [("value", .int32(50))])
    #expect(Set(ids.prefix(3)).count == 1)
    #expect(Set(ids).count == 5)
    // Only the newest notification of a stack can be closed, since earlier ones were replaced.
    #expect(notices.read(Self.closed(3, reason: 2), at: .zero) == [.closed(ids[0])])
    #expect(notices.read(Self.closed(1, reason: 2), at: .zero) != [.closed(ids[0])])
  }

  @Test func ourOwnAreLeftOut() throws {
    let own = Self.call(program: "reddot", hints: [("desktop-entry", .string("reddot"))])
    #expect(try #require(ProgramNotice(own.body)).isKept == false)
    // A program may be called so.
    #expect(try #require(ProgramNotice(Self.call(program: "reddot").body)).isKept)
    #expect(try #require(ProgramNotice(Self.call(hints: [("transient", .boolean(false))]).body)).isKept)
  }

  @Test func programsAreNamedIgnoringCase() throws {
    let call = Self.call(hints: [("desktop-entry", .string("com.slack.Slack"))])
    let notice = try #require(ProgramNotice(call.body))
    #expect(notice.isOf("slack") && notice.isOf("COM.slack.slack") && !notice.isOf("Slac"))
  }

  @Test func aReplacedNoticeKeepsItsID() {
    var notices = MonitoredNotices(bus: "b")
    let calls = [Self.call("1 %"), Self.call("2 %", replaces: 7, serial: 2)]
    var ids: [RemoteID] = []
    for call in calls {
      #expect(notices.read(call, at: .zero) == [])
      for case .shown(_, let id) in notices.read(Self.answer(7, to: call), at: .zero) { ids.append(id) }
    }
    #expect(ids == [RemoteID("b/:1.2/7"), RemoteID("b/:1.2/7")])
  }

  /// Two programs may count alike.
  @Test func answersBelongToTheirCallers() {
    var notices = MonitoredNotices(bus: "b")
    let (one, other) = (Self.call("one"), Self.call("other", from: ":1.10"))
    for call in [one, other] { _ = notices.read(call, at: .zero) }
    let shown = [Self.answer(2, to: other), Self.answer(1, to: one)].flatMap {
      notices.read($0, at: .zero)
    }
    #expect(
      shown.compactMap {
        if case .shown(let notice, let id) = $0 { "\(notice.summary) \(id.text)" } else { nil }
      }
        == ["other b/:1.2/2", "one b/:1.2/1"])
  }

  @Test(arguments: [(UInt32(1), false), (2, true), (3, true), (4, false)])
  func closingIsReading(_ reason: UInt32, _ isRead: Bool) {
    var notices = MonitoredNotices(bus: "b")
    #expect(
      notices.read(Self.closed(7, reason: reason), at: .zero)
        == (isRead ? [.closed(RemoteID("b/:1.2/7"))] : []))
  }

  /// A daemon that hangs, or a program that wants no answer, loses nothing.
  @Test func aNoticeWithoutAnAnswerComesLater() {
    var notices = MonitoredNotices(bus: "b")
    #expect(notices.read(Self.call(), at: .seconds(1)) == [])
    #expect(notices.nextDue == .seconds(1) + Limits.caughtCallTime)
    #expect(notices.overdue(at: .seconds(2)) == [])
    #expect(notices.overdue(at: .seconds(100)).count == 1 && notices.nextDue == nil)
    var call = Self.call(serial: 2)
    call.wantsNoAnswer = true
    #expect(notices.read(call, at: .zero).count == 1 && notices.nextDue == nil)
  }

  @Test func neverMoreThanSoManyWait() {
    var notices = MonitoredNotices(bus: "b")
    var shown = 0
    for serial in 1...UInt32(Limits.caughtCalls + 10) {
      shown += notices.read(Self.call(serial: serial), at: .zero).count
    }
    #expect(shown == 10)
    #expect(notices.overdue(at: .seconds(100)).count == Limits.caughtCalls)
  }

  @Test func argumentsThatAreNotThoseOfNotifyAreNothing() {
    for count in 0..<5 { #expect(ProgramNotice(Array(Self.call().body.prefix(count))) == nil) }
    #expect(ProgramNotice(Array(repeating: .uint32(1), count: 8)) == nil)
  }

  // MARK: In the daemon's place

  private static func server() -> NoticeServer { NoticeServer(bus: "b", daemon: ":1.2", version: "1") }

  @Test func idsAreNeverZeroAndReplacedOnesStay() {
    var server = Self.server()
    let numbers = [Self.call(), Self.call(), Self.call(replaces: 1), Self.call(replaces: .max), Self.call()]
      .map {
        server.answer($0).messages.first?.body.first?.number
      }
    #expect(numbers == [1, 2, 1, .max, 1])
  }

  @Test func closingIsToldToAll() throws {
    var server = Self.server()
    _ = server.answer(Self.call())
    var close = BusMessage.call(
      "CloseNotification", of: DesktopNotifications.name, at: DesktopNotifications.path, to: ":1.2",
      [.uint32(1)])
    let outcome = server.answer(close)
    #expect(outcome.messages.map(\.kind) == [.answer, .signal])
    #expect(outcome.messages.last?.member == "NotificationClosed")
    #expect(outcome.messages.last?.body == [.uint32(1), .uint32(3)])
    #expect(outcome.events == [.closed(RemoteID("b/:1.2/1"))])
    close.body = [.uint32(9)]
    #expect(server.answer(close).messages.map(\.kind) == [.failure])
  }

  @Test func whatIsUnknownIsRefused() {
    var server = Self.server()
    var call = Self.call()
    call.member = "Explode"
    #expect(server.answer(call).messages.first?.errorName == "org.freedesktop.DBus.Error.UnknownMethod")
    call.wantsNoAnswer = true
    #expect(server.answer(call).messages == [])
    var empty = Self.call()
    empty.body = []
    #expect(server.answer(empty).messages.first?.errorName == "org.freedesktop.DBus.Error.InvalidArgs")
  }
}
