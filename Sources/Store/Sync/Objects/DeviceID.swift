/// The id of one of the user's machines: 16 random bytes, created when a database begins to synchronise.
package struct DeviceID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// The id in the name of the marker, the object that marks a sync location; no machine has it.
  package static let marker = DeviceID(high: 0, low: 0)

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  package static func random() -> DeviceID {
    var made = marker
    while made == marker { made = DeviceID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) }
    return made
  }

  /// The first 8 bytes, big-endian. A machine's own writes about a source have this number as their key.
  package var key: UInt64 { high }

  /// Returns `nil` unless there are 16 bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    func number(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8)))
  }

  package var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
  }
}

/// Compares ids by their bytes: if two writes have the same stamp, the greater id has precedence.
extension DeviceID: Comparable {
  package static func < (left: DeviceID, right: DeviceID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
