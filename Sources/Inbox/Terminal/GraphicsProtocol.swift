/// How a terminal takes pictures in pixels.
package enum GraphicsProtocol: String, Hashable, Sendable {
  /// kitty's graphics protocol, with Unicode placeholders.
  case kitty
  case sixel
}
