import Foundation
import Messages
import Sync
import Testing

@testable import Storage

/// Messages from other machines, on which they were starred.
@Suite struct SyncContentTests {
  let place = PayloadPlace()
  let laptop: SyncMachine
  let server: SyncMachine

  init() throws {
    laptop = try SyncMachine("laptop")
    server = try SyncMachine("server")
    try laptop.store.poll(laptop.sources[0], [sent()])
  }

  private func sent(_ change: (inout IncomingMessage) -> Void = { _ in }) -> IncomingMessage {
    var sent = message("9", "Kept", body: "What it says", at: noon - 60)
    sent.html = "<p>What it says</p>"
    sent.extras = MessageExtras()
    sent.extras?.poster = "https://a.example/poster.png"
    change(&sent)
    return sent
  }

  private func star(_ isStarred: Bool = true, at seconds: Double = 1) throws {
    let id = try #require(try laptop.id(0, 9))
    try laptop.store.acts.perform(isStarred ? .star([id]) : .unstar([id]), at: noon + seconds)
  }

  private func send(at seconds: Double = 2) throws {
    try laptop.flush(place, at: noon + seconds)
    try server.pull(place, at: noon + seconds)
  }

  private func found(_ source: SourceID? = nil) throws -> Message? {
    try server.store.messages.find(RemoteID("9"), of: source ?? server.sources[0])
  }

  @Test func aStarredMessageThatIsNotHereComesAsItWas() throws {
    try star()
    try send()
    let came = try #require(try found())
    #expect(came.isStarred && came.isUnread)
    #expect(came.content == sent())
    #expect(try server.store.status(server.sources[0]).isUnseen == false)
    try server.store.expectConsistent()
    // The feed has the same message.
    #expect(try server.store.poll(server.sources[0], [sent(), message("1")]).new == 1)
    #expect(try found()?.id == came.id && found()?.isUnread == true)
    #expect(try server.store.poll(server.sources[0], [sent { $0.html = "<p>More</p>" }]).updated == 1)
    #expect(try found()?.id == came.id && found()?.isStarred == true)
    try server.store.expectConsistent()
  }

