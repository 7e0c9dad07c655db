import Foundation
import Messages
import Sync
import Testing

@testable import Storage

/// The reports of a service on a message on which another machine acted.
@Suite struct SyncServiceTests {
  let place = PayloadPlace()
  let laptop: SyncMachine
  let server: SyncMachine

  init() throws {
    laptop = try SyncMachine("laptop", writableMarks: [.read, .unread, .star])
    server = try SyncMachine("server", writableMarks: [.read, .unread, .star])
    for machine in [laptop, server] { try machine.store.poll(machine.sources[1], [message("1")]) }
  }

  private func say(
    isRead: Bool, to machine: SyncMachine, at seconds: Double, _ occasion: String? = nil
  ) throws {
    var sent = message("1")
    if let occasion {
      sent.extras = MessageExtras()
      sent.extras?.occasion = occasion
    }
    try machine.hear([sent], [1: isRead], at: noon + machine.skew + seconds)
  }

  private func shown(_ machine: SyncMachine) throws -> Message {
    try #require(try machine.store.messages.find(RemoteID("1"), of: machine.sources[1]))
  }

  private func isRead(_ machine: SyncMachine) throws -> Bool {
    try shown(machine).isUnread == false
  }

  private func act(_ act: (MessageID) -> UserAct, on machine: SyncMachine, at seconds: Double) throws {
    try machine.store.acts.perform(act(shown(machine).id), at: noon + machine.skew + seconds)
  }

  private func send(from: SyncMachine, to: SyncMachine, at seconds: Double) throws {
    try from.flush(place, at: noon + seconds)
    try to.pull(place, at: noon + seconds)
  }

  @Test func aServiceThatDoesNotKnowAnActYetTakesNothingBack() throws {
    try act({ .read([$0]) }, on: laptop, at: 1)
    try send(from: laptop, to: server, at: 2)
    try say(isRead: false, to: server, at: 3)
    #expect(try isRead(server))
    // The act arrived there, and then the message became unread elsewhere.
    try say(isRead: true, to: server, at: 4)
    #expect(try isRead(server))
    try say(isRead: false, to: server, at: 5)
    #expect(try !isRead(server))
  }

  @Test func anActOfAnotherMachineIsNotSentFromHere() throws {
    let hub = server.sources[1]
    try act({ .read([$0]) }, on: laptop, at: 1)
    try act({ .star([$0]) }, on: laptop, at: 1)
    try send(from: laptop, to: server, at: 2)
    let outgoing = server.store.outgoing
    #expect(try outgoing.acts(of: hub).isEmpty && outgoing.count(of: hub) == 0)
    #expect(try outgoing.waiting(at: noon + 9999).isEmpty)
    #expect(try laptop.store.outgoing.count(of: laptop.sources[1]) == 2)
    // A later act of this machine is sent to the service.
    try act({ .unread([$0]) }, on: server, at: 3)
    #expect(try outgoing.acts(of: hub).map(\.mark) == [.read(false)])
    // The other machine no longer has to send an act that this one undid.
    try send(from: server, to: laptop, at: 4)
    #expect(try laptop.store.outgoing.acts(of: laptop.sources[1]).map(\.mark) == [.starred(true)])
  }

  @Test func whatAServiceNeverAgreesToCountsAfterThirtyDays() throws {
    try act({ .read([$0]) }, on: laptop, at: 1)
    try send(from: laptop, to: server, at: 2)
    try say(isRead: false, to: server, at: 29 * 86_400)
    #expect(try isRead(server))
    try say(isRead: false, to: server, at: 31 * 86_400)
    #expect(try !isRead(server))
  }

  @Test func anActThatIsAnOccasionAtTheServiceHoldsElsewhereToo() throws {
    for machine in [laptop, server] { try say(isRead: false, to: machine, at: 1, "a") }
    try act({ .read([$0]) }, on: laptop, at: 2)
    try send(from: laptop, to: server, at: 3)
    var result = WriteBackResult()
    let acts = try laptop.store.outgoing.acts(of: laptop.sources[1])
    result.carried = Set(acts.map(\.id))
    result.occasions = [RemoteID("1"): "b"]
    try laptop.store.outgoing.record(
      result, sent: acts, of: laptop.sources[1], start: noon + 4, end: noon + 4)
    // If the service is polled before the act arrives, the message is unread; then it isn't.
    try say(isRead: true, to: server, at: 5, "b")
    try send(from: laptop, to: server, at: 6)
    #expect(try isRead(server))
    try say(isRead: true, to: laptop, at: 7, "b")
    #expect(try isRead(laptop))
    // Undo still reverts it, on both machines.
    #expect(try laptop.store.acts.undo(at: noon + 8)?.count == 1)
    try send(from: laptop, to: server, at: 9)
    #expect(try !isRead(laptop) && !isRead(server))
    for machine in [laptop, server] { try machine.store.expectConsistent() }
  }

  @Test func anotherMachinesMarksAreSentUnderTheNewOccasionToo() throws {
    for machine in [laptop, server] { try say(isRead: false, to: machine, at: 1, "a") }
    try act({ .dismiss([$0]) }, on: server, at: 2)
    try send(from: server, to: laptop, at: 3)
    try act({ .star([$0]) }, on: laptop, at: 4)
    var result = WriteBackResult()
    result.occasions = [RemoteID("1"): "b"]
    try laptop.store.outgoing.record(
      result, sent: [], of: laptop.sources[1], start: noon + 4, end: noon + 4)
    try send(from: laptop, to: server, at: 5)
    for machine in [laptop, server] {
      try say(isRead: false, to: machine, at: 6, "b")
      #expect(try shown(machine).isDismissed)
    }
  }
}
