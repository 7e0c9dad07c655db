import Basics
import Foundation
import GRDB

/// A table of a hub's store, as it is copied into another store.
package struct HubTable: Sendable {
  package enum Kind: Sendable {
    case number, text, bytes, flag
    /// Milliseconds since 1970.
    case time
    /// An address of the network, as a text.
    case address
  }

  package let name: String
  package let columns: [(name: String, kind: Kind)]
  /// Whether its ids are counted by the store itself.
  package let countsIDs: Bool

  private init(_ name: String, countsIDs: Bool = false, _ columns: KeyValuePairs<String, Kind>) {
    (self.name, self.countsIDs) = (name, countsIDs)
    self.columns = columns.map { ($0.key, $0.value) }
  }

  /// All of them but `hub` and `place`. None refers to one behind it.
  package static let all = [
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

/// A value of a row that is copied.
package enum HubValue: Hashable, Sendable {
  case null
  case number(Int64)
  case text(String)
  case bytes([UInt8])

  var size: Int {
    switch self {
    case .null, .number: 8
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }
}

extension HubFile {
  /// Reads everything, as of one moment.
  ///
  /// - Parameters:
  ///   - begin: called first, with the hub's id and the last id that was given.
  ///   - add: called with some rows of a table at a time.
  package func readAll(
    begin: (_ uid: String, _ lastID: Int64) throws(HubStoreFailure) -> Void,
    add: (HubTable, [[HubValue]]) throws(HubStoreFailure) -> Void
  ) throws(HubStoreFailure) {
    try reading { db in
      try begin(
        try String.fetchOne(db, sql: "SELECT uid FROM hub") ?? "",
        try Int64.fetchOne(db, sql: "SELECT last FROM place") ?? 0)
      for table in HubTable.all {
        let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let cursor = try Row.fetchCursor(db, sql: "SELECT \(names) FROM \(table.name) ORDER BY 1, 2")
        var (rows, bytes): ([[HubValue]], Int) = ([], 0)
        while let row = try cursor.next() {
          let values = table.columns.indices.map { Self.value(row[$0] as DatabaseValue) }
          rows.append(values)
          bytes += values.reduce(0) { $0 + $1.size }
          if rows.count == Limits.hubCopyRows || bytes > Limits.hubCopyBytes {
            try add(table, rows)
            (rows, bytes) = ([], 0)
          }
        }
        if !rows.isEmpty { try add(table, rows) }
      }
    }
  }

  private static func value(_ value: DatabaseValue) -> HubValue {
    switch value.storage {
    case .null: .null
    case .int64(let number): .number(number)
    case .double(let number): .number(Int64(exactly: number) ?? 0)
    case .string(let text): .text(text)
    case .blob(let bytes): .bytes([UInt8](bytes))
    }
  }
}
