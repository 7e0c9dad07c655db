import Foundation
import GRDB
import Messages
import Sync
import Testing

@testable import Storage

/// The states of sources that machines send.
@Suite struct SyncSourceTests {
  let place = PayloadPlace()
  let laptop: SyncMachine
  let server: SyncMachine

  init() throws {
    laptop = try SyncMachine("laptop")
    server = try SyncMachine("server")
  }

  private func send(from: SyncMachine, to: SyncMachine, at seconds: Double) throws {
    try from.flush(place, at: noon + seconds)
    try to.pull(place, at: noon + seconds)
  }

  private func exchange(at seconds: Double) throws {
    try send(from: laptop, to: server, at: seconds)
    try send(from: server, to: laptop, at: seconds)
  }

  private func source(_ address: String, on machine: SyncMachine) throws -> WireSource? {
    try machine.store.sync.sources().first { $0.address == address }
  }

  private func named(_ name: String, on machine: SyncMachine) throws -> WireSource? {
    try machine.store.sync.sources().first { $0.name == name }
  }

  @Test func whatIsNewlyFollowedIsKnownElsewhere() throws {
    _ = try laptop.follow(
      configured("Blog", address: "https://blog.example/feed") {
        $0.settings.title = "A blog"
        $0.settings.folder = Folder("Dev/Swift")
      },
      configured("work", kind: .github, address: "https://ann:secret@api.example/"),
      configured("paid", address: "https://ann:secret@paid.example/feed"), at: noon + 1)
    try exchange(at: 2)
    let blog = try #require(try source("https://blog.example/feed", on: server))
    #expect(
      blog.kind == "feed" && blog.name == "Blog" && blog.title == "A blog" && blog.folder == "Dev/Swift")
    #expect(blog.source == nil && blog.isFollowedByItself && !blog.isDeclined && !blog.isRemoved)
    for address in ["https://api.example/", "https://paid.example/feed"] {
      #expect(try source(address, on: server)?.isFollowedByItself == false, "\(address)")
    }
    // No password is sent.
    #expect(!place.objects.values.contains { String(decoding: $0, as: UTF8.self).contains("secret") })
    // If the source is followed there too, nothing has to be sent.
    let waiting = try server.store.sync.waiting().count
    let here = try server.follow(configured("Blog 2", address: "https://blog.example/feed"), at: noon + 3)[0]
    #expect(try source("https://blog.example/feed", on: server)?.source == here)
    #expect(try server.store.sync.waiting().count == waiting)
    for machine in [laptop, server] { try machine.store.expectConsistent() }
  }

  @Test func theLaterOfTwoNamesStandsOnBoth() throws {
    try exchange(at: 1)
    try server.store.sources.rename(server.sources[0], to: "Later", at: noon + 5)
    try laptop.store.sources.rename(laptop.sources[0], to: "Earlier", at: noon + 2)
    try exchange(at: 6)
    try exchange(at: 7)
    for machine in [laptop, server] {
      #expect(try named("Later", on: machine)?.source == machine.sources[0])
      #expect(try named("Earlier", on: machine) == nil)
    }
  }

  @Test func takenOutOfAFileItIsNotFollowedHereOnly() throws {
    let blog = configured("Blog", address: "https://blog.example/feed")
    _ = try laptop.follow(blog, at: noon + 1)
    _ = try server.follow(blog, at: noon + 1)
    try exchange(at: 2)
    _ = try laptop.follow(at: noon + 3)
    try exchange(at: 4)
    let here = try #require(try source("https://blog.example/feed", on: laptop))
    #expect(here.source == nil && here.isDeclined)
    let there = try #require(try source("https://blog.example/feed", on: server))
    #expect(there.source != nil && !there.isDeclined && !there.isRemoved)
    // The source is in the file again, and so it is followed.
    _ = try laptop.follow(blog, at: noon + 5)
    #expect(try source("https://blog.example/feed", on: laptop)?.isDeclined == false)
  }

  @Test(arguments: [true, false]) func whatIsRemovedIsRemovedEverywhere(isFileFirst: Bool) throws {
    let blog = configured("Blog", address: "https://blog.example/feed")
    let id = try laptop.follow(blog, at: noon + 1)[0]
    _ = try server.follow(blog, at: noon + 1)
    try exchange(at: 2)
    if isFileFirst { _ = try laptop.follow(at: noon + 3) }
    try laptop.store.sync.unfollow(id, at: noon + 3)
    if !isFileFirst { _ = try laptop.follow(at: noon + 3) }
    try exchange(at: 4)
    let here = try #require(try named("Blog", on: laptop))
    #expect(here.source == nil && here.isRemoved && here.removedBy == nil && !here.isDeclined)
    let there = try #require(try named("Blog", on: server))
    #expect(there.source != nil && there.isRemoved && there.removedBy == "laptop" && there.address == nil)
    // A machine that joins with the source in its settings does not restore it.
    let late = try SyncMachine("late", others: [blog])
    try late.pull(place, at: noon + 5)
    #expect(try named("Blog", on: late)?.isRemoved == true)
    // The source is followed again here, and so it is followed.
    _ = try laptop.follow(blog, at: noon + 6)
    try exchange(at: 7)
    #expect(try source("https://blog.example/feed", on: server)?.isRemoved == false)
  }

  @Test func theSameAddressWrittenOtherwiseIsTheSameSource() throws {
    let id = try laptop.follow(configured("Blog", address: "http://www.blog.example:80/feed/"), at: noon + 1)[
      0]
    try laptop.store.pollNothing(id)
    try laptop.store.poll(id, [message("1")])
    try laptop.store.acts.perform(.read([laptop.store.id("1", of: id)]), at: noon + 1)
    // Acts that arrive before the source is followed here, and others after it.
    try send(from: laptop, to: server, at: 2)
    let here = try server.follow(configured("Weblog", address: "https://blog.example/feed"), at: noon + 3)[0]
    try server.store.pollNothing(here)
    try server.store.poll(here, [message("1"), message("2")])
    #expect(try server.store.messages.find(RemoteID("1"), of: here)?.isUnread == false)
    try server.store.acts.perform(.star([server.store.id("2", of: here)]), at: noon + 4)
    try laptop.store.poll(id, [message("1"), message("2")])
    try exchange(at: 5)
    #expect(try laptop.store.messages.find(RemoteID("2"), of: id)?.isStarred == true)
    for machine in [laptop, server] { try machine.store.expectConsistent() }
  }

  @Test func whatWaitsJoinsWhenTheSourceTurnsOutToBeHere() throws {
    let here = try server.follow(configured("Blog", address: "https://blog.example/feed"), at: noon + 1)[0]
    try server.store.pollNothing(here)
    try server.store.poll(here, [message("1")])
    let id = try laptop.follow(configured("Blog", address: "https://blog.example/feed/"), at: noon + 1)[0]
    try laptop.store.pollNothing(id)
    try laptop.store.poll(id, [message("1")])
    try laptop.store.acts.perform(.read([laptop.store.id("1", of: id)]), at: noon + 2)
    try send(from: laptop, to: server, at: 3)
    #expect(try server.store.messages.find(RemoteID("1"), of: here)?.isUnread == false)
  }

  @Test func twoSourcesOfOneAddressNeedAName() throws {
    let store = try Store.fresh()
    _ = try store.follow(
      configured("one", kind: .github, address: "https://api.example/"),
      configured("two", kind: .github, address: "https://api.example"),
      configured("three", kind: .github, address: "https://api.example") {
        $0.settings.options.syncAs = "three"
      })
    #expect(try store.sync.sameAddress() == SameAddress(first: "one", second: "two"))
    #expect(try laptop.store.sync.sameAddress() == nil)
  }

  @Test func whatCannotBeANameIsLeftOut() throws {
    let uid = try #require(
      try server.store.read { db in try WireSources(db).uid(of: server.sources[0].rawValue) })
    let values: [Act.Value] = [
      .integer(5), .bytes([0xFF, 0xFE]), .bytes(Array("a\u{7}b".utf8)),
      .bytes(Array(repeating: 97, count: 1025)),
      .bytes([]),
    ]
    let acts = values.enumerated().map { number, value in
      ActCodec.encode(
        Act(
          kind: .sources, stamp: Stamp(milliseconds: (noon + Double(number)).milliseconds),
          groups: [Act.Group(source: uid, field: .name, value: value, targets: [Act.Target(key: 0)])]))
    }
    let name = ObjectName(device: .random(), seqs: 1...Int64(acts.count))
    place.objects[name] = Payload.encode(
      Payload.Head(written: 0, machine: "x", program: "x"), acts: acts)
    try server.pull(place, at: noon + 9)
    #expect(try named("news", on: server)?.source == server.sources[0])
  }

  @Test func aMarkOfAnUnknownActIsFoundAndMended() throws {
    try laptop.store.poll(laptop.sources[0], [message("1")])
    try laptop.store.acts.perform(.read([laptop.store.id("1", of: laptop.sources[0])]), at: noon)
    try laptop.store.write { db in try db.execute(sql: "DELETE FROM journal") }
    #expect(
      try laptop.store.check.compare(.ids) == ["states or sources refer to actions that are not stored"])
    try laptop.store.check.repair(.ids, at: noon)
    try laptop.store.expectConsistent()
    #expect(try laptop.store.messages.find(RemoteID("1"), of: laptop.sources[0])?.isUnread == false)
  }
}
