import Limits

/// Takes the events of an RSS or Atom document.
///
/// The work is a structure's: its parts are used millions of times in a large feed, and those of a class would
/// be checked for overlapping access each time.
final class FeedBuilder: XMLSink {
  private var assembly: FeedAssembly

  /// The run that feeds this, for line numbers; whoever starts it clears this after.
  var stream: XMLStream? {
    get { assembly.stream }
    set { assembly.stream = newValue }
  }

  /// The root element, where it is not a feed.
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
