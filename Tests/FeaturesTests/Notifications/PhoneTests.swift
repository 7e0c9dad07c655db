import Basics
import Foundation
import HTTP
import Messages
import Services
import StandIns
import Storage
import Sync
import Synchronization
import Testing

@testable import Notifications
@testable import Platform
@testable import Profile
@testable import Settings

/// Notifications on the phone, with a stand-in for the server.
struct PhoneTests {
  private final class Clock: Sendable {
    private let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    var time: Date { now.withLock(\.self) }
    func pass(_ seconds: Double) { now.withLock { $0 += seconds } }
  }

  private let clock = Clock()
  private let server: NtfyPhoneStandIn
  private let transport: StandInTransport

  init() {
    server = NtfyPhoneStandIn(StandInConditions(clock: { [clock] in clock.time }))
    transport = StandInTransport(server)
  }

  /// A database of one machine.
  private struct Machine {
    let profile: Profile
    let delivery: PhoneDelivery
    let clock: Clock

    /// Rules, quiet hours and the number of notifications within a minute count.
    func send() async throws {
      clock.pass(5)
      _ = try await delivery.send()
    }

    func readButtons() async throws { _ = try await delivery.readButtons() }

    @discardableResult
    func push(_ title: String, body: String = "", priority: Int = 4, changed: Bool = false) throws
      -> MessageID
    {
      var message = IncomingMessage(
        remoteID: RemoteID(changed ? "changes" : title), kind: .local, title: title, body: body)
      message.priority = Priority(priority)
      message.url = "https://team.example/secret/\(title.utf8.count)"
      let source = try #require(profile.settings.sources.first)
      return try profile.store.pushes.add(message, into: source.source, at: clock.time).id
    }

    func isUnread(_ id: MessageID) throws -> Bool {
      try #require(try profile.store.messages.find(id)).isUnread
    }

    var presses: PhonePresses { get throws { try profile.store.phone.state()?.presses ?? PhonePresses() } }
  }

  /// - Parameters:
  ///   - source: more lines of the source.
  ///   - file: the file of the database, or `nil` for one in memory.
  private func machine(
    _ lines: String = "", top: String = "", source: String = "", file: String? = nil
  ) throws -> Machine {
    let clock = clock
    let settings = try SettingsReader(file: "c", home: "/home/ada", isReadableByOthers: false).read(
      """
      language = "en"
      notify_via = ["phone"]
      \(top)
      [phone]
      url = "\(NtfyPhoneStandIn.address(at: transport.origin))"
      token = "\(server.conditions.token)"
      \(lines)
      [[source]]
      name = "builds"
      title = "Build server"
      kind = "local"
      \(source)
      """)
    let environment = Environment(
      variables: [:], home: "/home/ada", version: "0", now: { clock.time }, clock: { .gmt }, random: { 0 })
    let profile = try Profile(
      settings: settings, file: SettingsFile(path: "/nowhere/config.toml", home: "/home/ada"),
      store: file.map { try Store(path: $0, now: clock.time) } ?? .inMemory(now: clock.time),
      environment: environment
    ).registered()
    return Machine(
      profile: profile, delivery: PhoneDelivery(profile, transport: transport), clock: clock)
  }

  /// Three messages on the phone.
  private func three(_ machine: Machine) async throws -> [MessageID] {
    let ids = try ["One", "Two", "Three"].map { try machine.push($0) }
    try await machine.send()
    #expect(server.phone.map(\.title) == ["One", "Two", "Three"])
    return ids
  }

  @Test func theButtonReadReadsTheMessageInTheMiddle() async throws {
    let machine = try machine()
    let ids = try await three(machine)
    #expect(server.phone[1].message == "Build server")
    #expect(server.phone[1].buttons.map(\.label) == ["Mark read", "Later (1 h)"])
    server.press("Mark read", of: server.phone[1])
    try await machine.readButtons()
    #expect(try ids.map(machine.isUnread) == [true, false, true])
    try await machine.send()
    #expect(server.phone.map(\.title) == ["One", "Three"])
    #expect(server.received.count == 3)
    #expect(try machine.presses.pressed == 1 && machine.presses.refused == 0)
  }

