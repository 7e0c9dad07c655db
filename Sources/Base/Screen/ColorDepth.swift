/// The number of colours that a terminal can show.
package enum ColorDepth: Hashable, Sendable, Comparable {
  /// No colours, or none are allowed; only attributes are used.
  case none
  case eight, sixteen
  /// The 256 colours of xterm's palette.
  case indexed
  /// Any combination of red, green and blue (terminfo's `RGB`).
  case direct
}

/// Whether the background of a terminal is dark or light.
package enum Background: Hashable, Sendable {
  case dark, light
}
