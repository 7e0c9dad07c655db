import Screen

/// The number of a colour in curses, and whether bold replaces its brightness.
struct CursesColor: Hashable, Sendable {
  /// The number; -1 is the terminal's default.
  var number: Int32
  var isBright = false

  static let terminal = CursesColor(number: -1)
}

extension ColorDepth {
  /// Returns the nearest colour at this depth.
  func curses(_ color: Color) -> CursesColor {
    switch (self, color) {
    case (.none, _), (_, .terminal): .terminal
    case (.direct, .ansi(let index)): direct(index: index & 15)
    case (.direct, .indexed(let index)): direct(index: index)
    case (.direct, .rgb(let red, let green, let blue)): RGB(red, green, blue).number
    case (.indexed, .ansi(let index)): CursesColor(number: Int32(index & 15))
    case (.indexed, .indexed(let index)): CursesColor(number: Int32(index))
    case (.indexed, .rgb(let red, let green, let blue)):
      CursesColor(number: Int32(RGB(red, green, blue).nearest(in: 16...255)))
    case (.sixteen, _): CursesColor(number: Int32(sixteen(color)))
    case (.eight, _): CursesColor(number: Int32(sixteen(color) & 7), isBright: sixteen(color) > 7)
    }
  }

  /// Returns the number in terminfo's direct colours: 0 to 7 are the terminal's own; others are red, green and blue.
  private func direct(index: UInt8) -> CursesColor {
    index < 8 ? CursesColor(number: Int32(index)) : RGB(index: index).number
  }

  /// Returns the number of the nearest of xterm's 16 named colours.
  private func sixteen(_ color: Color) -> UInt8 {
    switch color {
    case .terminal: 0
    case .ansi(let index): index & 15
    case .indexed(let index): index < 16 ? index : RGB(index: index).nearest(in: 0...15)
    case .rgb(let red, let green, let blue): RGB(red, green, blue).nearest(in: 0...15)
    }
  }
}

/// A colour by its parts of 0 to 255, and xterm's palette of 256 colours: 16 named ones, a cube of 6×6×6, 24 greys.
struct RGB: Hashable, Sendable {
  let red: Int
  let green: Int
  let blue: Int

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    (self.red, self.green, self.blue) = (Int(red), Int(green), Int(blue))
  }

  /// Creates the colour with this number in the palette.
  init(index: UInt8) {
    switch index {
    case 0..<16:
      let named = Self.named[Int(index)]
      self.init(UInt8(named >> 16), UInt8(named >> 8 & 0xFF), UInt8(named & 0xFF))
    case 16..<232:
      let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
      let place = Int(index) - 16
      self.init(levels[place / 36], levels[place / 6 % 6], levels[place % 6])
    default:
      let grey = 8 + 10 * (index - 232)
      self.init(grey, grey, grey)
    }
  }

  private static let named = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000,
    0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  /// The number as a direct colour. At least 8, since smaller numbers are the terminal's own colours.
  var number: CursesColor { CursesColor(number: Int32(max(8, red << 16 | green << 8 | blue))) }

  /// Returns the number of the nearest colour in a part of the palette.
  func nearest(in range: ClosedRange<UInt8>) -> UInt8 {
    range.min { distance(to: RGB(index: $0)) < distance(to: RGB(index: $1)) } ?? range.lowerBound
  }

  private func distance(to other: RGB) -> Int {
    let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
    return red * red * 3 + green * green * 6 + blue * blue
  }
}
