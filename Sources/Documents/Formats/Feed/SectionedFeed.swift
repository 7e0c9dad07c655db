package import Basics
import Foundation

/// A large feed, whose sections are read separately, in any order and on any thread.
package struct SectionedFeed: Sendable {
  /// Everything but the entries; its problems are those of the beginning.
  package let head: ParsedFeed
  private let decoded: DecodedText
  private let start: Int
  private let cut: FeedCut
  private let address: String
  /// The number of problems in the beginning, which is read again with each section.
  private let repeated: Int

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

  package var count: Int { cut.sections.count }

  /// Returns the feed with only the entries of one section, and its problems.
  ///
  /// - Parameter allowance: the allowance of all sections that are read once.
  /// - Returns: `nil` if the section isn't well-formed or the allowance is spent; then the feed must be read as a
  ///   whole.
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

  private static func lines(_ decoded: DecodedText, _ range: Range<Int>) -> Int {
    decoded.bytes.withUnsafeBytes { raw in
      raw[range].reduce(into: 0) { if $1 == UInt8(ascii: "\n") { $0 += 1 } }
    }
  }
}
