import Foundation

/// The pages in a write-ahead log, read without SQLite, which ignores everything after a damaged frame
/// (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
struct LogFrames {
  private let bytes: Data
  private let scan: LogScan

  var pageSize: Int { scan.pageSize }
  /// The size of the database after the last commit, in pages.
  var pageCount: Int { scan.pageCount }
  var isDamaged: Bool { scan.isDamaged }

  /// Reads the log, or returns `nil` if it contains no committed page.
  ///
  /// - Parameter pageSize: the size to use if the log's header is damaged.
  init?(_ bytes: Data, pageSize: Int) {
    func part(_ start: Int, _ count: Int) -> Data? {
      let first = bytes.startIndex + start
      return first + count <= bytes.endIndex ? bytes[first..<first + count] : nil
    }
    guard let scan = LogScan(count: bytes.count, pageSize: pageSize, read: part) else { return nil }
    (self.bytes, self.scan) = (bytes, scan)
  }

  func page(_ number: Int) -> Data.SubSequence? {
    scan.places[number].map { bytes[bytes.startIndex + $0..<bytes.startIndex + $0 + pageSize] }
  }
}

/// The result of reading a write-ahead log once, frame by frame.
struct LogScan {
  let pageSize: Int
  /// The byte position in the log of each page's newest committed content, keyed by the page's number.
  private(set) var places: [Int: Int] = [:]
  /// The size of the database after the last commit, in pages.
  private(set) var pageCount = 0
  /// Whether the header or a frame of the log is damaged, so that SQLite would ignore the rest.
  private(set) var isDamaged = false

  private static let headerLength = 32
  private static let frameHeaderLength = 24

  /// Reads the log, or returns `nil` if it contains no committed page.
  ///
  /// - Parameters:
  ///   - length: the length of the log in bytes.
  ///   - given: the page size to use if the log's header is damaged.
  ///   - read: returns the bytes at a position, as many as its second parameter, or `nil` if the log ends
  ///     before.
  init?(count length: Int, pageSize given: Int, read: (Int, Int) throws -> Data?) rethrows {
    guard length >= Self.headerLength + Self.frameHeaderLength + 512,
      let beginning = try read(0, Self.headerLength + Self.frameHeaderLength)
    else { return nil }
    var header = Header(beginning)
    pageSize = header?.pageSize ?? given
    let frameLength = Self.frameHeaderLength + pageSize
    let count = (length - Self.headerLength) / frameLength
    guard count > 0 else { return nil }
    if header == nil {
      guard let salts = Self.salts(of: beginning, Self.headerLength) else { return nil }
      header = Header(salts: salts, isBigEndian: false, sums: Self.sums(of: beginning, at: 24))
    }
    guard let header else { return nil }
    let isHeaderWhole = header.isWhole
    var sums = header.sums
    var isBroken = !isHeaderWhole
    var waiting: [(page: Int, place: Int)] = []
    var isDamagedSince = false
    for index in 0..<count {
      let start = Self.headerLength + index * frameLength
      guard let frame = try read(start, frameLength) else { break }
      let salts = Self.salts(of: frame, 8)
      let stored = Self.sums(of: frame, at: 16)
      defer { sums = stored }
      guard let salts, salts == header.salts,
        Self.sums(ofFrame: frame, pageSize: pageSize, after: sums, isBigEndian: header.isBigEndian) == stored
      else {
        isDamagedSince = true
        continue
      }
      // A frame of the same log follows, so the ones before it also belong to the log.
      if isDamagedSince { isBroken = true }
      isDamagedSince = false
      let page = Self.number(frame, 0)
      waiting.append((page, start + Self.frameHeaderLength))
      let size = Self.number(frame, 4)
      if size > 0 {
        for (page, place) in waiting { places[page] = place }
        waiting = []
        pageCount = size
        isDamaged = isBroken
      }
    }
    if places.isEmpty { return nil }
  }

  private struct Header {
    var salts: [UInt32]
    var isBigEndian: Bool
    var sums: [UInt32]
    var pageSize: Int?
    /// Whether the header's checksum is correct.
    var isWhole = false

    init(salts: [UInt32], isBigEndian: Bool, sums: [UInt32]) {
      (self.salts, self.isBigEndian, self.sums) = (salts, isBigEndian, sums)
    }

    init?(_ bytes: Data) {
      let magic = LogScan.number(bytes, 0)
      guard magic & ~1 == 0x377F_0682, let salts = LogScan.salts(of: bytes, 16) else { return nil }
      isBigEndian = magic & 1 == 1
      sums = LogScan.sums(of: bytes, at: 24)
      let size = LogScan.number(bytes, 8)
      guard size >= 512, size <= 65_536, size & (size - 1) == 0,
        LogScan.sums(over: bytes, 0, 24, after: [0, 0], isBigEndian: isBigEndian) == sums
      else { return nil }
      self.salts = salts
      pageSize = size
      isWhole = true
    }
  }

  /// Returns a big-endian 32-bit number.
  private static func number(_ bytes: Data, _ place: Int) -> Int {
    let start = bytes.startIndex + place
    return bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the two halves of a checksum, or of another value of 64 bits.
  private static func sums(of bytes: Data, at place: Int) -> [UInt32] {
    [UInt32(number(bytes, place)), UInt32(number(bytes, place + 4))]
  }

  /// Returns the two salts, random numbers that all frames of one log share, or `nil` if both are 0, as in a
  /// file that a file system filled with zeros.
  private static func salts(of bytes: Data, _ place: Int) -> [UInt32]? {
    let salts = sums(of: bytes, at: place)
    return salts == [0, 0] ? nil : salts
  }

  private static func sums(
    ofFrame frame: Data, pageSize: Int, after: [UInt32], isBigEndian: Bool
  ) -> [UInt32] {
    let begun = sums(over: frame, 0, 8, after: after, isBigEndian: isBigEndian)
    return sums(over: frame, frameHeaderLength, pageSize, after: begun, isBigEndian: isBigEndian)
  }

  private static func sums(
    over bytes: Data, _ start: Int, _ length: Int, after: [UInt32], isBigEndian: Bool
  ) -> [UInt32] {
    var (first, second) = (after[0], after[1])
    bytes.withUnsafeBytes { raw in
      for place in stride(from: start, to: start + length, by: 8) {
        let words = (
          raw.loadUnaligned(fromByteOffset: place, as: UInt32.self),
          raw.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        )
        first &+= (isBigEndian ? UInt32(bigEndian: words.0) : UInt32(littleEndian: words.0)) &+ second
        second &+= (isBigEndian ? UInt32(bigEndian: words.1) : UInt32(littleEndian: words.1)) &+ first
      }
    }
    return [first, second]
  }
}
