import Basics

/// The name of an object: its machine, the numbers of its acts and, at locations that other programs may copy, the
/// digest of its bytes.
package struct ObjectName: Hashable, Sendable {
  package var device: DeviceID
  /// The numbers of its first and its last act; both are 0 only in the marker.
  package var seqs: ClosedRange<Int64>
  /// The digest of its bytes, or `nil` in names of earlier versions, of the marker, and at sync locations that only
  /// their server writes to.
  package var digest: ObjectDigest?

  package init(device: DeviceID, seqs: ClosedRange<Int64>, digest: ObjectDigest? = nil) {
    (self.device, self.seqs, self.digest) = (device, seqs, digest)
  }

  /// The object that marks a sync location; it has no acts.
  package static let marker = ObjectName(device: .marker, seqs: 0...0)

  /// Returns this name with another digest, or without one.
  package func with(_ digest: ObjectDigest?) -> ObjectName {
    ObjectName(device: device, seqs: seqs, digest: digest)
  }

  /// The highest number of an act, so that counting from a number in a name never overflows.
  package static let lastSeq = Int64.max - 1000
}

/// Names are sorted by machine, then in the order of the acts.
extension ObjectName: Comparable {
  package static func < (left: ObjectName, right: ObjectName) -> Bool {
    if left.device != right.device { return left.device < right.device }
    if left.seqs != right.seqs {
      return (left.seqs.lowerBound, left.seqs.upperBound) < (right.seqs.lowerBound, right.seqs.upperBound)
    }
    guard let other = right.digest else { return false }
    return left.digest.map { $0 < other } ?? true
  }
}

/// The first 8 bytes of SHA-256 of an object's bytes. Each sealing has its own salt, so that no two objects have the
/// same digest.
package struct ObjectDigest: Hashable, Comparable, Sendable {
  private let word: UInt64

  init(word: UInt64) { self.word = word }

  package init(of object: [UInt8]) {
    word = SHA256.digest(object.span.bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns `nil` unless there are 8 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 8 else { return nil }
    word = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  package var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }

  package static func < (left: ObjectDigest, right: ObjectDigest) -> Bool { left.word < right.word }
}

/// The size and time of an object's file. If they change, its bytes may have changed.
package struct ObjectState: Hashable, Sendable {
  package var size: Int64
  /// The time in nanoseconds since 1970.
  package var modified: Int64

  package init(size: Int64, modified: Int64) { (self.size, self.modified) = (size, modified) }
}
