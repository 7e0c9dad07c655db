/// A change that one machine made: writes that share one stamp and one number. It never changes once it is written.
package struct Act: Hashable, Sendable {
  /// The kind, which is only shown to users and does not affect the merge.
  package struct Kind: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let read = Kind(rawValue: 1)
    package static let unread = Kind(rawValue: 2)
    package static let star = Kind(rawValue: 3)
    package static let unstar = Kind(rawValue: 4)
    package static let dismiss = Kind(rawValue: 5)
    /// The user restored dismissed or hidden messages.
    package static let bringBack = Kind(rawValue: 6)
    package static let readAll = Kind(rawValue: 7)
    package static let snooze = Kind(rawValue: 8)
    package static let rulesApply = Kind(rawValue: 9)
    package static let undo = Kind(rawValue: 10)
    package static let seen = Kind(rawValue: 11)
    /// The first messages of a source have arrived.
    package static let firstDelivery = Kind(rawValue: 12)
    /// The machine sent its state from before it began to synchronise.
    package static let setUp = Kind(rawValue: 13)
    /// A script pushed a message into a shared source.
    package static let push = Kind(rawValue: 14)
    /// The settings of sources were changed.
    package static let sources = Kind(rawValue: 15)
    /// The state of a message was sent again for a new occasion, which an act at the message's service had caused.
    package static let carried = Kind(rawValue: 16)
    /// An answer to a question of a program, or the end of a question.
    package static let question = Kind(rawValue: 17)
  }

  package var kind: Kind
  package var stamp: Stamp
  /// The number of the act of the same machine that this act undoes, or 0 for none.
  package var undoes: Int64
  package var groups: [Group]

  package init(kind: Kind, stamp: Stamp, undoes: Int64 = 0, groups: [Group]) {
    (self.kind, self.stamp, self.undoes, self.groups) = (kind, stamp, undoes, groups)
  }

  /// One value for one field of several messages of a source.
  package struct Group: Hashable, Sendable {
    /// The id of the source on all machines, with 16 bytes.
    package var source: WireUID
    package var field: Field
    package var value: Value
    /// The targets, sorted by key, then by occasion.
    package var targets: [Target]

    package init(source: WireUID, field: Field, value: Value, targets: [Target]) {
      (self.source, self.field, self.value, self.targets) = (source, field, value, targets)
    }
  }

  /// A field as it is sent: one of a later version has another number, and is skipped.
  package struct Field: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package static let read = Field(rawValue: 1)
    package static let starred = Field(rawValue: 2)
    package static let dismissed = Field(rawValue: 3)
    /// The end of a snooze in milliseconds since 1970, or none.
    package static let snoozed = Field(rawValue: 4)
    /// 1 if the message is shown despite rules.
    package static let shown = Field(rawValue: 5)
    /// 1 if the message is seen, so that it no longer causes a dot.
    package static let seen = Field(rawValue: 6)
    /// 1 if the message was stored as read when the first messages of its source arrived.
    package static let old = Field(rawValue: 7)
    /// The number of an answer, from 1, to a question of a program on another machine. The first write counts.
    package static let answer = Field(rawValue: 8)
    /// How a question ended, from the machine whose program asked it.
    package static let ending = Field(rawValue: 9)
    /// `KIND URL`, or none.
    package static let follow = Field(rawValue: 16)
    package static let name = Field(rawValue: 17)
    package static let title = Field(rawValue: 18)
    package static let folder = Field(rawValue: 19)
    /// 1 if the source is in a settings file that the user of one machine writes, or none if it is not. The key is
    /// `DeviceID.key`.
    package static let written = Field(rawValue: 20)
    /// The content of a message that a script pushed into a shared source.
    package static let push = Field(rawValue: 32)
    /// The content of a starred message, for machines that do not have the message.
    package static let content = Field(rawValue: 33)
  }

  package enum Value: Hashable, Sendable {
    case none
    case integer(Int64)
    case bytes([UInt8])
  }

  package struct Target: Hashable, Sendable {
    /// The first 8 bytes of SHA-256 of the message's remote id, big-endian; 0 if the write concerns the source itself.
    package var key: UInt64
    /// The occasion of the message, or 0 for any.
    package var occasion: UInt64

    package init(key: UInt64, occasion: UInt64 = 0) { (self.key, self.occasion) = (key, occasion) }
  }
}

/// The id of a source on all machines, with 16 bytes.
package struct WireUID: Hashable, Sendable {
  /// The 16 bytes.
  package let bytes: [UInt8]

  /// Returns `nil` unless there are 16 bytes.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }
}

/// The time of an act, by which acts are ordered: milliseconds since 1970 in the bits from 16 up, and a
/// counter in the lower 16 bits, which may overflow into them.
package struct Stamp: RawRepresentable, Hashable, Comparable, Sendable {
  package var rawValue: Int64

  package init(rawValue: Int64) { self.rawValue = rawValue }

  package static func < (left: Stamp, right: Stamp) -> Bool { left.rawValue < right.rawValue }

  /// The limit of stamps from other machines; greater ones are damaged.
  package static let limit: Int64 = 1 << 62

  /// - Parameter milliseconds: milliseconds since 1970, limited to 0 to 2^45.
  package init(milliseconds: Int64) { rawValue = min(max(milliseconds, 0), 1 << 45) << 16 }

  /// The next stamp, for an act that replaces a value with this stamp.
  package var next: Stamp { Stamp(rawValue: rawValue + 1) }

  /// Milliseconds since 1970.
  package var milliseconds: Int64 { rawValue >> 16 }
}
