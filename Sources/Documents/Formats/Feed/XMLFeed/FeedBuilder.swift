import Basics

/// Takes the events of an RSS or Atom document.
///
/// The work is done in a structure: a large feed accesses its properties millions of times, and those of a class
/// are checked for overlapping access each time.
final class FeedBuilder: XMLSink {
  private var assembly: FeedAssembly

  /// The parser that sends the events, for line numbers; the caller sets it to nil after the run.
  var stream: XMLStream? {
    get { assembly.stream }
    set { assembly.stream = newValue }
  }

  /// The name of the root element if it isn't a feed's.
  var foreignRoot: String? { assembly.foreignRoot }
  var hasRoot: Bool { assembly.hasRoot }

  init(address: String, allowance: Allowance, isRepaired: Bool) {
    assembly = FeedAssembly(address: address, allowance: allowance, isRepaired: isRepaired)
  }

  func startElement(_ name: XMLName, _ attributes: XMLAttributes) { assembly.startElement(name, attributes) }
  func endElement(_ name: XMLName) { assembly.endElement(name) }
  func characters(_ text: UnsafeBufferPointer<UInt8>) { assembly.characters(text) }

  /// The feed, once the document ended.
  func finish() -> ParsedFeed { assembly.finish() }
}
