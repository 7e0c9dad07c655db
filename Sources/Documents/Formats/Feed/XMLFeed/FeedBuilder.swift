import Basics

/// Receives the events of an RSS or Atom document.
///
/// The work is done in a structure, since a large feed accesses its properties millions of times, and each access to a
/// class's property is checked for overlapping.
final class FeedBuilder: XMLSink {
  private var assembly: FeedAssembly

  /// The parser that sends the events, for line numbers; the caller sets it to `nil` after the run.
  var stream: XMLStream? {
    get { assembly.stream }
    set { assembly.stream = newValue }
  }

  /// The name of the root element if it isn't that of a feed.
  var foreignRoot: String? { assembly.foreignRoot }
  var hasRoot: Bool { assembly.hasRoot }

  init(address: String, allowance: Allowance, isRepaired: Bool) {
    assembly = FeedAssembly(address: address, allowance: allowance, isRepaired: isRepaired)
  }

  func startElement(_ name: XMLName, _ attributes: XMLAttributes) { assembly.startElement(name, attributes) }
  func endElement(_ name: XMLName) { assembly.endElement(name) }
  func characters(_ text: UnsafeBufferPointer<UInt8>) { assembly.characters(text) }

  /// Returns the feed after the end of the document.
  func finish() -> ParsedFeed { assembly.finish() }
}
