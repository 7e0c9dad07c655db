import Basics

/// A frame of the pipe protocol: 4 bytes of length, big-endian, then a verb (one character) and its arguments.
enum Frame {
  /// - Parameter parts: the parts, together at most `Limits.frameBytes` − 1, like an object and its name.
  static func bytes(_ verb: Character, _ parts: [UInt8]...) -> [UInt8] {
    let count = 1 + parts.reduce(0) { $0 + $1.count }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 + count)
    bytes += bigEndian(UInt64(count), bytes: 4)
    bytes.append(verb.asciiValue ?? 0)
    for part in parts { bytes += part }
    return bytes
  }

  static func bigEndian(_ number: UInt64, bytes count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Splits arriving bytes into frames.
package struct FrameDecoder: Sendable {
  /// The length of a frame is 0 or exceeds `Limits.frameBytes`, so that the start of the next one isn't known.
  package struct Unreadable: Error, Hashable {
    package var length: Int

    package init(length: Int) { self.length = length }
  }

  private var buffer: [UInt8] = []

  package init() {}

  /// Whether no bytes are left: `next` has returned all frames.
  package var isEmpty: Bool { buffer.isEmpty }

  package mutating func append(_ bytes: some Collection<UInt8>) { buffer += bytes }

  /// Returns the next frame without its length (a verb and its arguments), or `nil` if it hasn't completely arrived.
  package mutating func next() throws(Unreadable) -> [UInt8]? {
    guard buffer.count >= 4 else { return nil }
    let length = Int(Frame.number(buffer[..<4]))
    guard length > 0, length <= Limits.frameBytes else { throw Unreadable(length: length) }
    guard buffer.count - 4 >= length else { return nil }
    let frame = Array(buffer[4..<(4 + length)])
    // `removeFirst` would keep the memory of a large object.
    buffer = Array(buffer[(4 + length)...])
    return frame
  }
}

extension ObjectName {
  static let wireBytes = 32

  /// The name as it is sent: 32 bytes, without the digest.
  var wire: [UInt8] {
    device.bytes + Frame.bigEndian(UInt64(bitPattern: seqs.lowerBound), bytes: 8)
      + Frame.bigEndian(UInt64(bitPattern: seqs.upperBound), bytes: 8)
  }

  /// Reads a sent name, or returns `nil` unless there are 32 bytes, and the numbers ascend and aren't negative.
  init?(wire bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.wireBytes, let device = DeviceID(bytes: bytes.prefix(16)),
      let first = Int64(exactly: Frame.number(bytes.dropFirst(16).prefix(8))),
      let last = Int64(exactly: Frame.number(bytes.suffix(8))), first <= last
    else { return nil }
    self.init(device: device, seqs: first...last)
  }
}

/// A request to the program of a sync location.
package enum PlaceRequest: Hashable, Sendable {
  case list
  case get(ObjectName)
  case put(ObjectName, [UInt8])
  case delete(ObjectName)
  case changed(seconds: UInt32)

  /// The frame with its length.
  package var frame: [UInt8] {
    switch self {
    case .list: Frame.bytes("L")
    case .get(let name): Frame.bytes("G", name.wire)
    case .put(let name, let bytes): Frame.bytes("P", name.wire, bytes)
    case .delete(let name): Frame.bytes("D", name.wire)
    case .changed(let seconds): Frame.bytes("C", Frame.bigEndian(UInt64(seconds), bytes: 4))
    }
  }

  /// - Parameter frame: the frame without its length.
  /// - Returns: `nil` if it isn't a request.
  package init?(frame: [UInt8]) {
    guard let verb = frame.first else { return nil }
    let rest = frame.dropFirst()
    switch (Character(UnicodeScalar(verb)), rest.count) {
    case ("L", 0): self = .list
    case ("G", _):
      guard let name = ObjectName(wire: rest) else { return nil }
      self = .get(name)
    case ("P", ObjectName.wireBytes...):
      guard let name = ObjectName(wire: rest.prefix(ObjectName.wireBytes)) else { return nil }
      self = .put(name, Array(rest.dropFirst(ObjectName.wireBytes)))
    case ("D", _):
      guard let name = ObjectName(wire: rest) else { return nil }
      self = .delete(name)
    case ("C", 4): self = .changed(seconds: UInt32(truncatingIfNeeded: Frame.number(rest)))
    case _: return nil
    }
  }
}

/// A response of the program of a sync location. Responses have the order of the requests.
package enum PlaceAnswer: Hashable, Sendable {
  case names([ObjectName])
  case bytes([UInt8])
  case nothing
  case done
  case anotherIsThere
  case changed(Bool)
  case failed(PlaceFailureCode, sentence: String)

  /// The frame with its length.
  package var frame: [UInt8] {
    switch self {
    case .names(let names): Frame.bytes("l", names.flatMap(\.wire))
    case .bytes(let bytes): Frame.bytes("g", bytes)
    case .nothing: Frame.bytes("n")
    case .done: Frame.bytes("k")
    case .anotherIsThere: Frame.bytes("x")
    case .changed(let isChanged): Frame.bytes("c", [isChanged ? 1 : 0])
    case .failed(let code, let sentence): Frame.bytes("e", [code.rawValue], Array(sentence.utf8))
    }
  }

  /// - Parameter frame: the frame without its length.
  /// - Returns: `nil` if it isn't a response, or has too many names.
  package init?(frame: [UInt8]) {
    guard let verb = frame.first else { return nil }
    let rest = frame.dropFirst()
    switch (Character(UnicodeScalar(verb)), rest.count) {
    case ("l", let count) where count % ObjectName.wireBytes == 0:
      guard count / ObjectName.wireBytes <= Limits.placeObjects else { return nil }
      var names: [ObjectName] = []
      names.reserveCapacity(count / ObjectName.wireBytes)
      for start in stride(from: rest.startIndex, to: rest.endIndex, by: ObjectName.wireBytes) {
        guard let name = ObjectName(wire: rest[start..<(start + ObjectName.wireBytes)]) else { return nil }
        names.append(name)
      }
      self = .names(names)
    case ("g", _): self = .bytes(Array(rest))
    case ("n", 0): self = .nothing
    case ("k", 0): self = .done
    case ("x", 0): self = .anotherIsThere
    case ("c", 1) where rest.last == 0 || rest.last == 1: self = .changed(rest.last == 1)
    case ("e", 1...):
      // A code of a later version means a sync location that can't be used.
      let code = rest.first.flatMap(PlaceFailureCode.init(rawValue:)) ?? .broken
      let text = String(decoding: rest.dropFirst().prefix(4 * Limits.placeReasonCharacters), as: UTF8.self)
      self = .failed(code, sentence: String(text.prefix(Limits.placeReasonCharacters)))
    case _: return nil
    }
  }
}

package enum PlaceFailureCode: UInt8, Hashable, Sendable {
  case notAllowed = 1
  case full = 2
  case broken = 3
  case notUnderstood = 4
}
