/// The protocol in which a terminal accepts pictures in pixels.
package enum GraphicsProtocol: String, Hashable, Sendable {
  /// kitty's graphics protocol, with Unicode placeholders.
  case kitty
  case sixel
}