  @Test func theButtonLaterBringsTheMessageBackAfterAnHour() async throws {
    let machine = try machine()
    let ids = try await three(machine)
    let first = server.phone[1].sequence
    server.press("Later (1 h)", of: server.phone[1])
    try await machine.readButtons()
    try await machine.send()
    #expect(server.phone.map(\.title) == ["One", "Three"])
    clock.pass(3600)
    try machine.profile.store.time.advance(to: clock.time)
    try await machine.send()
    #expect(server.phone.map(\.title) == ["One", "Three", "Two"] && server.phone[2].sequence == first)
    #expect(try ids.map(machine.isUnread) == [true, true, true])
  }

  @Test func whatIsReadOrPutAwayElsewhereIsTakenBack() async throws {
    let machine = try machine()
    let ids = try await three(machine)
    try machine.profile.store.acts.perform(.read([ids[0]]), at: clock.time)
    try machine.profile.store.acts.perform(.dismiss([ids[2]]), at: clock.time)
    #expect(try machine.profile.newsForHost().count == 2)
    try await machine.send()
    #expect(server.phone.map(\.title) == ["Two"])
    #expect(try machine.profile.newsForHost().isEmpty)
  }

  @Test func aChangedMessageReplacesItself() async throws {
    let machine = try machine()
    try machine.push("Neighbour")
    try machine.push("Build 1 fails", changed: true)
    try await machine.send()
    let first = server.phone.map(\.sequence)
    try machine.profile.store.acts.perform(.read([MessageID(2)]), at: clock.time)
    clock.pass(60)
    try machine.push("Build 2 fails", changed: true)
    try await machine.send()
    #expect(server.phone.map(\.title) == ["Neighbour", "Build 2 fails"])
    #expect(server.phone.map(\.sequence) == first)
  }

