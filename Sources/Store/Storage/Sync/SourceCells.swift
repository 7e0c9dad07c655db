import Basics
import Foundation
import GRDB
import Messages
import Sync

/// The synchronised data on sources themselves: whether they are followed, and their name, title and folder.
struct SourceCells {
  /// A value of a field of a source, and the act that wrote it.
  private struct Cell {
    var value: String?
    /// The id of an act in the journal, or `nil` for no writer.
    var act: Int64?
  }

  private let db: Database
  private let now: Milliseconds

  init(_ db: Database, at now: Milliseconds) { (self.db, self.now) = (db, now) }

  /// The fields of sources, and the names of their columns in `wire_source`.
  private static let columns: [(field: Act.Field, name: String)] = [
    (.follow, "follow"), (.name, "name"), (.title, "title"), (.folder, "folder"),
  ]

  /// The columns that contain the ids of the acts that wrote these fields.
  static var actColumns: [String] { columns.map { "\($0.name)_by" } }

  /// Whether a field belongs to a source instead of a message.
  static func isOne(_ field: Act.Field) -> Bool { columns.contains { $0.field == field } }

  // MARK: - Of other machines

  /// Takes over the value that an act wrote, if it has precedence over the known one.
  func merge(_ field: Act.Field, _ value: Act.Value, act: Int64, row: Int64) throws {
    let writers = Writers(db)
    guard let text = Self.text(value), let known = try cells(row)[field] else { return }
    if let old = known.act, try !MergeRule.stands(writers.writer(of: act), over: writers.writer(of: old)) {
      return
    }
    try save(field, text, act: act, row: row)
  }

  /// Returns the text of a value, which is itself `nil` for no value, or returns `nil` for an invalid value.
  private static func text(_ value: Act.Value) -> String?? {
    switch value {
    case .none: return .some(nil)
    case .bytes(let bytes):
      guard bytes.count <= Limits.sourceNameBytes, let text = String(validating: bytes, as: UTF8.self),
        !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
      else { return nil }
      return text
    case .integer: return nil
    }
  }

  private func cells(_ row: Int64) throws -> [Act.Field: Cell] {
    let names = Self.columns.map { "\($0.name), \($0.name)_by" }.joined(separator: ", ")
    let query = try db.prepared("SELECT \(names) FROM wire_source WHERE id = ?")
    query.bind(1, row)
    var cells: [Act.Field: Cell] = [:]
    try query.forEach {
      for (place, column) in Self.columns.enumerated() {
        cells[column.field] = Cell(
          value: query.optionalText(Int32(place * 2)), act: query.optionalInt(Int32(place * 2 + 1)))
      }
    }
    return cells
  }

  private func save(_ field: Act.Field, _ value: String?, act: Int64, row: Int64) throws {
    guard let column = Self.columns.first(where: { $0.field == field })?.name else { return }
    let update = try db.prepared("UPDATE wire_source SET \(column) = ?2, \(column)_by = ?3 WHERE id = ?1")
    update.bind(1, row)
    try update.bind(2, value)
    update.bind(3, act)
    try update.run()
  }

  // MARK: - Of this machine

  private typealias Write = (field: Act.Field, value: String?)

  /// Sends the changes of settings: newly followed, renamed, retitled or moved sources. Sources that the settings no
  /// longer contain are not followed here any more, and stay followed elsewhere.
  func send(_ new: [SourceRow], before old: [SourceRow]) throws {
    guard try SyncedMachine.isSet(db) else { return }
    let before = Dictionary(old.map { ($0.source.id, $0) }) { first, _ in first }
    var writes: [Int64: [Write]] = [:]
    let names = try WireSources(db).names()
    for row in new {
      let id = row.source.id.rawValue
      let known = before[row.source.id].flatMap { $0.place == nil || !$0.source.isSynced ? nil : $0.source }
      if row.place == nil {
        guard before[row.source.id]?.place != nil else { continue }
        try db.prepared(
          "UPDATE wire_source SET is_declined = 1 WHERE source_id = ? AND follow IS NOT NULL"
        ).run(id)
        continue
      }
      try db.prepared("UPDATE wire_source SET is_declined = 0 WHERE source_id = ? AND is_declined").run(id)
      guard row.source.isSynced, let follow = FollowedAddress(row.source),
        let wire = try WireSources(db).firstRow(of: id)
      else { continue }
      let cells = try cells(wire)
      func add(_ field: Act.Field, _ value: String?, _ former: String??) {
        guard let cell = cells[field], cell.value != value else { return }
        // A source that another machine followed first has the name from that machine.
        guard former == nil ? field == .follow || cell.act == nil : former != .some(value) else { return }
        writes[wire, default: []].append((field, value))
      }
      add(.follow, follow.text, known.map { FollowedAddress($0)?.text })
      // A number that only distinguishes two equal names was not chosen by the user.
      if row.source.name != names[wire] { add(.name, row.source.name, known.map(\.name)) }
      add(.title, row.source.settings.title, known.map(\.settings.title))
      add(.folder, row.source.settings.folder?.path, known.map(\.settings.folder?.path))
    }
    try send(writes)
  }

