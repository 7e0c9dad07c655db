import Basics
import CZstd

/// Decodes `zstd` (RFC 8878), with the system's library and the largest window of RFC 9659.
final class ZstdDecoder: CodingDecoder {
  private let stream = ZSTD_createDStream()
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Limits.decodedPiece, alignment: 16)
  /// The received part of the next frame's magic number. It is checked here because the library also accepts formats
  /// from before the standard, which have other numbers.
  private let magic = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4)
  private var magicCount = 0
  private var isInFrame = false
  /// The number of further bytes that may belong to the frame's header, which has at most 18 with its magic
  /// number. They are fed one by one: if the header were passed in two parts, the library (1.5.4) would
  /// mistake another frame at the start of the second part for this one.
  private var headerBytes = 0
  /// Whether a frame was read; there may be several (RFC 8878 section 3.1).
  private var hasFrame = false
  /// Whether the frames have ended; further bytes are ignored.
  private var hasEnded = false
  /// Whether all bytes were decoded, but the checksum after the data is wrong.
  private var isDoubtful = false

  init() { ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Limits.zstdWindowLog) }

  deinit {
    ZSTD_freeDStream(stream)
    buffer.deallocate()
    magic.deallocate()
  }

  func decode(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) {
    var place = 0
    while !hasEnded, place < piece.count {
      if isInFrame {
        let part = headerBytes > 0 ? piece[place...].prefix(1) : piece[place...]
        headerBytes = max(0, headerBytes - 1)
        place += try feed(UnsafeRawBufferPointer(rebasing: part), to: sink)
        continue
      }
      magic[magicCount] = piece[place]
      magicCount += 1
      place += 1
      guard isMagic else {
        guard hasFrame else { throw .damaged }
        hasEnded = true
        return
      }
      if magicCount == magic.count {
        isInFrame = true
        headerBytes = 18 - magic.count
        _ = try feed(UnsafeRawBufferPointer(magic), to: sink)
      }
    }
  }

  func finish(to sink: Sink) throws(Failure) {
    if isDoubtful || (isInFrame || magicCount > 0) && !hasEnded { throw .cutOff }
  }

  /// Whether the bytes so far are the start of a magic number, of a frame or of a skippable frame (RFC 8878 sections
  /// 3.1.1 and 3.1.2).
  private var isMagic: Bool {
    let came = magic[..<magicCount]
    return [0x28, 0xB5, 0x2F, 0xFD].starts(with: came)
      || came.first.map { $0 & 0xF0 == 0x50 } == true && [0x2A, 0x4D, 0x18].starts(with: came.dropFirst())
  }

  /// Decodes bytes of a frame.
  ///
  /// - Returns: the number of bytes used: all, unless the frame has ended.
  private func feed(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(Failure) -> Int {
    var input = ZSTD_inBuffer(src: piece.baseAddress, size: piece.count, pos: 0)
    var isFull = false
    while isInFrame, input.pos < input.size || isFull {
      var output = ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
      let code = ZSTD_decompressStream(stream, &output, &input)
      if ZSTD_getErrorCode(code) == ZSTD_error_checksum_wrong {
        (isDoubtful, hasEnded, isInFrame) = (true, true, false)
        try sink(UnsafeRawBufferPointer(start: buffer.baseAddress, count: output.pos))
        return piece.count
      }
      guard ZSTD_isError(code) == 0 else { throw .damaged }
      if code == 0 {
        hasFrame = true
        isInFrame = false
        magicCount = 0
      }
      isFull = output.pos == output.size
      try sink(UnsafeRawBufferPointer(start: buffer.baseAddress, count: output.pos))
    }
    return input.pos
  }
}
