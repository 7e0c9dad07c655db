/// Prepares text for md4c, and restores the original bytes in its output.
///
/// - A `_` or a similar mark in a URL isn't emphasis. Such marks are replaced by bytes that never occur in UTF-8.
/// - GitHub's tables need one `-` below a column's heading, md4c before 0.5 needs three. Missing ones are added, and
///   removed again if the line isn't part of a table.
/// - md4c 0.4.8 may read some bytes beyond the end of incomplete text, and a NUL in a table makes it read invalid
///   memory. So the text ends with a line end and zeros, and every NUL in it is replaced.
struct MarkdownSource {
  /// The text and the zeros after it.
  private(set) var bytes: [UInt8] = []
  /// The length of the text without the zeros.
  private(set) var count = 0
  /// The offsets of added dashes, in order.
  private var added: [Int] = []

  /// The number of zeros after the text.
  private static let zeros = 64
  /// The characters with a meaning in Markdown that are replaced in URLs.
  private static let marks = Array("_*~[]".utf8)
  /// The byte that replaces the first of `marks`; the following bytes replace the others.
  private static let firstStandIn: UInt8 = 0xF8

  init(_ text: Substring) {
    var source = Array(text.utf8)
    if source.contains(0) { source = source.flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0] } }
    MarkdownSource.hideMarksOfAddresses(&source)
    bytes.reserveCapacity(source.count + MarkdownSource.zeros + 1)
    for line in source.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if MarkdownSource.isTableRule(line) { appendWidened(line) } else { bytes += line }
      bytes.append(0x0A)
    }
    count = bytes.count
    bytes += Array(repeating: 0, count: MarkdownSource.zeros)
  }

  /// Returns text of md4c's output with the original bytes.
  ///
  /// - Parameter offset: the offset of the text in `bytes`, or `nil` if it is not part of them.
  func written(_ text: UnsafeBufferPointer<UInt8>, at offset: Int?) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var next = offset.map { firstAdded(from: $0) } ?? added.count
    for (place, byte) in text.enumerated() {
      if let offset, next < added.count, added[next] == offset + place {
        next += 1
      } else if byte >= MarkdownSource.firstStandIn {
        let mark = Int(byte - MarkdownSource.firstStandIn)
        result.append(mark < MarkdownSource.marks.count ? MarkdownSource.marks[mark] : byte)
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Returns the index in `added` of the first dash at an offset or after it.
  private func firstAdded(from offset: Int) -> Int {
    var (low, high) = (0, added.count)
    while low < high {
      let middle = (low + high) / 2
      if added[middle] < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Replaces the marks in URLs, unless they are escaped.
  private static func hideMarksOfAddresses(_ source: inout [UInt8]) {
    for range in AddressFinder.addresses(in: source) {
      for index in range where index == 0 || source[index - 1] != UInt8(ascii: "\\") {
        guard let mark = marks.firstIndex(of: source[index]) else { continue }
        source[index] = firstStandIn + UInt8(mark)
      }
    }
  }

  /// Whether a line may be the one between a table's head and its rows, also in a quote.
  private static func isTableRule(_ line: ArraySlice<UInt8>) -> Bool {
    let bar = UInt8(ascii: "|")
    let dash = UInt8(ascii: "-")
    guard line.allSatisfy({ "|-: >\t\r".utf8.contains($0) }), line.contains(bar), line.contains(dash) else {
      return false
    }
    let rule = line.drop { " >\t".utf8.contains($0) }
    // `- |` is an item of a list.
    return rule.first != dash || !" \t".utf8.contains(rule.dropFirst().first ?? 0x20)
  }

  /// Appends the line below a table's head, with at least three dashes or colons in each column.
  private mutating func appendWidened(_ line: ArraySlice<UInt8>) {
    let dash = UInt8(ascii: "-")
    var index = line.startIndex
    while index < line.endIndex {
      let run = line[index...].prefix { $0 == dash || $0 == UInt8(ascii: ":") }
      guard !run.isEmpty else {
        bytes.append(line[index])
        index += 1
        continue
      }
      let end = run.firstIndex(of: dash).map { $0 + 1 } ?? run.startIndex
      bytes += run[..<end]
      if end > run.startIndex {
        for _ in 0..<max(0, 3 - run.count) {
          added.append(bytes.count)
          bytes.append(dash)
        }
      }
      bytes += run[end...]
      index = run.endIndex
    }
  }
}
