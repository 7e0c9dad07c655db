package import Basics
import Foundation

/// A large feed, whose sections are read separately, in any order and on any thread.
package struct SectionedFeed: Sendable {
  /// The feed without its entries; its problems are those of the beginning of the document.
  package let head: ParsedFeed
  private let decoded: DecodedText
  /// The position of the root element, or of the prolog before it.
  private let start: Int
  /// The positions of the sections.
  private let cut: FeedCut
  private let address: String
  /// The number of problems in the beginning of the document, which are found again in each section.
  private let repeated: Int

  /// Reads the beginning of a feed that can be cut.
  ///
  /// - Parameter start: the position of the root element, or of the prolog before it.
  /// - Returns: `nil` if the beginning is not that of a well-formed feed.
  init?(
    _ decoded: DecodedText, from start: Int, _ cut: FeedCut, address: String, allowance: Allowance
  ) {
    self.decoded = decoded
    self.start = start
    self.cut = cut
    self.address = address
    guard var head = Self.read(decoded, start, cut, nil, address, allowance) else { return nil }
    let before = Self.lines(decoded, 0..<start)
    head.problems = head.problems.map { $0.movedDown(by: before) }
    repeated = head.problems.count
    if let problem = decoded.problem {
      head.problems.insert(FormatProblem(at: "", message: problem), at: 0)
    }
    self.head = head
  }

  /// The number of sections.
  package var count: Int { cut.sections.count }

  /// Returns the feed with only the entries and problems of one section. Returns `nil` if the section is not
  /// well-formed or the allowance is spent; then the feed must be read as a whole.
  ///
  /// - Parameter allowance: one allowance for all sections of the feed.
  package func read(_ section: Int, _ allowance: Allowance) -> ParsedFeed? {
    guard var feed = Self.read(decoded, start, cut, section, address, allowance) else { return nil }
    feed.problems.removeFirst(min(repeated, feed.problems.count))
    if !feed.problems.isEmpty {
      let head = Self.lines(decoded, start..<start + cut.head.count)
      let place = start + cut.sections[section].lowerBound
      let before = Self.lines(decoded, 0..<place)
      feed.problems = feed.problems.map { $0.movedDown(by: before - head) }
    }
    return feed
  }

  /// Reads the beginning of the document with one section, or without any if `section` is `nil`.
  private static func read(
    _ decoded: DecodedText, _ start: Int, _ cut: FeedCut, _ section: Int?, _ address: String,
    _ allowance: Allowance
  ) -> ParsedFeed? {
    decoded.bytes.withUnsafeBytes { raw in
      let bytes = UnsafeBufferPointer(rebasing: raw.bindMemory(to: UInt8.self)[start...])
      return cut.tail.withUnsafeBufferPointer { tail in
        let ranges = [cut.head] + (section.map { [cut.sections[$0]] } ?? [])
        let builder = FeedBuilder(address: address, allowance: allowance, isRepaired: false)
        defer { builder.stream = nil }
        let stream = XMLStream(
          ranges.map { UnsafeBufferPointer(rebasing: bytes[$0]) } + [tail], sink: builder,
          allowance: allowance)
        builder.stream = stream
        let ending = stream.run()
        guard ending.failure == nil, builder.hasRoot, !allowance.isSpent else { return nil }
        let feed = builder.finish()
        return feed.isComplete && !allowance.isSpent ? feed : nil
      }
    }
  }

  /// Returns the number of line ends in a range.
  private static func lines(_ decoded: DecodedText, _ range: Range<Int>) -> Int {
    decoded.bytes.withUnsafeBytes { raw in
      raw[range].reduce(into: 0) { if $1 == UInt8(ascii: "\n") { $0 += 1 } }
    }
  }
}
