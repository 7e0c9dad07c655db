/// Takes what is met in an HTML text, in order. libxml2 closes what authors forget, so that opening
/// and closing always match.
protocol HTMLSink: AnyObject {
  /// Ends the work of whoever tells.
  var stop: () -> Void { get set }

  func open(_ name: String, _ attributes: HTMLAttributes)
  func text(_ bytes: UnsafeBufferPointer<UInt8>)
  func close()
}
