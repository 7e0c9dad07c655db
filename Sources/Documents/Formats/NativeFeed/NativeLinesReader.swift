package import Basics
package import Foundation

/// Reads the items of a native feed as JSON lines (jsonlines.org): one item per line, oldest first.
package enum NativeLinesReader {
  /// Reads items from lines. Only the byte 0x0A ends a line, so that other line ends in a string do not. Blank lines
  /// and a byte order mark are skipped. A line that isn't an item is reported with its number, and the others are kept.
  ///
  /// - Throws: the error of the first line if no line is JSON.
  package static func read(
    _ bytes: Data, allowance: Allowance? = nil
  ) throws(JSONFailure) -> NativePage {
    let allowance = allowance ?? Allowance(documentBytes: bytes.count)
    var reading = NativeFeedReader.Reading(allowance: allowance)
    var failure: JSONFailure?
    var hasJSON = false
    for line in ByteLines(bytes) {
      if allowance.isSpent { break }
      do throws(JSONFailure) {
        let value = try JSONReader.parse(line.bytes)
        hasJSON = true
        reading.item(value, .line(line.number))
      } catch {
        var error = error
        error.line = line.number
        failure = failure ?? error
        reading.report("\(line.number)", "\(error.reason), column \(error.column)", leftOut: 1)
      }
    }
    if let failure, !hasJSON { throw failure }
    return finished(&reading, allowance)
  }

  /// Reads the items of one JSON array, oldest first. If the JSON is not an array, it is read as lines.
  ///
  /// - Throws: if the bytes are not one JSON value.
  package static func read(array bytes: Data, allowance: Allowance) throws(JSONFailure) -> NativePage {
    guard let elements = try JSONReader.parse(bytes).elements else {
      return try read(bytes, allowance: allowance)
    }
    var reading = NativeFeedReader.Reading(allowance: allowance)
    for (index, element) in elements.enumerated() where !allowance.isSpent {
      reading.item(element, .element(index))
    }
    return finished(&reading, allowance)
  }

  /// Returns the page after everything was read, or after the allowance was spent.
  private static func finished(_ reading: inout NativeFeedReader.Reading, _ allowance: Allowance)
    -> NativePage
  {
    if allowance.isSpent {
      reading.page.isComplete = false
      reading.report("", allowance.sentence)
    }
    return reading.finished()
  }
}
