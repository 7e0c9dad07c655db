/// Receives the events of an HTML document or fragment, in order. libxml2 adds missing end tags, so that start and end
/// always match.
package protocol HTMLSink: AnyObject {
  /// Whether the sink needs no more events, so that the run ends.
  var isFull: Bool { get }
  /// Receives a start tag. Names are in lower case; the pointers are valid only during the call.
  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes)
  func endElement(_ name: UnsafePointer<UInt8>)
  func characters(_ text: UnsafeBufferPointer<UInt8>)
}

extension HTMLSink {
  package var isFull: Bool { false }
}
