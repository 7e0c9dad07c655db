import Foundation
import Messages
import Platform
import Profile
import Sync
import Testing

@testable import Storage

/// Questions in a shared source, of machines with real databases that meet in a folder: the first answer of any machine
/// counts.
@Suite struct SharedQuestionTests {
  /// The process that asks, as long as it waits.
  private final class Asker {
    let message: MessageID
    private let socket: WaitingSocket

    init(_ message: MessageID, _ socket: WaitingSocket) { (self.message, self.socket) = (message, socket) }

    /// The number of times that it was woken since the last call.
    func wakings() -> Int {
      var count = 0
      while let connection = socket.accept() {
        var byte: UInt8 = 0
        if recv(connection, &byte, 1, 0) == 1 { count += 1 }
        close(connection)
      }
      return count
    }
  }

  private let folder: PlaceFolder
  private let server: PlacedMachine
  private let laptop: PlacedMachine
  private let desktop: PlacedMachine

  init() throws {
    folder = try PlaceFolder()
    server = try Self.machine("server", folder)
    laptop = try Self.machine("laptop", folder)
    desktop = try Self.machine("desktop", folder)
  }

  private static var deploys: ConfiguredSource {
    var source = ConfiguredSource(name: "deploys", kind: .local, address: "")
    source.settings.isShared = true
    return source
  }

  private static func machine(_ name: String, _ folder: PlaceFolder) throws -> PlacedMachine {
    follow(try folder.machine(name, messages: 1))
  }

