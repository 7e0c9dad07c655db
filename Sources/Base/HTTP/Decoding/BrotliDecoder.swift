import Basics
import CBrotli

/// Decodes `br` (RFC 7932), with the system's library. The window has at most 16 MiB, since large windows are not
/// enabled.
final class BrotliDecoder: CodingDecoder {
  private let state = BrotliDecoderCreateInstance(nil, nil, nil)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.decodedPiece, alignment: 16)
  private var hasEnded = false

  deinit {
    BrotliDecoderDestroyInstance(state)
    buffer.deallocate()
  }

  func decode(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    guard let room = buffer.baseAddress else { return }
    var available = piece.count
    var next = piece.assumingMemoryBound(to: UInt8.self).baseAddress
    // Bytes after the end are ignored.
    while !hasEnded {
      var space = buffer.count
      var place: UnsafeMutablePointer<UInt8>? = room.assumingMemoryBound(to: UInt8.self)
      let result = BrotliDecoderDecompressStream(state, &available, &next, &space, &place, nil)
      try sink(UnsafeRawBufferPointer(start: room, count: buffer.count - space))
      switch result {
      case BROTLI_DECODER_RESULT_SUCCESS: hasEnded = true
      case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return
      case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
      default: throw .damaged
      }
    }
  }

  func finish(to sink: Sink) throws(Failure) {
    if !hasEnded { throw .cutOff }
  }
}
