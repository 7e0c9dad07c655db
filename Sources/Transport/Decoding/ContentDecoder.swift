import Foundation

/// Undoes `Content-Encoding` (RFC 9110 section 8.4) on a body that is there as a whole.
enum ContentDecoder {
  enum Failure: Error, Hashable {
    case cutOff
    case damaged
    case limitReached
    case unknown(String)
  }

  /// What we ask for.
  static let accepted = "gzip, deflate"

  /// The body without its codings, named in the order in which they were applied. An empty body is not
  /// compressed whatever its header says, as on 304 and on redirects.
  static func decode(_ body: GrowingBuffer, codings: [String], limit: Int) throws(Failure) -> Data {
    var body = body
    for coding in codings.reversed() where body.count > 0 {
      switch coding.lowercased() {
      case "identity": continue
      case "gzip", "x-gzip": body = try gunzipped(body, limit: limit)
      case "deflate": body = try inflated(body, limit: limit)
      default: throw .unknown(coding)
      }
    }
    return body.take()
  }

  private static func gunzipped(_ body: GrowingBuffer, limit: Int) throws(Failure) -> GrowingBuffer {
    let input = body.bytes
    // Servers have been seen that announce gzip and send plain text.
    guard isGzip(input, at: 0) || input.elementsEqual([0x1f]) else { return body }
    let output = GrowingBuffer(limit: limit)
    var offset = 0
    // A file may hold several members (RFC 1952 section 2.2); anything else after the first is ignored.
    repeat {
      let start = output.count
      offset = try run(input, from: try skippingGzipHeader(input, at: offset), into: output)
      guard offset + 8 <= input.count else { throw .cutOff }
      let member = UnsafeRawBufferPointer(rebasing: output.bytes[start...])
      guard littleEndian(input, at: offset) == CRC32.of(member),
        littleEndian(input, at: offset + 4) == UInt32(truncatingIfNeeded: member.count)
      else { throw .damaged }
      offset += 8
    } while isGzip(input, at: offset)
    return output
  }

  /// `deflate` means zlib's format (RFC 9110 section 8.4.1.2), but some servers send the raw stream.
  private static func inflated(_ body: GrowingBuffer, limit: Int) throws(Failure) -> GrowingBuffer {
    let input = body.bytes
    let output = GrowingBuffer(limit: limit)
    guard isZlib(input) else {
      _ = try run(input, from: 0, into: output)
      return output
    }
    let end = try run(input, from: 2, into: output)
    guard end + 4 <= input.count else { throw .cutOff }
    guard littleEndian(input, at: end).byteSwapped == Adler32.of(output.bytes) else { throw .damaged }
    return output
  }

  private static func run(_ input: UnsafeRawBufferPointer, from offset: Int, into output: GrowingBuffer)
    throws(Failure) -> Int
  {
    var inflate = Inflate(input, from: offset, into: output)
    do {
      return try inflate.run()
    } catch {
      switch error {
      case .truncated: throw .cutOff
      case .damaged: throw .damaged
      case .limitReached: throw .limitReached
      }
    }
  }

  private static func isGzip(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    offset + 1 < bytes.count && bytes[offset] == 0x1f && bytes[offset + 1] == 0x8b
  }

  private static func isZlib(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 2 && bytes[0] & 0x0f == 8 && bytes[0] >> 4 <= 7
      && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 && bytes[1] & 0x20 == 0
  }

  /// Where the compressed data begins (RFC 1952 section 2.3).
  private static func skippingGzipHeader(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(Failure)
    -> Int
  {
    guard start + 10 <= bytes.count else { throw .cutOff }
    guard bytes[start + 2] == 8 else { throw .damaged }
    let flags = bytes[start + 3]
    var offset = start + 10
    if flags & 4 != 0 {
      guard offset + 2 <= bytes.count else { throw .cutOff }
      offset += 2 + Int(bytes[offset]) + Int(bytes[offset + 1]) << 8
    }
    // A file name and a comment end with a zero byte.
    for flag: UInt8 in [8, 16] where flags & flag != 0 {
      guard offset < bytes.count, let end = bytes[offset...].firstIndex(of: 0) else { throw .cutOff }
      offset = end + 1
    }
    if flags & 2 != 0 { offset += 2 }
    guard offset <= bytes.count else { throw .cutOff }
    return offset
  }

  private static func littleEndian(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