  /// Anyone who knows the topic's name can read it, and so can the server.
  @Test func whatIsForgedReplayedLateOrMalformedDoesNothing() async throws {
    let machine = try machine()
    let other = try self.machine()
    let ids = try await three(machine)
    let pressed = try #require(server.press("Mark read", of: server.phone[0]))
    try await machine.readButtons()
    #expect(try ids.map(machine.isUnread) == [false, true, true])
    // The same text, now that the message is unread again.
    try machine.profile.store.acts.perform(.unread([ids[0]]), at: clock.time)
    server.send(pressed.text, to: pressed.topic)
    // Another act with its signature, another message, another time, another database.
    let parts = pressed.text.split(separator: ".").map(String.init)
    let button = try #require(server.phone[1].buttons.first).text.split(separator: ".").map(String.init)
    for forged in [
      [parts[0], "later", parts[2], parts[3]], [button[0], "read", button[2], parts[3]],
      [button[0], "read", String(Int(button[2])! + 1), button[3]],
      [button[0], "read", "0" + button[2], button[3]],
    ] {
      server.send(forged.joined(separator: "."), to: pressed.topic)
    }
    let theirs = PhoneSecret(try other.profile.store.phone.begin(at: []).secret)
    server.send(theirs.text(of: .read, button[0], sent: clock.time), to: pressed.topic)
    for malformed in [
      "", "read", "a.b.c.d", "…", button.joined(separator: ".") + ".", String(repeating: "x", count: 4000),
      [button[0], "answer", button[2], button[3]].joined(separator: "."),
    ] {
      server.send(malformed, to: pressed.topic)
    }
    let ours = PhoneSecret(try #require(try machine.profile.store.phone.state()).secret)
    server.send(ours.text(of: .read, button[0], sent: clock.time - 90_000), to: pressed.topic)
    try await machine.readButtons()
    #expect(try ids.map(machine.isUnread) == [true, true, true])
    var expected = PhonePresses()
    (expected.pressed, expected.replayed, expected.unsigned, expected.late, expected.malformed) = (
      1, 1, 5, 1, 7
    )
    #expect(try machine.presses == expected)
    // The control: the button itself.
    server.press("Mark read", of: server.phone[1])
    try await machine.readButtons()
    #expect(try ids.map(machine.isUnread) == [true, false, true])
  }

  /// Two machines send notifications to the phone, and a button on the notification of one of them is pressed.
  @Test func aButtonIsForTheMachineThatSentIt() async throws {
    let topic = "button_topic = \"both\""
    let (first, second) = (try machine(topic), try machine(topic))
    let ids = try await three(first)
    let others = try ["Four", "Five"].map { try second.push($0) }
    try await second.send()
    server.press("Mark read", of: try #require(server.phone.first { $0.title == "Two" }))
    for machine in [first, second] { try await machine.readButtons() }
    #expect(try ids.map(first.isUnread) == [true, false, true])
    #expect(try others.map(second.isUnread) == [true, true])
    #expect(try second.presses.unsigned == 1 && second.presses.pressed == 0)
  }

  @Test func aDigestsButtonIsForWhatItsReaderSaw() async throws {
    let machine = try machine()
    let early = try (1...5).map { try machine.push("Build \($0)") }
    try await machine.send()
    let seen = try #require(server.phone.first)
    #expect(seen.title == "Build server: 5 new")
    clock.pass(30)
    let late = try machine.push("Build 6")
    server.press("Mark read", of: seen)
    try await machine.readButtons()
    #expect(try early.allSatisfy { try !machine.isUnread($0) } && machine.isUnread(late))
  }

  // MARK: - What goes wrong

  @Test func whatTheServerRefusesIsSentOnceLater() async throws {
    let machine = try machine()
    try ["One", "Two", "Three"].forEach { try machine.push($0) }
    server.conditions.fail(.tooManyRequests, after: 1)
    try await machine.send()
    #expect(server.phone.map(\.title) == ["One"])
    #expect(try machine.profile.newsForHost().isEmpty, "it waits")
    let retry = try #require(try machine.profile.phoneRetry())
    let before = transport.count
    try await machine.send()
    #expect(transport.count == before, "nothing is asked meanwhile")
    clock.pass(retry.timeIntervalSince(clock.time))
    try await machine.send()
    // Late notifications are combined into one.
    #expect(server.received.map(\.title) == ["One", "2 new messages"])
    #expect(try machine.profile.store.phone.state()?.failure == nil)
  }

  @Test func aServerThatFailsIsTriedLessAndLessOften() async throws {
    let machine = try machine()
    try machine.push("One")
    var waits: [Double] = []
    for _ in 0..<4 {
      server.conditions.fail(.serverError)
      try await machine.send()
      let retry = try #require(try machine.profile.phoneRetry())
      waits.append(retry.timeIntervalSince(clock.time))
      clock.pass(retry.timeIntervalSince(clock.time))
    }
    #expect(waits == [30, 60, 120, 240] && server.received.isEmpty)
    try await machine.send()
    #expect(server.phone.map(\.title) == ["One"])
  }

  /// The server has it, and its response is lost.
  @Test(arguments: [false, true]) func whatMayHaveArrivedIsNotThereTwice(_ isOld: Bool) async throws {
    server.isOld = isOld
    let machine = try machine()
    try machine.push("One")
    try await machine.send()
    clock.pass(60)
    try (2...6).forEach { try machine.push("Build \($0)") }
    server.conditions.fail(.cut)
    try await machine.send()
    clock.pass(60)
    try await machine.send()
    #expect(server.phone.map(\.title) == ["One", "Build server: 5 new"])
    #expect(try machine.profile.newsForHost().isEmpty)
  }

  @Test func aServerBefore216KeepsWhatItGot() async throws {
    server.isOld = true
    let machine = try machine()
    let ids = try await three(machine)
    server.press("Mark read", of: server.phone[1])
    try await machine.readButtons()
    #expect(try ids.map(machine.isUnread) == [true, false, true])
    let before = transport.count
    try await machine.send()
    #expect(server.phone.count == 3 && transport.count == before, "it isn't asked for what it cannot do")
    #expect(try machine.profile.newsForHost().isEmpty)
    let line = await machine.delivery.test {
      NoticeTest(machine.profile).line(of: .phone, way: $0, problem: $1)
    }
    #expect(line.way.contains("before ntfy 2.16") && line.way.contains("stays on the phone"))
  }

  @Test func theTestSaysWhatTheServerCanAndNamesNoTopic() async throws {
    let machine = try machine()
    func line(_ machine: Machine) async -> String {
      let line = await machine.delivery.test {
        NoticeTest(machine.profile).line(of: .phone, way: $0, problem: $1)
      }
      return [line.way, line.problem ?? ""].joined(separator: " ")
    }
    let text = await line(machine)
    #expect(text.hasPrefix("ntfy 2.17.0 at https://service.example, show = \"title\""))
    #expect(text.contains("is withdrawn") && !text.contains(NtfyPhoneStandIn.topic))
    server.conditions.fail(.forbidden)
    let refused = await line(machine)
    #expect(refused.contains("403"))
    #expect(!refused.contains(NtfyPhoneStandIn.topic) && !refused.contains(server.conditions.token))
  }

  // MARK: - What the server learns

  @Test func withNumberTheServerLearnsNothingElse() async throws {
    let machine = try machine("show = \"number\"")
    try machine.push("Payroll", body: "Ada gets a raise")
    try await machine.send()
    let shown = try #require(server.phone.first)
    #expect(shown.message == "1 new message" && shown.title == "" && shown.click == nil)
    let sent = server.conditions.visits.map { String(decoding: $0.body, as: UTF8.self) }.joined()
    for word in ["Payroll", "raise", "Build", "team.example"] { #expect(!sent.contains(word)) }
  }

  @Test func withTitleItLearnsNoTextAndWithAllTheLinkToo() async throws {
    let title = try machine()
    try title.push("Payroll", body: "Ada gets a raise")
    try await title.send()
    let all = try machine("show = \"all\"")
    try all.push("Payroll", body: "Ada gets a raise")
    try await all.send()
    #expect(server.phone.map(\.title) == ["Payroll", "Payroll"])
    #expect(server.phone.map(\.message) == ["Build server", "Build server\nAda gets a raise"])
    #expect(server.phone.map(\.click) == [nil, "https://team.example/secret/7"])
    #expect(server.phone[0].sequence != server.phone[1].sequence, "each database has its own key")
  }

  @Test func onlyWhatIsAllowedGoesThere() async throws {
    let machine = try machine("allow = \"title:fire\"", top: "notify = \"\"")
    for title in ["Build", "Fire", "News"] { try machine.push(title) }
    try await machine.send()
    #expect(server.phone.map(\.title) == ["Fire"])
  }

  @Test func quietHoursHold() async throws {
    // 2027-01-15 08:00 UTC.
    let machine = try machine(
      "allow = \"\"\n[[quiet]]\nfrom = \"7:00\"\nto = \"9:00\"\nallow = \"priority:5\"")
    for (title, priority) in [("One", 4), ("Fire", 5), ("Two", 4)] {
      try machine.push(title, priority: priority)
    }
    try await machine.send()
    #expect(server.phone.map(\.title) == ["Fire"] && server.phone[0].priority == 5)
    clock.pass(3600)
    try await machine.send()
    #expect(server.phone.map(\.title) == ["Fire", "2 new messages"])
  }

  @Test func withoutButtonsNothingIsRead() async throws {
    let machine = try machine("buttons = false")
    _ = try await three(machine)
    #expect(server.phone.allSatisfy { $0.buttons.isEmpty })
    let before = transport.count
    try await machine.readButtons()
    #expect(transport.count == before)
  }

  // MARK: - Other machines

  /// The notification of the second of three messages is withdrawn when that is read on another machine.
  @Test(arguments: [false, true])
  func whatIsReadOnAnotherMachineIsWithdrawn(_ isOld: Bool) async throws {
    server.isOld = isOld
    let folder = try PlaceFolder()
    let (here, there) = (try machine(source: "shared = true"), try machine(source: "shared = true"))
    func synchronise(_ machine: Machine, _ name: String) throws {
      clock.pass(5)
      _ = try Synchronisation(
        machine.profile.store, folder.place(), called: "the place", folder.key, machine: name,
        program: "test",
        now: { [clock] in clock.time }
      ).run()
    }
    for machine in [here, there] {
      try machine.profile.store.sync.setUp(.random(), placeID: folder.placeID, at: clock.time)
    }
    _ = try await three(here)
    try synchronise(here, "here")
    try synchronise(there, "there")
    let rows = try there.profile.store.lists.snapshot(InboxQuery(), InboxWindow()).rows
    let second = try #require(rows.first { $0.title == "Two" })
    try there.profile.store.acts.perform(.read([second.id]), at: clock.time)
    try synchronise(there, "there")
    #expect(try here.profile.newsForHost().isEmpty)
    try synchronise(here, "here")
    #expect(try here.profile.newsForHost().count == 1)
    try await here.send()
    let deletions = server.conditions.visits.filter { $0.method == "DELETE" }
    #expect(server.phone.map(\.title) == (isOld ? ["One", "Two", "Three"] : ["One", "Three"]))
    #expect(deletions.count == (isOld ? 0 : 1))
    #expect(try here.profile.newsForHost().isEmpty)
  }

  // MARK: - Questions

  /// A database in a file, and a process that waits for an answer to its question: the second of three messages.
  private final class Asking {
    let machine: Machine
    let message: MessageID
    private let socket: WaitingSocket

    init(
      _ machine: Machine, _ title: String = "Deploy?", _ answers: [String] = ["yes", "no"],
      isPermission: Bool = false, priority: Int = 4
    ) async throws {
      self.machine = machine
      let store = machine.profile.store
      try machine.push("Before")
      let name = "ask-\(UUID().uuidString)"
      socket = try WaitingSocket(folder: try #require(store.questions.folder), name: name)
      var asked = IncomingMessage(remoteID: RemoteID(name), kind: .local, title: title)
      asked.priority = Priority(priority)
      let now = machine.clock.time
      let question = ProgramQuestion(
        answers, isPermission: isPermission, asked: now, until: now + 86_400, asker: name)
      let source = try #require(machine.profile.settings.sources.first)
      message = try #require(try store.questions.ask(asked, question, into: source.source, at: now)).id
      try machine.push("After")
      try await machine.send()
    }

    var question: ProgramQuestion {
      get throws { try #require(try machine.profile.store.questions.find(message)) }
    }
  }

  private final class Files {
    let path = NSTemporaryDirectory() + "reddot-phone-\(UUID().uuidString)"
    var database: String { path + "/inbox.sqlite" }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private var shownQuestion: NtfyPhoneStandIn.Shown {
    get throws { try #require(server.phone.first { $0.title == "Deploy?" }) }
  }

  @Test func anAnswerOnThePhoneIsGivenOnce() async throws {
    let files = Files()
    let asking = try await Asking(machine("answers = true", file: files.database))
    #expect(server.phone.map(\.title) == ["Before", "Deploy?", "After"])
    #expect(try shownQuestion.buttons.map(\.label) == ["yes", "no"])
    #expect(server.phone[0].buttons.map(\.label) == ["Mark read", "Later (1 h)"])
    let pressed = try #require(server.press("no", of: shownQuestion))
    // The other button, and the same one, at once.
    server.press("yes", of: try shownQuestion)
    server.send(pressed.text, to: pressed.topic)
    try await asking.machine.readButtons()
    #expect(try asking.question.answerText == "no" && asking.question.ending == .answered)
    let presses = try asking.machine.presses
    #expect(presses.pressed == 1 && presses.settled == 1 && presses.replayed == 1)
    try await asking.machine.send()
    #expect(server.phone.map(\.title) == ["Before", "After"])
  }

  /// Anyone who can read the topic can press its buttons: without the setting no button answers.
  @Test(arguments: [
    "", "answers = false", "answers = true\nshow = \"number\"", "answers = true\nbuttons = false",
  ])
  func otherwiseThePhoneHasNoAnswers(_ lines: String) async throws {
    let files = Files()
    let asking = try await Asking(machine(lines, file: files.database))
    let labels = Set(server.phone.flatMap { $0.buttons.map(\.label) })
    #expect(labels == (lines.contains("buttons") ? [] : ["Mark read", "Later (1 h)"]))
    #expect(server.phone.count == 3)
    #expect(try asking.question.isOpen)
  }

  @Test func whatHasMoreAnswersThanButtonsHasNone() async throws {
    let files = Files()
    let asking = try await Asking(
      machine("answers = true", file: files.database), "Deploy?", ["1", "2", "3", "4"])
    #expect(try shownQuestion.buttons.map(\.label) == ["Mark read", "Later (1 h)"])
    // Reading it does not answer it.
    server.press("Mark read", of: try shownQuestion)
    try await asking.machine.readButtons()
    #expect(try asking.question.isOpen && !asking.machine.isUnread(asking.message))
  }

  @Test(arguments: [true, false]) func forgedReplayedLateAndForeignAnswersDoNothing(_ isAllowed: Bool)
    async throws
  {
    let files = Files()
    let asking = try await Asking(machine("answers = \(isAllowed)", file: files.database))
    let other = try machine("answers = true")
    let shown = try shownQuestion
    let topic = try #require(shown.buttons.first.flatMap { URLComponents(string: $0.url) }?.path.dropFirst())
    func send(_ text: String) { server.send(text, to: String(topic)) }
    let ours = PhoneSecret(try #require(try asking.machine.profile.store.phone.state()).secret)
    let theirs = PhoneSecret(try other.profile.store.phone.begin(at: []).secret)
    let now = asking.machine.clock.time
    let genuine = ours.text(of: .answer(1), shown.sequence, sent: now).split(separator: ".").map(String.init)
    // Another answer with its signature, another question, another database.
    send([genuine[0], "answer2", genuine[2], genuine[3]].joined(separator: "."))
    send([server.phone[0].sequence, "answer1", genuine[2], genuine[3]].joined(separator: "."))
    send(theirs.text(of: .answer(1), shown.sequence, sent: now))
    // The signature of another button.
    let read = ours.text(of: .read, shown.sequence, sent: now).split(separator: ".").map(String.init)
    send([read[0], "answer1", read[2], read[3]].joined(separator: "."))
    for act in ["answer0", "answer10", "answer", "answer1 ", "answer-1"] {
      send([genuine[0], act, genuine[2], genuine[3]].joined(separator: "."))
    }
    send(ours.text(of: .answer(1), shown.sequence, sent: now - 601))
    // There is no such answer.
    send(ours.text(of: .answer(3), shown.sequence, sent: now))
    // A message that is no question.
    send(ours.text(of: .answer(1), server.phone[0].sequence, sent: now))
    try await asking.machine.readButtons()
    #expect(try asking.question.isOpen)
    var expected = PhonePresses()
    (expected.unsigned, expected.malformed, expected.late) = (4, 6, 1)
    if isAllowed { expected.settled = 1 } else { expected.malformed += 1 }
    #expect(try asking.machine.presses == expected)
    // The control: 10 minutes after it was sent it still works, if the settings allow it.
    clock.pass(try #require(Double(genuine[2])) + 600 - clock.time.timeIntervalSince1970)
    send(genuine.joined(separator: "."))
    try await asking.machine.readButtons()
    #expect(try asking.question.isOpen == !isAllowed)
  }

  /// The phone never gives a permission, whoever signed the answer.
  @Test func aPermissionIsNeverGivenOnThePhone() async throws {
    let files = Files()
    let asking = try await Asking(machine("answers = true", file: files.database), isPermission: true)
    let shown = try shownQuestion
    #expect(shown.buttons.map(\.label) == ["Mark read", "Later (1 h)"])
    let topic = try #require(URLComponents(string: shown.buttons[0].url)?.path.dropFirst())
    let ours = PhoneSecret(try #require(try asking.machine.profile.store.phone.state()).secret)
    for number in 1...2 {
      let text = ours.text(of: .answer(number), shown.sequence, sent: asking.machine.clock.time)
      server.send(text, to: String(topic))
    }
    try await asking.machine.readButtons()
    #expect(try asking.question.isOpen)
    #expect(try asking.machine.presses.malformed == 2 && asking.machine.presses.pressed == 0)
  }

  /// By default, whatever a rule made of the priority of a question, the phone shows that its program waits.
  @Test func whatWaitsGoesToThePhone() async throws {
    let files = Files()
    let machine = try machine(top: "notify = \"\"", file: files.database)
    let asking = try await Asking(machine, priority: 2)
    try machine.push("Quiet", priority: 3)
    // A program that is answered where it runs.
    let waits = IncomingMessage(remoteID: RemoteID("hook"), kind: .local, title: "Needs you")
    let now = clock.time
    let source = try #require(machine.profile.settings.sources.first)
    _ = try machine.profile.store.questions.ask(
      waits, ProgramQuestion([], asked: now, until: now + 600), into: source.source, at: now)
    clock.pass(60)
    try await machine.send()
    #expect(server.phone.map(\.title) == ["Before", "Deploy?", "After", "Needs you"])
    #expect(try asking.question.isOpen)
  }
}
