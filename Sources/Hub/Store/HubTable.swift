import Foundation

/// A table of a hub's store, in the form for copying it into another store.
struct HubTable: Sendable {
  /// The types of a value.
  enum Kind: Sendable { case number, text, bytes, flag, time, address }

  let name: String
  let columns: [(name: String, kind: Kind)]
  /// Whether the store itself assigns its ids.
  let countsIDs: Bool

  private init(_ name: String, countsIDs: Bool = false, _ columns: KeyValuePairs<String, Kind>) {
    (self.name, self.countsIDs) = (name, countsIDs)
    self.columns = columns.map { ($0.key, $0.value) }
  }

  /// All tables except `hub` and `place`, in an order in which none refers to a later one.
  static let all = [
    HubTable(
      "feed", countsIDs: true,
      [
        "id": .number, "name": .text, "title": .text, "public": .flag, "keep_days": .number,
        "expires_days": .number,
      ]),
    HubTable("person", countsIDs: true, ["id": .number, "name": .text, "last": .number]),
    HubTable(
      "token", countsIDs: true,
      [
        "id": .number, "name": .text, "hash": .bytes, "admin": .flag, "link": .flag, "person": .number,
        "made": .time, "expires": .time, "revoked": .time, "used": .time,
      ]),
    HubTable("hook", countsIDs: true, ["id": .number, "name": .text]),
    HubTable("token_feed", ["token": .number, "feed": .number, "reads": .flag, "publishes": .flag]),
    HubTable(
      "item",
      [
        "id": .number, "first_id": .number, "feed": .number, "key": .text, "body": .text, "hash": .bytes,
        "published": .time, "changed": .time, "expires": .time, "live": .flag, "token": .number,
      ]),
    HubTable(
      "scheduled", countsIDs: true,
      [
        "id": .number, "feed": .number, "key": .text, "body": .text, "expires": .time, "own_time": .number,
        "due": .time, "token": .number,
      ]),
    HubTable(
      "receipt", ["token": .number, "idem": .text, "hash": .bytes, "answer": .text, "at": .time]),
    HubTable(
      "audit", countsIDs: true,
      [
        "id": .number, "at": .time, "token": .number, "address": .address, "feed": .number, "key": .text,
        "item": .number, "act": .text,
      ]),
    HubTable(
      "document",
      [
        "feed": .number, "path": .text, "type": .text, "body": .bytes, "hash": .bytes, "modified": .time,
        "token": .number,
      ]),
    HubTable(
      "sync_object",
      [
        "person": .number, "device": .bytes, "name": .text, "body": .bytes, "seq": .number, "at": .time,
      ]),
  ]
}

extension HubTable {
  /// The names of its columns, separated by commas.
  var names: String { columns.map(\.name).joined(separator: ", ") }

  /// Returns the values of a row of `names`, and their approximate number of bytes.
  func values(_ row: some HubRow) -> (values: [HubValue], bytes: Int) {
    var bytes = 0
    let values = columns.enumerated().map { place, column -> HubValue in
      switch column.kind {
      case .number: return .number(row.number(place))
      case .time: return .time(row.time(place))
      case .flag: return .flag(row.flag(place) ?? false)
      case .text, .address:
        let text = row.text(place)
        bytes += text?.utf8.count ?? 0
        return column.kind == .text ? .text(text) : .address(text)
      case .bytes:
        let data = row.data(place)
        bytes += data?.count ?? 0
        return .bytes(data)
      }
    }
    return (values, bytes + 8 * values.count)
  }
}