  /// Records that no machine should follow a source any more.
  func unfollow(_ source: Int64) throws {
    var writes: [Int64: [Write]] = [:]
    for row in try WireSources(db).rows(of: source) { writes[row] = [(.follow, nil)] }
    try send(writes)
    try db.prepared("UPDATE wire_source SET is_declined = 0 WHERE source_id = ?").run(source)
  }

  /// Sends the sources that are followed here if nothing was written about them, with a stamp before those of others.
  func send(setUp rows: [SourceRow], stamp: Stamp) throws {
    var writes: [Int64: [Write]] = [:]
    for row in rows where row.place != nil && row.source.isSynced {
      guard let follow = FollowedAddress(row.source),
        let wire = try WireSources(db).firstRow(of: row.source.id.rawValue)
      else { continue }
      let cells = try cells(wire)
      let values: [Write] = [
        (.follow, follow.text), (.name, row.source.name), (.title, row.source.settings.title),
        (.folder, row.source.settings.folder?.path),
      ]
      writes[wire] = values.filter { $0.value != nil && cells[$0.field]?.act == nil }
    }
    try send(writes, .setUp, stamp: stamp)
  }

  /// Sends writes about sources. If a source already has a value whose stamp is ahead of the clock, its writes form a
  /// separate act.
  private func send(_ writes: [Int64: [Write]]) throws {
    let writers = Writers(db)
    var byStamp: [Stamp: [Int64: [Write]]] = [:]
    for (row, writes) in writes {
      let last = try cells(row).values.compactMap(\.act).map { try writers.writer(of: $0).stamp }.max()
      byStamp[MergeRule.stamp(now: now, above: last), default: [:]][row] = writes
    }
    for (stamp, writes) in byStamp.sorted(by: { $0.key < $1.key }) {
      try send(writes, .sources, stamp: stamp)
    }
  }

  private func send(_ writes: [Int64: [Write]], _ kind: Act.Kind, stamp: Stamp) throws {
    var groups: [Act.Group] = []
    for (row, writes) in writes {
      guard let uid = try WireSources(db).uid(ofRow: row) else { continue }
      for write in writes {
        let value = write.value.map { Act.Value.bytes(Array($0.cut(toBytes: Limits.sourceNameBytes).utf8)) }
        groups.append(
          Act.Group(source: uid, field: write.field, value: value ?? .none, targets: [Act.Target(key: 0)]))
      }
    }
    guard let seq = try OwnActs(db).add(kind, stamp: stamp, groups) else { return }
    let act = try Journal(db).append(sent: seq, stamp: stamp, at: now)
    for (row, writes) in writes {
      for write in writes {
        try save(write.field, write.value?.cut(toBytes: Limits.sourceNameBytes), act: act, row: row)
      }
    }
  }
}

extension ConfiguredSource {
  /// Whether other machines can follow the source with only its kind and URL.
  package var isFollowedByItself: Bool { FollowedAddress(source(id: Source.unregistered))?.isEnough ?? false }
}

/// The form of a source for machines that don't have it: `KIND URL`.
struct FollowedAddress {
  var kind: String
  /// The URL without user name and password; an `@` remains if there were any.
  var address: String

  /// Returns `nil` for a source that belongs only to this machine.
  init?(_ source: Source) {
    guard source.kind.row.isPolled, source.kind != .command, !source.isLocalFile, !source.address.isEmpty
    else {
      return nil
    }
    kind = source.kind.rawValue
    address = source.settings.address
    guard var parts = URLComponents(string: address) else { return }
    if parts.user != nil || source.options.clientCertificate != nil || source.options.hasCredential == true {
      (parts.user, parts.password) = ("", nil)
      address = parts.string ?? source.settings.shownAddress
    }
  }

  init?(_ text: String) {
    guard let blank = text.firstIndex(of: " ") else { return nil }
    kind = String(text[..<blank])
    address = String(text[text.index(after: blank)...])
    if kind.isEmpty || address.isEmpty { return nil }
  }

  var text: String { "\(kind) \(address)" }

  /// The URL for display.
  var shown: String { SourceSettings(address: address).shownAddress.replacingBytes("://@", with: "://") }

  /// Whether kind and URL are enough for another machine to follow the source.
  var isEnough: Bool {
    guard ["feed", "native", "schedule", "banners"].contains(kind),
      let parts = URLComponents(string: address),
      let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
      parts.host?.isEmpty == false
    else { return false }
    return parts.user == nil
  }

  /// A key that is equal for URLs of one location: without scheme, `www.`, default port and last slash.
  var key: String {
    guard let parts = URLComponents(string: SourceUID.normalized(address)), let host = parts.host else {
      return text
    }
    let path = parts.percentEncodedPath
    return [
      kind, " ", host.hasPrefix("www.") ? String(host.dropFirst(4)) : host,
      parts.port.map { ":\($0)" } ?? "", path.hasSuffix("/") ? String(path.dropLast()) : path,
      parts.percentEncodedQuery.map { "?\($0)" } ?? "",
    ].joined()
  }
}
