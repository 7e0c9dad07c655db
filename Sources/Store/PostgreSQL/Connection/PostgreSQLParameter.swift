/// A value of a statement, in PostgreSQL's binary form, in which integers are big-endian.
package struct PostgreSQLParameter: Sendable {
  /// The type, as its number in pg_type.
  package enum Kind: UInt32, Sendable {
    case bool = 16
    case bytea = 17
    case bigint = 20
    case text = 25
    /// Microseconds since the year 2000.
    case timestamptz = 1184

    /// The name of the type in an SQL statement, for example `bigint`.
    package var name: String { "\(self)" }

    var array: UInt32 {
      switch self {
      case .bool: 1000
      case .bytea: 1001
      case .bigint: 1016
      case .text: 1009
      case .timestamptz: 1185
      }
    }
  }

  let type: UInt32
  /// The bytes, or `nil` for NULL.
  let binary: [UInt8]?

  package static func bytes(_ bytes: [UInt8]?) -> Self { Self(type: Kind.bytea.rawValue, binary: bytes) }
  package static func number(_ number: Int64?) -> Self {
    Self(type: Kind.bigint.rawValue, binary: number.map { Self.binary($0) })
  }
  package static func text(_ text: String?) -> Self {
    Self(type: Kind.text.rawValue, binary: text.map { Array($0.utf8) })
  }
  package static func flag(_ flag: Bool) -> Self { Self(type: Kind.bool.rawValue, binary: [flag ? 1 : 0]) }

  /// - Parameter milliseconds: milliseconds since 1970; a value outside the type's range becomes the start of the year
  ///   1.
  package static func time(_ milliseconds: Int64?) -> Self {
    let micros = milliseconds.map { (max($0, -62_135_596_800_000) - 946_684_800_000) &* 1000 }
    return Self(type: Kind.timestamptz.rawValue, binary: micros.map { Self.binary($0) })
  }

  /// Returns a list for the SQL function `unnest`; all its values have the given kind.
  package static func list(_ kind: Kind, _ values: [Self]) -> Self {
    var binary: [UInt8] = []
    func add(_ number: Int32) { binary += withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    add(values.isEmpty ? 0 : 1)
    add(values.contains { $0.binary == nil } ? 1 : 0)
    add(Int32(kind.rawValue))
    if !values.isEmpty {
      add(Int32(values.count))
      add(1)
    }
    for value in values {
      add(value.binary.map { Int32(clamping: $0.count) } ?? -1)
      binary += value.binary ?? []
    }
    return Self(type: kind.array, binary: binary)
  }

  private static func binary(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

/// A row of a result, in PostgreSQL's binary form. Missing values, and values whose size does not match their type, are
/// `nil`.
package struct PostgreSQLRow: Hashable, Sendable {
  /// The values, or `nil` for NULL.
  package let values: [[UInt8]?]

  package func bytes(_ column: Int) -> [UInt8]? {
    values.indices.contains(column) ? values[column] : nil
  }

  package func text(_ column: Int) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

  package func flag(_ column: Int) -> Bool? { bytes(column).map { $0 == [1] } }

  /// Returns the value of a smallint, integer, oid or bigint.
  package func number(_ column: Int) -> Int64? {
    guard let bytes = bytes(column), (1...8).contains(bytes.count) else { return nil }
    let bits = UInt64(bytes.count * 8)
    let value = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return Int64(bitPattern: value << (64 - bits)) >> (64 - bits)
  }

  /// Returns a timestamptz in milliseconds since 1970; `infinity` is the last representable moment.
  package func time(_ column: Int) -> Int64? { number(column).map { $0 / 1000 + 946_684_800_000 } }
}