  /// Only the service of one machine has reported that it is read; the second of three messages is starred.
  @Test func whatWasReadWithoutAnActComesAsRead() throws {
    try laptop.hear([message("1"), message("2"), message("3")], [1: false, 2: true, 3: false], at: noon)
    for number in 2...3 {
      try laptop.store.acts.perform(.star([try #require(try laptop.id(1, number))]), at: noon + 1)
    }
    try send()
    let hub = server.sources[1]
    #expect(try server.store.messages.find(RemoteID("2"), of: hub)?.isUnread == false)
    #expect(try server.store.messages.find(RemoteID("3"), of: hub)?.isUnread == true)
    #expect(try server.store.messages.find(RemoteID("1"), of: hub) == nil)
    try server.store.expectConsistent()
  }

  @Test func whatIsHereAlreadyStaysAsItIs() throws {
    try server.hear([message("2")], [2: true], at: noon)
    try laptop.hear([message("2")], [2: false], at: noon)
    try laptop.store.acts.perform(.star([try #require(try laptop.id(1, 2))]), at: noon + 1)
    try send()
    let here = try #require(try server.store.messages.find(RemoteID("2"), of: server.sources[1]))
    #expect(here.isStarred && !here.isUnread)
  }

  @Test func aPictureIsLeftOutBeforeTheText() throws {
    let text = String(repeating: "x", count: 20_000)
    try laptop.store.poll(
      laptop.sources[0],
      [
        sent {
          ($0.body, $0.html) = (text, nil)
          $0.extras?.poster = PictureData(png: Data(repeating: 1, count: 36_000)).address
        }
      ])
    try star()
    try send()
    let came = try #require(try found()).content
    #expect(came.body == text && came.extras?.poster == nil && came.extras?.cut?.contains(.poster) == true)
  }

  @Test func itIsUnreadWhereAPersonSaysSo() throws {
    try star()
    try laptop.store.acts.perform(.read([try #require(try laptop.id(0, 9))]), at: noon + 1)
    try laptop.store.acts.perform(.unread([try #require(try laptop.id(0, 9))]), at: noon + 2)
    try send(at: 3)
    #expect(try found()?.isUnread == true)
  }

  @Test func whatIsNotKeptHereComesBackWithItsStar() throws {
    try server.store.poll(server.sources[0], [sent()])
    try server.store.acts.perform(.read([try #require(try server.id(0, 9))]), at: noon)
    var source = try server.store.status(server.sources[0]).source
    source.retention = Retention(age: .seconds(1), count: nil)
    let limits = try server.store.retention.limits(of: [source], at: noon + 60)
    #expect(try server.store.retention.prune(limits).removed.values.reduce(0, +) == 1)
    try star(at: 61)
    try send(at: 62)
    #expect(try found()?.isStarred == true)
    try server.store.expectConsistent()
  }

  @Test func aSourceThatIsFollowedLaterGetsItsStarredMessages() throws {
    let old = try laptop.follow(configured("old"))[0]
    try laptop.store.pollNothing(old)
    try laptop.store.poll(old, [sent(), message("8")])
    for id in ["8", "9"] { try laptop.store.acts.perform(.star([laptop.store.id(id, of: old)]), at: noon) }
    try laptop.store.acts.perform(.unstar([laptop.store.id("8", of: old)]), at: noon)
    try send()
    let here = try server.follow(configured("old"))[0]
    #expect(try found(here)?.isStarred == true && found(here)?.isUnread == true)
    #expect(try server.store.messages.find(RemoteID("8"), of: here) == nil)
    try server.store.expectConsistent()
  }

  @Test func whatWasStarredBeforeSynchronisationComesToo() throws {
    let store = try Store.fresh()
    let news = try store.follow(configured("news"))[0]
    try store.pollNothing(news)
    try store.poll(news, [sent()])
    try store.acts.perform(.star([store.id("9", of: news)]), at: noon)
    let old = try SyncMachine("old", store: store, at: noon + 1)
    try old.flush(place, at: noon + 2)
    try server.pull(place, at: noon + 2)
    #expect(try found()?.isStarred == true)
  }

  @Test func aVeryLongMessageComesWithWhatFits() throws {
    try laptop.store.poll(
      laptop.sources[0],
      [
        sent { $0.html = String(repeating: "<p>long</p>", count: 9000) },
        message("8", "Long", body: String(repeating: "word ", count: 30_000)),
      ])
    try star()
    try laptop.store.acts.perform(.star([laptop.store.id("8", of: laptop.sources[0])]), at: noon)
    try send()
    #expect(try found()?.content.body == "What it says" && found()?.content.html == nil)
    let long = try #require(try server.store.messages.find(RemoteID("8"), of: server.sources[0])).content
    #expect(long.body.hasPrefix("word word") && long.extras?.cut?.contains(.body) == true)
  }

  @Test(arguments: [
    "", "{", "null", "[]", #"{"remote_id":"8","kind":"feed","title":"Another"}"#,
    #"{"remote_id":"9","kind":"of the future","title":"Kept"}"#,
    #"{"remote_id":"9","kind":"feed","published":1e400}"#,
    String(repeating: "[", count: 60_000),
    #"{"remote_id":"9","kind":"feed","title":""# + String(repeating: "a", count: 66_000) + #""}"#,
  ])
  func whatCannotBeReadIsLeftOut(_ json: String) throws {
    try star()
    let uid = try #require(
      try server.store.read { db in try WireSources(db).uid(of: server.sources[0].rawValue) })
    let target = Act.Target(key: Act.Target.key(ofRemoteID: "9"))
    func group(_ field: Act.Field, _ value: Act.Value) -> Act.Group {
      Act.Group(source: uid, field: field, value: value, targets: [target])
    }
    let act = Act(
      kind: .star, stamp: Stamp(milliseconds: (noon + 1).milliseconds),
      groups: [group(.starred, .integer(1)), group(.content, .bytes(Array(json.utf8)))])
    let device = DeviceID.random()
    let name = ObjectName(device: device, seqs: 1...1)
    place.objects[name] = Payload.encode(
      Payload.Head(written: 0, machine: "x", program: "x"), acts: [ActCodec.encode(act)])
    try server.pull(place, at: noon + 2)
    #expect(try found() == nil)
    // The star is still there when the message comes.
    try server.store.poll(server.sources[0], [sent()])
    #expect(try found()?.isStarred == true)
    try server.store.expectConsistent()
  }

  @Test func numbersFromOutsideAreTakenAsFarAsTheyGo() throws {
    let json = #"""
      {"remote_id":"9","kind":"feed","title":"T","published":9223372036854775807,"expires":-9223372036854775808,
      "priority":9223372036854775807,"standing":-1,"visible_from":-9223372036854775808}
      """#
    let bytes = Array(json.utf8)
    let read = try #require(MessageContent.message(bytes, key: Act.Target.key(ofRemoteID: "9"))).message
    #expect(read.priority == Priority(5) && read.rank == .normal)
    try server.store.poll(server.sources[0], [read])
  }
}
