import CZstd
import Limits

/// `zstd` (RFC 8878), by the system's decoder, with the window that RFC 9659 allows a content coding.
final class ZstdDecoder: CodingDecoder {
  private let stream = ZSTD_createDStream()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.decodedPiece, alignment: 16)
  /// Between frames, of which there may be several (RFC 8878 section 3.1).
  private var isAtEnd = false
  private var hasFrame = false
  /// What follows the frames is ignored.
  private var hasEnded = false

  init() { ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Limits.zstdWindowLog) }

  deinit {
    ZSTD_freeDStream(stream)
    buffer.deallocate()
  }

  func decode(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    var input = ZSTD_inBuffer(src: piece.baseAddress, size: piece.count, pos: 0)
    var isFull = false
    while !hasEnded, input.pos < input.size || isFull {
      var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
      let code = ZSTD_decompressStream(stream, &output, &input)
      if ZSTD_isError(code) != 0 {
        guard hasFrame, ZSTD_getErrorCode(code) == ZSTD_error_prefix_unknown else { throw .damaged }
        hasEnded = true
        return
      }
      isAtEnd = code == 0
      hasFrame = hasFrame || isAtEnd
      isFull = output.pos == output.size
      try sink(UnsafeRawBufferPointer(start: buffer.baseAddress, count: output.pos))
    }
  }

  func finish(to sink: Sink) throws(Failure) {
    if !isAtEnd, !hasEnded { throw .cutOff }
  }
}
