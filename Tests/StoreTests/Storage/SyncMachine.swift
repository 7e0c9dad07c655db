import Foundation
import Messages
import Sync
import Testing

@testable import Storage

/// The sync location of the machines in these tests: the payloads of objects, not sealed.
final class PayloadPlace {
  var objects: [ObjectName: [UInt8]] = [:]
}

/// One of several machines of a user, with a separate database and clock.
final class SyncMachine {
  let name: String
  let store: Store
  var skew: TimeInterval
  /// A feed, a service whose messages report occasions, a feed whose changes make messages unread again, and a shared
  /// source.
  let sources: [SourceID]
  private let configuration: [ConfiguredSource]

  static let alerts = configured("alerts", kind: .local, address: "") { $0.settings.isShared = true }

  /// - Parameter carries: the acts that are sent to its service.
  init(
    _ name: String, _ device: DeviceID = .random(), skew: TimeInterval = 0, store: Store? = nil,
    writableMarks: WritableMarks = [], others: [ConfiguredSource] = [], at now: Date = noon
  ) throws {
    (self.name, self.skew) = (name, skew)
    self.store = try store ?? Store.fresh()
    configuration = [
      configured("news"), configured("hub", kind: .gitea) { $0.settings.writableMarks = writableMarks },
      configured("wiki") { $0.settings.isUnreadOnChange = true }, Self.alerts,
    ]
    sources = try self.store.sources.register(configuration + others, at: noon).map(\.id)
    try self.store.pollNothing(sources[0], sources[1], sources[2])
    try self.store.sync.setUp(device, placeID: Array(repeating: 7, count: 16), at: now + skew)
  }

  /// Follows other sources too.
  ///
  /// - Returns: their ids.
  func follow(_ others: ConfiguredSource..., at now: Date = noon) throws -> [SourceID] {
    try store.sources.register(configuration + others, at: now + skew).dropFirst(configuration.count).map(
      \.id)
  }

  /// Pushes a message from a script on this machine.
  func push(_ number: Int, _ title: String, from visible: Date? = nil, at now: Date) throws {
    var said = IncomingMessage(remoteID: RemoteID("\(number)"), kind: .local, title: title)
    said.visibleFrom = visible
    try store.pushes.add(said, into: Self.alerts, at: now + skew)
  }

  /// - Parameter checksOwn: whether the existing objects are compared.
  func flush(_ place: PayloadPlace, at now: Date, checksOwn: Bool = true) throws {
    if checksOwn { try checkOwn(place, at: now) }
    while let unsent = try store.sync.unsent(limit: 1 << 22) {
      let head = Payload.Head(written: (now + skew).milliseconds, machine: name, program: "test")
      place.objects[unsent.name] = Payload.encode(head, acts: unsent.acts)
      try store.sync.recordSent(unsent.name, at: now + skew)
    }
  }

  /// Whether other acts exist under this machine's id.
  private func checkOwn(_ place: PayloadPlace, at now: Date) throws {
    let device = try #require(try store.sync.machine()).device
    var held = IDRanges()
    var isOther = false
    for (name, payload) in place.objects.sorted(by: { $0.key.seqs.lowerBound < $1.key.seqs.lowerBound })
    where name.device == device {
      var reader = try PayloadReader(payload, of: name)
      var acts: [[UInt8]] = []
      while let read = try reader.next() {
        let seq = name.seqs.lowerBound + Int64(read.offset)
        acts.append(ActCodec.encode(read.act))
        if try store.sync.own(seq...seq) == acts.suffix(1) { held.append(seq) }
      }
      if try store.sync.areOwn(acts, name.seqs) {
        held = held.union(IDRanges(name.seqs))
      } else {
        isOther = true
      }
    }
    if isOther {
      try store.sync.becomeNew(.random(), held: held, at: now + skew)
    } else {
      for range in held.ranges {
        try store.sync.recordSent(ObjectName(device: device, seqs: range), at: now + skew)
      }
    }
  }

  func pull(_ place: PayloadPlace, at now: Date, where isSeen: (ObjectName) -> Bool = { _ in true }) throws {
    let device = try #require(try store.sync.machine()).device
    let names = place.objects.keys.sorted {
      ($0.device, $0.seqs.lowerBound, $0.seqs.upperBound) < (
        $1.device, $1.seqs.lowerBound, $1.seqs.upperBound
      )
    }
    for name in names where name.device != device && isSeen(name) {
      guard let payload = place.objects[name] else { continue }
      _ = try store.sync.apply(PayloadReader(payload, of: name), of: name, at: now + skew)
    }
  }

  /// Joins the machine's objects into one.
  func pack(_ place: PayloadPlace, at now: Date) throws {
    let device = try #require(try store.sync.machine()).device
    let own = place.objects.keys.filter { $0.device == device }.sorted {
      $0.seqs.lowerBound < $1.seqs.lowerBound
    }
    guard let first = own.first, let last = own.last, own.count > 2,
      let acts = try store.sync.packed(first.seqs.lowerBound...last.seqs.upperBound)
    else { return }
    for name in own { place.objects[name] = nil }
    let all = ObjectName(device: device, seqs: first.seqs.lowerBound...last.seqs.upperBound)
    let head = Payload.Head(written: (now + skew).milliseconds, machine: name, program: "test")
    place.objects[all] = Payload.encode(head, acts: acts)
    try store.sync.recordPacked(all.seqs, acts)
  }

  /// Polls the service, which reports for each message whether it is read there.
  func hear(_ messages: [IncomingMessage], _ isRead: [Int: Bool], at now: Date) throws {
    try store.poll(sources[1], messages, at: now) { content in
      content.upstream = UpstreamState()
      for (number, isRead) in isRead.sorted(by: { $0.key < $1.key }) {
        content.upstream?.marks.append(.init(RemoteID("\(number)"), UpstreamMarks(isRead: isRead)))
      }
    }
  }

  /// Sends the acts that wait for the service.
  ///
  /// - Parameter occasion: the occasion that a message reports after each act.
  func carry(
    to isRead: inout [Int: Bool], at now: Date, _ occasion: (Int) -> String? = { _ in nil }
  ) throws {
    let acts = try store.outgoing.acts(of: sources[1])
    var result = WriteBackResult()
    for act in acts {
      result.carried.insert(act.id)
      guard let number = Int(act.remoteID.text), case .read(let value) = act.mark else { continue }
      isRead[number] = value
      if let occasion = occasion(number) { result.occasions[act.remoteID] = occasion }
    }
    if acts.isEmpty { return }
    try store.outgoing.record(result, sent: acts, of: sources[1], start: now, end: now)
  }

  /// Returns the marks of each message in the lists, by the name of the source and the id.
  func marks() throws -> [String: String] {
    var marks: [String: String] = [:]
    for (source, name) in zip(sources, ["news", "hub", "wiki", "alerts"]) {
      for number in 1...9 {
        guard let message = try store.messages.find(RemoteID("\(number)"), of: source) else { continue }
        var words = name == "alerts" ? [message.content.title] : []
        words.append(message.isUnread ? "unread" : "read")
        if message.isStarred { words.append("starred") }
        if message.isDismissed { words.append("dismissed") }
        if let until = message.snoozedUntil { words.append("snoozed until \(until.timeIntervalSince(noon))") }
        marks["\(name) \(number)"] = words.joined(separator: ", ")
      }
    }
    return marks
  }

  func id(_ source: Int, _ number: Int) throws -> MessageID? {
    try store.messages.find(RemoteID("\(number)"), of: sources[source])?.id
  }
}
