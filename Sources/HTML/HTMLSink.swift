/// What receives the events of an HTML document or fragment, in order. libxml2 closes what authors forget, so that opening
/// and closing always match.
package protocol HTMLSink: AnyObject {
  /// No more is wanted: the run ends.
  var isFull: Bool { get }
  /// Names are lower case; the pointers are valid during the call.
  func startElement(_ name: UnsafePointer<UInt8>, _ attributes: HTMLAttributes)
  func endElement(_ name: UnsafePointer<UInt8>)
  func characters(_ text: UnsafeBufferPointer<UInt8>)
}

extension HTMLSink {
  package var isFull: Bool { false }
}