  private static func follow(_ machine: PlacedMachine) -> PlacedMachine {
    let feed = ConfiguredSource(name: "news", kind: .feed, address: "https://news.example/feed")
    #expect(throws: Never.self) {
      try machine.store.sources.register([feed, deploys], at: PlaceFolder.noon)
    }
    return machine
  }

  private func push(_ title: String) throws {
    try server.store.pushes.add(
      IncomingMessage(remoteID: RemoteID(title), kind: .local, title: title), into: Self.deploys,
      at: folder.later)
  }

  /// Asks on the server, between two other messages.
  private func ask(
    _ title: String = "Deploy?", for seconds: Double = 3600, isPermission: Bool = false
  ) throws -> Asker {
    try push("Before \(title)")
    let name = "ask-\(UUID().uuidString.lowercased())"
    let locks = try #require(server.store.questions.folder)
    let socket = try WaitingSocket(folder: locks, name: name)
    let now = folder.later
    let question = ProgramQuestion(
      ["yes", "no"], isPermission: isPermission, asked: now, until: now + seconds, asker: name)
    let message = IncomingMessage(remoteID: RemoteID(name), kind: .local, title: title)
    let stored = try server.store.questions.ask(message, question, into: Self.deploys, at: now)
    try push("After \(title)")
    return Asker(try #require(stored).id, socket)
  }

  private func synchronise(_ machines: PlacedMachine...) throws {
    for machine in machines { try folder.synchronise(machine) }
  }

  /// The questions on a machine, by their titles.
  private func questions(_ machine: PlacedMachine) throws -> [String: (
    id: MessageID, question: ProgramQuestion
  )] {
    var questions: [String: (id: MessageID, question: ProgramQuestion)] = [:]
    for row in try machine.store.lists.snapshot(InboxQuery(), InboxWindow()).rows {
      let message = try #require(try machine.store.messages.find(row.id))
      if let question = message.question { questions[message.content.title] = (message.id, question) }
    }
    return questions
  }

  private func question(_ machine: PlacedMachine, _ title: String = "Deploy?") throws -> ProgramQuestion {
    try #require(try questions(machine)[title]).question
  }

  private func answer(
    _ number: Int, on machine: PlacedMachine, _ title: String = "Deploy?", at date: Date? = nil
  ) throws -> Bool {
    let id = try #require(try questions(machine)[title]).id
    return try machine.store.questions.answer(id, number, at: date ?? folder.later).isGiven
  }

  private func waiting(_ machine: PlacedMachine) throws -> [String] {
    try machine.store.lists.snapshot(InboxQuery(scope: .waiting), InboxWindow()).rows.map(\.title)
  }

  private func unread(_ machine: PlacedMachine) throws -> Set<String> {
    let query = InboxQuery(isUnreadOnly: true)
    return Set(
      try machine.store.lists.snapshot(query, InboxWindow()).rows.filter { $0.kind == .local }.map(\.title))
  }

  private func expectConsistent(_ machines: PlacedMachine...) throws {
    for machine in machines { #expect(try machine.store.check.compareAll() == [], "\(machine.name)") }
  }

  @Test func theFirstAnswerOfAnyMachineEndsIt() throws {
    let asker = try ask()
    try synchronise(server, laptop, desktop)
    for machine in [laptop, desktop] {
      #expect(try waiting(machine) == ["Deploy?"])
      #expect(try unread(machine) == ["Before Deploy?", "Deploy?", "After Deploy?"])
    }
    // Both answer before they know of each other; the later answer is in the folder first.
    #expect(try answer(2, on: laptop))
    #expect(try answer(1, on: desktop))
    #expect(try waiting(laptop) == [] && waiting(desktop) == [])
    try synchronise(desktop, laptop)
    #expect(asker.wakings() == 0)
    try synchronise(server)
    #expect(asker.wakings() == 1)
    let ended = try question(server)
    #expect(ended.answerText == "no" && ended.machine == "laptop")
    // The end was sent with that sync.
    try synchronise(desktop, laptop)
    #expect(try question(desktop).answerText == "no" && question(desktop).machine == "laptop")
    #expect(try question(laptop).answerText == "no" && question(laptop).machine == nil)
    for machine in [server, laptop, desktop] {
      #expect(try waiting(machine) == [], "\(machine.name)")
      #expect(try unread(machine) == ["Before Deploy?", "After Deploy?"], "\(machine.name)")
    }
    // Again nothing happens.
    try synchronise(server, laptop, desktop, server)
    #expect(asker.wakings() == 0)
    #expect(try server.store.sync.waiting().count == 0)
    try expectConsistent(server, laptop, desktop)
  }

  /// An answer that arrives after the end changes nothing anywhere, even if its stamp is the first.
  @Test func aLaterAnswerChangesNothing() throws {
    let asker = try ask()
    try synchronise(server, laptop, desktop)
    #expect(try answer(1, on: desktop, at: PlaceFolder.noon + 1))
    #expect(try answer(2, on: laptop))
    try synchronise(laptop, server)
    #expect(asker.wakings() == 1)
    try synchronise(desktop, server, laptop, desktop)
    #expect(asker.wakings() == 0)
    for machine in [server, laptop, desktop] {
      #expect(try question(machine).answerText == "no", "\(machine.name)")
    }
    #expect(try !answer(1, on: desktop))
    try expectConsistent(server, laptop, desktop)
  }

  @Test func anAnswerAtTheAskingMachineIsShownOnTheOthers() throws {
    let asker = try ask()
    try synchronise(server, laptop)
    #expect(try answer(1, on: server))
    #expect(asker.wakings() == 1)
    try synchronise(server, laptop)
    #expect(try question(laptop).answerText == "yes" && question(laptop).machine == "server")
    #expect(try question(server).machine == nil)
    #expect(try !answer(2, on: laptop))
  }

  /// The time ends while the answer is on its way: the program got none.
  @Test func anAnswerThatComesTooLateIsNotShownAsGiven() throws {
    let asker = try ask()
    try synchronise(server, laptop)
    #expect(try answer(1, on: laptop))
    #expect(try question(laptop).answerText == "yes")
    #expect(try server.store.questions.end(asker.message, .timedOut, at: folder.later).isEnded)
    try synchronise(laptop, server, laptop)
    #expect(asker.wakings() == 0)
    for machine in [server, laptop] {
      #expect(try question(machine).ending == .timedOut && question(machine).answer == nil, "\(machine.name)")
    }
    try expectConsistent(server, laptop)
  }

  @Test(arguments: [ProgramQuestion.Ending.timedOut, .withdrawn, .gone])
  func eachEndIsShownOnTheOthers(_ ending: ProgramQuestion.Ending) throws {
    let asker = try ask()
    try synchronise(server, laptop)
    #expect(try server.store.questions.end(asker.message, ending, at: folder.later).isEnded)
    try synchronise(server, laptop, desktop)
    for machine in [server, laptop, desktop] {
      #expect(try question(machine).ending == ending, "\(machine.name)")
      // If no answer came in time, it stays unread.
      #expect(try unread(machine).contains("Deploy?") == (ending == .timedOut), "\(machine.name)")
    }
  }

  @Test func aMachineThatJoinsLaterSeesWhatWaitsAndWhatEnded() throws {
    let first = try ask("First?")
    let second = try ask("Second?")
    #expect(try answer(1, on: server, "First?"))
    #expect(first.wakings() == 1)
    try synchronise(server)
    let late = try Self.machine("late", folder)
    try synchronise(late)
    #expect(try waiting(late) == ["Second?"])
    #expect(try question(late, "First?").answerText == "yes")
    #expect(try answer(2, on: late, "Second?"))
    try synchronise(late, server)
    #expect(second.wakings() == 1)
    #expect(try question(server, "Second?").machine == "late")
    try expectConsistent(server, late)
  }

  @Test func aQuestionThatWasAskedBeforeItsMachineSynchronisedIsSentWhileItWaits() throws {
    let solo = Self.follow(
      try PlacedMachine(
        "solo", folder.place(), file: "\(folder.path)/solo", messages: 1, at: folder.later))
    let locks = try #require(solo.store.questions.folder)
    let socket = try WaitingSocket(folder: locks, name: "ask-solo")
    let now = folder.later
    let asked = try solo.store.questions.ask(
      IncomingMessage(remoteID: RemoteID("ask-solo"), kind: .local, title: "Early?"),
      ProgramQuestion(["yes"], asked: now, until: now + 3600, asker: "ask-solo"), into: Self.deploys, at: now)
    try solo.store.sync.setUp(.random(), placeID: folder.placeID, at: folder.later)
    try synchronise(solo, laptop)
    #expect(try waiting(laptop) == ["Early?"])
    #expect(try answer(1, on: laptop, "Early?"))
    try synchronise(laptop, solo)
    #expect(Asker(try #require(asked).id, socket).wakings() == 1)
    try expectConsistent(solo, laptop)
  }

  /// Neither is a permission sent, nor does an act of another machine give one.
  @Test func aPermissionIsGivenOnItsOwnMachineOnly() throws {
    let asker = try ask("Allow rm?", isPermission: true)
    try synchronise(server, laptop)
    #expect(try questions(laptop).isEmpty)
    #expect(try unread(laptop) == ["Before Allow rm?", "After Allow rm?"])
    // An act that no reddot writes.
    let name = try #require(try server.store.messages.find(asker.message)).content.remoteID.text
    let group = Act.Group(
      source: WireUID(shared: "deploys"), field: .answer, value: .integer(1),
      targets: [Act.Target(key: Act.Target.key(ofRemoteID: name))])
    let act = Act(kind: .question, stamp: Stamp(milliseconds: 1), groups: [group])
    let object = ObjectName(device: .random(), seqs: 1...1)
    let head = Payload.Head(written: 1, machine: "stranger", program: "test")
    let payload = Payload.encode(head, acts: [ActCodec.encode(act)])
    #expect(
      try server.store.sync.apply(PayloadReader(payload, of: object), of: object, at: folder.later) == 1)
    try synchronise(server)
    #expect(asker.wakings() == 0)
    #expect(try server.store.questions.find(asker.message)?.isOpen == true)
    // The control: the user at this machine.
    #expect(try server.store.questions.answer(asker.message, 1, at: folder.later).isGiven)
    #expect(asker.wakings() == 1)
    try synchronise(server, laptop)
    #expect(try questions(laptop).isEmpty)
    try expectConsistent(server, laptop)
  }

  /// A copy of the asking machine's database cannot see the program, and counts it as gone.
  @Test(arguments: [true, false])
  func aCopyOfTheDatabaseDoesNotEndItForTheOthers(_ isCopyFirst: Bool) throws {
    let asker = try ask()
    try synchronise(server, laptop)
    try folder.copyDatabase("server", to: "copy")
    let copy = Self.follow(try folder.machine(ofCopy: "copy", messages: 1))
    #expect(try copy.store.questions.endAbandoned(at: folder.later) == 1)
    if isCopyFirst { try synchronise(copy, laptop) }
    #expect(try answer(2, on: server))
    #expect(asker.wakings() == 1)
    try synchronise(server, copy, laptop, desktop, server, laptop)
    for machine in [server, laptop, desktop] {
      #expect(try question(machine).answerText == "no", "\(machine.name)")
    }
  }

  @Test func aQuestionWhoseMachineIsSilentEndsAfterItsTime() throws {
    let asker = try ask(for: 600)
    try synchronise(server, laptop)
    let until = try question(laptop).until
    try synchronise(desktop)
    #expect(try laptop.store.questions.endAbandoned(at: until + 30) == 0)
    #expect(try laptop.store.questions.endAbandoned(at: until + 61) == 1)
    #expect(try question(laptop).ending == .timedOut && unread(laptop).contains("Deploy?"))
    // An attempt to answer it ends it too.
    #expect(try !answer(1, on: desktop, at: until + 30))
    #expect(try question(desktop).ending == .timedOut)
    // The ending from its machine counts.
    #expect(try server.store.questions.end(asker.message, .answered, answer: 1, at: until - 1).isEnded)
    try synchronise(server, laptop)
    #expect(try question(laptop).answerText == "yes" && question(laptop).machine == "server")
  }

  /// The objects of many questions become one, and a new machine sees the same.
  @Test func packedObjectsHaveTheSameAnswers() throws {
    for number in 1...40 {
      let asker = try ask("Question \(number)?")
      try synchronise(server, laptop)
      #expect(try answer(number % 2 + 1, on: laptop, "Question \(number)?"))
      try synchronise(laptop, server)
      #expect(asker.wakings() == 1)
    }
    #expect(try folder.objects().count < 80)
    let late = try Self.machine("late", folder)
    try synchronise(late)
    for number in 1...40 {
      let text = number % 2 == 0 ? "yes" : "no"
      #expect(try question(late, "Question \(number)?").answerText == text)
      #expect(try question(server, "Question \(number)?").answerText == text)
    }
    #expect(try waiting(late) == [])
    try expectConsistent(server, laptop, late)
  }
}
