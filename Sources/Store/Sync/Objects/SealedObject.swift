import Basics

/// An object as it is stored at a sync location: a header with its name, and its payload, packed and encrypted. Without
/// the key, only the machine, the numbers of the acts and the size are visible.
package enum SealedObject {
  package enum Failure: Error, Hashable, Sendable {
    /// A later version of reddot wrote the object; it is ignored until this program is updated.
    case anotherFormat(UInt8)
    case damaged(Damage)
  }

  package enum Damage: Hashable, Sendable {
    /// The bytes aren't an object, or are cut off within the header.
    case header
    /// The header belongs to another object.
    case name
    /// The object was sealed with another key, or changed since.
    case tag
    /// The content isn't in zlib's format, although the tag is right: the object was already sealed like this.
    case packing
    /// The object exceeds `Limits.objectBytes`, or its payload exceeds `Limits.payloadBytes`.
    case tooLong
  }

  /// The content exceeds the limit of an object.
  package struct TooLong: Error, Hashable, Sendable {}

  /// 16 random bytes, which give each object a separate key.
  package struct Salt: Hashable, Sendable {
    let bytes: [UInt8]

    /// Returns `nil` unless there are 16 bytes.
    package init?(bytes: some Collection<UInt8>) {
      guard bytes.count == 16 else { return nil }
      self.bytes = Array(bytes)
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns a salt from the system's random numbers.
    package static func random() -> Salt { Salt((0..<16).map { _ in UInt8.random(in: 0 ... .max) }) }
  }

  /// Packs and encrypts a payload, and returns the whole object.
  ///
  /// - Parameters:
  ///   - salt: a new one for each object.
  ///   - format: the format; a marker has `markerFormat` if names have digests.
  package static func seal(
    _ payload: [UInt8], name: ObjectName, key: SyncKey, salt: Salt = .random(), format: UInt8 = Self.format
  ) throws(TooLong) -> [UInt8] {
    guard payload.count <= Limits.payloadBytes else { throw TooLong() }
    let packed = Zlib.deflate(payload)
    guard packed.count <= Limits.objectBytes - headerBytes - Cipher.tagBytes else { throw TooLong() }
    let header = [magic, [format, 0, 0, 0], named(name), salt.bytes].flatMap(\.self)
    return header + cipher(key, header: header).seal(packed)
  }

  /// Decrypts and unpacks an object.
  ///
  /// - Returns: the payload.
  package static func open(
    _ bytes: [UInt8], name: ObjectName, key: SyncKey
  ) throws(Failure) -> [UInt8] {
    guard bytes.count <= Limits.objectBytes else { throw .damaged(.tooLong) }
    guard bytes.starts(with: magic), bytes.count > magic.count else { throw .damaged(.header) }
    guard bytes[4] == format || name == .marker && bytes[4] == markerFormat else {
      throw .anotherFormat(bytes[4])
    }
    guard bytes.count >= headerBytes, bytes[5..<8].allSatisfy({ $0 == 0 }) else { throw .damaged(.header) }
    guard bytes[8..<40].elementsEqual(named(name)) else { throw .damaged(.name) }
    let cipher = cipher(key, header: Array(bytes[..<headerBytes]))
    guard let packed = cipher.open(bytes[headerBytes...]) else { throw .damaged(.tag) }
    do throws(Zlib.Failure) {
      return try Zlib.inflate(packed, limit: Limits.payloadBytes)
    } catch {
      switch error {
      case .damaged: throw .damaged(.packing)
      case .tooLong: throw .damaged(.tooLong)
      }
    }
  }

  /// Whether the header of an object of another format is genuine: its tag covers the header, if both are at
  /// the positions of this format. Otherwise a bit of the header may have changed.
  package static func isSealed(_ bytes: [UInt8], key: SyncKey) -> Bool {
    guard bytes.count >= leastBytes, bytes.count <= Limits.objectBytes else { return false }
    return cipher(key, header: Array(bytes[..<headerBytes])).open(bytes[headerBytes...]) != nil
  }

  /// Whether the first bytes of an object may be its header. An object of another format counts as one, since its
  /// header may differ.
  ///
  /// - Parameter bytes: `headerBytes` of them, or all.
  package static func mayBegin(with bytes: some Collection<UInt8>, name: ObjectName) -> Bool {
    let bytes = Array(bytes.prefix(headerBytes))
    guard bytes.starts(with: magic), bytes.count > magic.count else { return false }
    return bytes[4] != format || bytes.count == headerBytes && bytes[8..<40].elementsEqual(named(name))
  }

  // MARK: The header

  package static let headerBytes = 56
  /// The size of an object without a payload.
  package static let leastBytes = headerBytes + Cipher.tagBytes
  private static let magic = Array("rdsy".utf8)
  package static let format: UInt8 = 1
  /// The format of a marker if names have digests. Earlier versions, which don't support these, report that a newer
  /// reddot set the sync location up.
  package static let markerFormat: UInt8 = 2

  /// Returns the number of the format in the header.
  package static func format(of bytes: [UInt8]) -> UInt8? { bytes.count > 4 ? bytes[4] : nil }

  /// Returns the part of the header with the name of the object: device, first and last number.
  private static func named(_ name: ObjectName) -> [UInt8] {
    var bytes = name.device.bytes
    bytes.append(word: UInt64(bitPattern: name.seqs.lowerBound))
    bytes.append(word: UInt64(bitPattern: name.seqs.upperBound))
    return bytes
  }

  // MARK: The key

  /// Returns the cipher for the object with this header.
  private static func cipher(_ key: SyncKey, header: [UInt8]) -> Cipher {
    // A key derived from a salt seals only one object, so the nonce may be constant.
    Cipher(
      key: derivedKey(key, salt: Array(header.suffix(16))), nonce: Array(repeating: 0, count: 12),
      additional: header)
  }

  /// Returns the key of the objects with this salt: 32 bytes.
  static func derivedKey(_ key: SyncKey, salt: [UInt8]) -> [UInt8] {
    HKDF.derive(secret: key.bytes, salt: salt, info: Array("reddot sync 1".utf8), length: 32)
  }
}
