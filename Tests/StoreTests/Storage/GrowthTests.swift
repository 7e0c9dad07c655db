import Foundation
import GRDB
import Messages
import Queries
import Sync
import TestBasics
import Testing

@testable import Storage

extension Store {
  func count(_ table: String, where condition: String = "1") throws -> Int {
    try read { Int(try $0.integer("SELECT count(*) FROM \(table) WHERE \(condition)") ?? 0) }
  }

  /// Prunes sources by their retention, and ends pruning.
  func prune(_ retention: Retention, at now: Date) throws {
    let sources = try self.sources.registered().listed.map { source in
      var source = source
      source.retention = retention
      return source
    }
    let limits = try self.retention.limits(of: sources, at: now)
    _ = try self.retention.pruneAll(limits)
    try self.retention.endPruning(at: now)
  }
}

/// Every row that time or polls create is deleted at some time.
@Suite struct GrowthTests {
  private static let day: TimeInterval = 86_400

  // MARK: - The list of tables

  /// The page names what deletes the rows of each table.
  @Test func everyTableHasAnOwner() throws {
    let page = try Project.text("Sources/Programs/reddot/Documentation.docc/Stored.md")
    let rows = page.components(separatedBy: "| tables | what deletes their rows |")[1]
      .components(separatedBy: "\n\n")[0].components(separatedBy: "\n").dropFirst(2)
    let named = rows.flatMap { row in
      row.components(separatedBy: " | ")[0].components(separatedBy: "`").enumerated()
        .filter { $0.offset % 2 == 1 }.map(\.element)
    }
    let tables = try Store.fresh().read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
            AND name NOT LIKE 'search_%'
          """)
    }
    #expect(named.sorted() == tables.sorted())
    #expect(named.count > 45)
  }

  // MARK: - What a service repeats

  @Test func anAnswerThatSaysWhatIsKnownIsInNoJournal() throws {
    let machine = try SyncMachine("laptop")
    let sent = [message("1"), message("2"), message("3")]
    try machine.hear(sent, [1: true, 2: false, 3: true], at: noon)
    let before = try machine.store.count("journal")
    for minute in 1...100 {
      try machine.hear(sent, [1: true, 2: false, 3: true], at: noon + Double(minute) * 600)
    }
    #expect(try machine.store.count("journal") == before)
    // If a response is different for one of them, there is one.
    try machine.hear(sent, [1: true, 2: true, 3: true], at: noon + 101 * 600)
    #expect(try machine.store.count("journal") == before + 1)
    #expect(try machine.store.messages.find(RemoteID("2"), of: machine.sources[1])?.isUnread == false)
  }

  // MARK: - Acts that stand behind nothing

  /// Three machines: an act that is repeated is deleted, and the precedence stays the same.
  @Test func actsBehindNoMarkGoAndTheLaterWriteStillWins() throws {
    let place = PayloadPlace()
    let machines = try ["laptop", "server", "phone"].map { try SyncMachine($0) }
    let (laptop, server, phone) = (machines[0], machines[1], machines[2])
    for machine in machines { try machine.store.poll(machine.sources[0], messages(1...3)) }
    func id(_ machine: SyncMachine, _ number: Int) throws -> MessageID {
      try #require(try machine.id(0, number))
    }
    func isRead(_ machine: SyncMachine, _ number: Int) throws -> Bool {
      try machine.store.messages.find(id(machine, number))?.isUnread == false
    }
    // This was done before all later acts, and is sent after them.
    try phone.store.acts.perform(.read([id(phone, 2)]), at: noon + 0.3)
    try phone.store.acts.perform(.unread([id(phone, 2)]), at: noon + 0.5)
    try phone.store.acts.perform(.star([id(phone, 2)]), at: noon + 0.5)
    for second in 1...40 {
      try laptop.store.acts.perform(
        second % 2 == 0 ? .read([id(laptop, 2)]) : .unread([id(laptop, 2)]), at: noon + Double(second))
    }
    try laptop.flush(place, at: noon + 41)
    try server.pull(place, at: noon + 41)
    let before = try server.store.count("journal", where: "id < 0")
    try server.store.retention.endPruning(at: noon + 42)
    let after = try server.store.count("journal", where: "id < 0")
    #expect(before - after >= 38)
    #expect(try server.store.count("journal", where: "id IN (SELECT read_by FROM status)") == 1)
    #expect(try isRead(server, 2))
    try phone.flush(place, at: noon + 43)
    try server.pull(place, at: noon + 43)
    #expect(try isRead(server, 2), "an earlier act came later, and won")
    #expect(try server.store.messages.find(id(server, 2))?.isStarred == true)
    // A later one has precedence, and a forgotten act is applied once more without effect.
    try phone.pull(place, at: noon + 49)
    #expect(try isRead(phone, 2))
    try phone.store.acts.perform(.unread([id(phone, 2)]), at: noon + 50)
    try phone.flush(place, at: noon + 51)
    try server.store.retention.endPruning(at: noon + 51)
    try server.store.write { db in try Devices(db).forgetKnown() }
    for machine in machines { try machine.pull(place, at: noon + 52) }
    for machine in machines {
      #expect(try !isRead(machine, 2), "\(machine.name)")
      try machine.store.retention.endPruning(at: noon + 53)
      try machine.store.expectConsistent("\(machine.name)")
    }
    // Undo on the laptop still knows its own acts.
    #expect(try laptop.store.acts.undo(at: noon + 54) != nil)
  }

  @Test func ownActsGoOnceTheyWereSentAndCannotBeUndone() throws {
    let place = PayloadPlace()
    let machine = try SyncMachine("laptop")
    try machine.store.poll(machine.sources[0], messages(1...3))
    let id = try #require(try machine.id(0, 2))
    for second in 1...9 {
      try machine.store.acts.perform(
        second % 2 == 0 ? .unread([id]) : .read([id]), at: noon + Double(second))
    }
    try machine.store.write { db in
      try db.execute(sql: "UPDATE sqlite_sequence SET seq = seq + \(Journal.length) WHERE name = 'journal'")
    }
    try machine.store.acts.perform(.star([id]), at: noon + 10)
    try machine.store.retention.endPruning(at: noon + 11)
    #expect(try machine.store.count("journal", where: "id > 0") == 10, "they wait to be sent")
    try machine.flush(place, at: noon + 12)
    try machine.store.retention.endPruning(at: noon + 13)
    // The last act is behind the mark, and the star can be undone.
    #expect(try machine.store.count("journal", where: "id > 0") == 2)
    #expect(try machine.store.acts.undo(at: noon + 14)?.count == 1)
    let fresh = try SyncMachine("fresh")
    try machine.flush(place, at: noon + 15)
    try fresh.store.poll(fresh.sources[0], messages(1...3))
    try fresh.pull(place, at: noon + 16)
    #expect(try fresh.store.messages.find(#require(try fresh.id(0, 2)))?.isUnread == false)
    #expect(try fresh.store.messages.find(#require(try fresh.id(0, 2)))?.isStarred == false)
  }

  /// A copy of a database becomes another machine, and an act without precedence may get it, even if it is no longer in
  /// the journal.
  @Test func aCopyJoinsAgainWhatStoodBehindNothing() throws {
    let place = PayloadPlace()
    let laptop = try SyncMachine("laptop")
    try laptop.store.poll(laptop.sources[0], messages(1...3))
    let id = try #require(try laptop.id(0, 2))
    for second in 1...4 {
      try laptop.store.acts.perform(second % 2 == 0 ? .unread([id]) : .read([id]), at: noon + Double(second))
    }
    try laptop.flush(place, at: noon + 5)
    try laptop.store.write { db in
      try db.execute(sql: "UPDATE sqlite_sequence SET seq = seq + \(Journal.length) WHERE name = 'journal'")
    }
    try laptop.store.acts.perform(.star([id]), at: noon + 6)
    try laptop.store.retention.endPruning(at: noon + 7)
    let count = try laptop.store.count("own_act")
    try laptop.store.sync.becomeNew(.random(), held: IDRanges(), at: noon + 8)
    #expect(try laptop.store.count("own_act") == count)
    let shown = try #require(try laptop.store.messages.find(id))
    #expect(shown.isUnread && shown.isStarred)
    try laptop.store.expectConsistent()
    #expect(try laptop.store.acts.undo(at: noon + 9)?.kind == .star, "what it joined again is no step")
  }

  // MARK: - Notices

  private func feature(_ id: String, _ name: String, _ change: (inout FeatureNotice) -> Void = { _ in })
    -> FeatureNotice
  {
    var notice = FeatureNotice(remoteID: RemoteID(id), names: [name], isEnabled: true)
    change(&notice)
    return notice
  }

  @Test func noticesOfFeaturesThatHaveEndedGoHalfAYearAfterTheyWereListed() throws {
    let store = try Store.fresh()
    let source = try store.follow(configured("app", kind: .native))[0]
    func deliver(_ notices: FeatureNotice..., at day: Double) throws {
      let now = noon + day * Self.day
      var state = PollState()
      state.lastSuccess = now
      var content = PollContent(messages: [])
      content.features = notices
      try store.polls.record(
        .content(content, PollHints()), for: source, attempt: .periodic, start: now, end: now, state: state)
      _ = try store.features.switchDue(at: now)
    }
    let short = feature("1", "short") { $0.lifetime = .afterArrival(60) }
    let repeated = feature("2", "repeated") { $0.lifetime = .afterArrival(60) }
    let replaced = feature("3", "dark")
    try deliver(short, repeated, replaced, feature("4", "lasting"), at: 0)
    try deliver(repeated, feature("5", "dark") { $0.isEnabled = false }, at: 100)
    try deliver(at: 200)
    try store.retention.endPruning(at: noon + 200 * Self.day)
    #expect(try store.features.all(at: noon + 200 * Self.day).map(\.name) == ["dark", "lasting", "repeated"])
    // The notification that was listed since does not apply again when it is repeated.
    try deliver(repeated, at: 201)
    #expect(try store.features.all(at: noon + 201 * Self.day).filter(\.isEnabled).map(\.name) == ["lasting"])
    #expect(try store.count("feature_switch") == 3)
    #expect(try store.count("feature_switch_name") == 3)
    #expect(try store.count("feature", where: "name = 'short'") == 0)
    // Nothing is deleted while the source is not read.
    try store.retention.endPruning(at: noon + 2000 * Self.day)
    #expect(try store.count("feature_switch") == 3)
  }

  @Test func bannersThatLeftTheirControlFileGoAfterHalfAYearOfReadings() throws {
    let store = try Store.fresh()
    let source = try store.follow(configured("a", kind: .banners))[0]
    for (day, names) in [(0.0, ["old", "kept"]), (100, ["kept"]), (150, ["kept"])] {
      try store.banners.countLaunch(of: names, in: source, at: noon + day * Self.day)
    }
    try store.retention.endPruning(at: noon + 500 * Self.day)
    #expect(try store.banners.all(of: source).keys.sorted() == ["kept", "old"])
    try store.banners.countLaunch(of: ["kept"], in: source, at: noon + 200 * Self.day)
    try store.retention.endPruning(at: noon + 500 * Self.day)
    #expect(try store.banners.all(of: source)["kept"]?.launches == 4)
    #expect(try store.banners.all(of: source).count == 1)
  }

  @Test func whatWasToldOfAReadMessageIsForgottenAndNotToldAgain() throws {
    let (store, source) = try Store.following()
    store.judgeArrivals(with: NoticeTests.Everything(channels: [.desktop]))
    try store.poll(source, messages(1...3))
    let ids = try store.notices.waiting(for: .desktop).map(\.message)
    let notice = try #require(try store.notices.claim(ids, as: .digest, for: .desktop, at: noon))
    try store.notices.confirm(notice.id, named: nil)
    try store.acts.perform(.read([ids[1]]), at: noon + 1)
    try store.retention.endPruning(at: noon + Self.day)
    #expect(try store.count("notification") == 3)
    try store.retention.endPruning(at: noon + 4 * Self.day)
    // Unread messages remain notified.
    #expect(try store.count("notification") == 2)
    let changed = messages(1...3).map { sent in
      var sent = sent
      sent.body = "Other"
      return sent
    }
    #expect(try store.poll(source, changed, at: noon + 5 * Self.day).updated == 3)
    #expect(try store.notices.waiting(for: .desktop).isEmpty)
  }

  @Test func changesOfSeveralMessagesGoWithTheLastOfThem() throws {
    let (store, source) = try Store.following()
    try store.poll(source, messages(1...3))
    try store.acts.perform(.readAll(InboxQuery()), at: noon)
    try store.write { db in
      try db.execute(sql: "UPDATE sqlite_sequence SET seq = seq + \(Journal.length) WHERE name = 'journal'")
    }
    try store.acts.perform(.star([store.id("1", of: source)]), at: noon + 1)
    try store.prune(Retention(age: .seconds(1)), at: noon + Self.day)
    #expect(try store.count("mark_change", where: "act = 0") == 1, "a starred message is left")
    try store.acts.perform(.unstar([store.id("1", of: source)]), at: noon + 2)
    try store.prune(Retention(age: .seconds(1)), at: noon + Self.day)
    #expect(try store.count("mark_change", where: "act = 0") == 0)
  }

  // MARK: - Two years

  /// Returns the rows of each table, and the used pages.
  private func sizes(_ store: Store) throws -> [String: Int] {
    try store.read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%'")
      var sizes: [String: Int] = [:]
      for table in tables { sizes[table] = Int(try db.integer("SELECT count(*) FROM \(table)") ?? 0) }
      sizes["acts of others"] = Int(try db.integer("SELECT count(*) FROM journal WHERE id < 0") ?? 0)
      var writes = 0
      for body in try Data.fetchAll(db, sql: "SELECT body FROM own_act WHERE body IS NOT NULL") {
        writes += try Self.writes([UInt8](body))
      }
      sizes["bytes of own writes"] = writes
      sizes["pages"] = Int(
        try (db.integer("PRAGMA page_count") ?? 0) - (db.integer("PRAGMA freelist_count") ?? 0))
      return sizes
    }
  }

  /// Returns the bytes of an act, unless all of its writes were replaced: then only a stamp is left.
  private static func writes(_ act: [UInt8]) throws -> Int {
    try ActCodec.decode(act).act.groups.isEmpty ? 0 : act.count
  }

  /// Returns the objects of a sync location, the bytes of their acts, and those of acts with writes.
  private func size(_ place: PayloadPlace) throws -> (objects: Int, bytes: Int, writes: Int, acts: Int) {
    var size = (objects: place.objects.count, bytes: 0, writes: 0, acts: 0)
    for (name, payload) in place.objects {
      for read in try Payload.decode(payload, of: name).acts {
        let bytes = ActCodec.encode(read.act)
        size = (size.objects, size.bytes + bytes.count, size.writes + (try Self.writes(bytes)), size.acts + 1)
      }
    }
    return size
  }

  /// Marks items as read, and sends notifications for all other messages.
  private struct Judging: ArrivalJudging {
    struct Judge: ArrivalJudge {
      func verdict(on facts: @autoclosure () -> Facts, _ arrival: Arrival) -> Verdict {
        var verdict = Verdict()
        if facts().title.hasPrefix("Item") {
          verdict.isRead = true
        } else {
          verdict.channels = [.desktop]
        }
        return verdict
      }
    }

    func judge(_ tokenizer: any QueryTokenizer, at now: Date) -> any ArrivalJudge { Judge() }
  }

  /// Tables whose rows are kept for half a year, or for 200 polls, so that their size is constant from then on.
  private static let slow: Set = [
    "identity", "entry_facts", "entry_key", "feature_switch", "feature_switch_name", "banner", "attempt",
    "pages", "journal",
    "mark_change",
  ]
  /// Tables with one row of 20 bytes for each act, and one for each write that waits two years for a deleted message.
  private static let ofActs: Set = ["own_act", "early_cell", "acts of others"]

  /// Makes a day's acts: one of two machines changes new messages, changes them again, and undoes that.
  private func act(on machine: SyncMachine, _ day: Int, at now: Date) throws {
    let acts = machine.store.acts
    let (kept, put) = (try #require(try machine.id(0, 1)), try #require(try machine.id(0, 2)))
    try acts.perform(.snooze([put], until: now + 60), at: now)
    try machine.store.time.catchUpWhole(to: now + 70)
    #expect(try machine.store.status(machine.sources[0]).isUnseen)
    try acts.markSeen(.source(machine.sources[0]))
    try acts.perform(day % 2 == 0 ? .read([kept, put]) : .unread([kept, put]), at: now + 80)
    for act in [UserAct.star([put]), .unstar([put])] { try acts.perform(act, at: now + 81) }
    for _ in 0..<2 { _ = try acts.undo(at: now + 82) }
    _ = try acts.redo(at: now + 83)
    // A step stands for a hundred: 20,000 are kept.
    try machine.store.write { db in
      try db.execute(sql: "UPDATE sqlite_sequence SET seq = seq + 100 WHERE name = 'journal'")
    }
  }

  /// Two years of two machines: a feed, a service that repeats itself, an app that switches features, a control file,
  /// hooks, holds, notifications, and messages that both machines mark repeatedly.
  @Test func aDatabaseOfTwoYearsIsAsLargeAsOneOfAFewMonths() throws {
    let place = PayloadPlace()
    let others = [configured("app", kind: .native), configured("banners", kind: .banners)]
    let machine = try SyncMachine("laptop", others: others)
    let server = try SyncMachine("server")
    let store = machine.store
    let (app, banners) = (machine.sources[4], machine.sources[5])
    store.judgeArrivals(with: Judging())
    let always = [message("1", "Kept"), message("2", "Put off")]
    for one in [machine, server] { try one.store.poll(one.sources[0], always) }
    try store.acts.perform(.star([#require(try machine.id(0, 2))]), at: noon)
    let kept = try #require(try machine.id(0, 1))
    try store.acts.perform(.star([kept]), at: noon)
    var (early, middle, late): ([String: Int], [String: Int], [String: Int]) = ([:], [:], [:])
    var read: Set<ObjectName> = []
    var places: [(objects: Int, bytes: Int, writes: Int, acts: Int)] = []
    for day in 0..<730 {
      let now = noon + Double(day) * Self.day
      try store.time.catchUpWhole(to: now)
      let news = (day * 4..<day * 4 + 4).map {
        message("news \($0)", "Item \($0)", body: "Text of day \(day)", at: now)
      }
      try store.poll(machine.sources[0], news + always, at: now)
      let alert = "alert \(day / 7)"
      for hour in 0..<2 {
        try store.poll(machine.sources[1], hour == 0 ? [message(alert)] : [], at: now + Double(hour) * 3600) {
          $0.upstream = UpstreamState()
          $0.upstream?.marks = [.init(RemoteID(alert), UpstreamMarks(isRead: day % 7 > 3))]
        }
      }
      var state = PollState()
      state.lastSuccess = now
      var content = PollContent(messages: [])
      content.features = [
        feature("f\(day)", "feature \(day % 3)") { $0.expires = now + 5 * Self.day },
        feature("g\(day)", "theme") { $0.isEnabled = day % 2 == 0 },
      ]
      try store.polls.record(
        .content(content, PollHints()), for: app, attempt: .periodic, start: now, end: now, state: state,
        hold: HostHold(host: "host\(day).example", until: now + 60))
      _ = try store.features.switchDue(at: now)
      try store.features.removeCalls(store.features.waitingCalls())
      try store.banners.countLaunch(of: ["banner \(day / 10)"], in: banners, at: now)
      let hook = RemoteID("command:\(day)")
      try store.pushes.add(
        IncomingMessage(remoteID: hook, kind: .local, title: "make"),
        into: configured("hooks", kind: .local, address: ""), at: now)
      let told = try store.notices.waiting(for: .desktop).map(\.message)
      if let notice = try store.notices.claim(told, as: .digest, for: .desktop, at: now) {
        try store.notices.confirm(notice.id, named: nil)
      }
      try store.messages.readLocal(hook, at: now + 30)
      let other = try #require(try server.id(0, 1))
      for (step, act) in [UserAct.read([other]), .unread([other])].enumerated() {
        try server.store.acts.perform(act, at: now + 60 + Double(step))
      }
      for (index, one) in [machine, server].enumerated() {
        let later = now + 100 + Double(index) * 100
        try act(on: one, day + index, at: later)
        try one.flush(place, at: later + 90, checksOwn: false)
        try one.pull(place, at: later + 90) { read.insert($0).inserted }
        let device = try #require(try one.store.sync.machine()).device
        if place.objects.keys.count(where: { $0.device == device }) > 32 {
          try one.pack(place, at: later + 90)
        }
        // The next synchronisation does the same.
        let gone = try one.store.sync.objects().keys.filter { place.objects[$0] == nil }
        try one.store.sync.forget(gone)
      }
      try server.store.prune(Retention(age: .seconds(20 * Self.day)), at: now + 310)
      try store.prune(Retention(age: .seconds(20 * Self.day)), at: now + 310)
      guard day >= 90, day % 5 == 0 else { continue }
      places.append(try size(place))
      for (table, size) in try sizes(store) {
        if day < 210 { early[table] = max(early[table] ?? 0, size) }
        if 290..<410 ~= day { middle[table] = max(middle[table] ?? 0, size) }
        if day >= 610 { late[table] = max(late[table] ?? 0, size) }
      }
    }
    try store.expectConsistent()
    try server.store.expectConsistent()
    #expect(try store.messages.find(kept)?.isStarred == true)
    let (first, last) = (places.prefix(20), places.suffix(20))
    // The objects of 32 flushes wait to be packed.
    #expect(try #require(places.map(\.objects).max()) <= 66)
    let writes = (try #require(first.map(\.writes).max()), try #require(last.map(\.writes).max()))
    #expect(writes.1 <= writes.0 + max(100, writes.0 / 20), "\(writes)")
    for size in places { #expect(size.bytes <= size.writes + size.acts * 13) }
    for (table, size) in late.sorted(by: { $0.key < $1.key }) where !Self.ofActs.contains(table) {
      var before = (Self.slow.contains(table) ? middle : early)[table] ?? 0
      // Each own act has a row, with at least its stamp.
      if table == "pages" { before += ((late["own_act"] ?? 0) - (middle["own_act"] ?? 0)) * 24 / 4096 }
      #expect(size <= before + max(3, before / 20), "\(table) had \(before) rows")
    }
    // One row for each alert that was deleted.
    #expect(try store.count("early_cell") <= 730 / 7 + 10)
    #expect((late["acts of others"] ?? 0) <= 730 / 7 + 20)
  }
}
