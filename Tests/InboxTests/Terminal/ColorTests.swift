import Screen
import Testing

@testable import Terminal

@Suite struct ColorTests {
  @Test(arguments: [
    (ColorDepth.none, Color.ansi(1), -1, false), (.eight, .terminal, -1, false), (.eight, .ansi(9), 1, true),
    (.eight, .rgb(250, 250, 250), 7, true), (.sixteen, .indexed(196), 9, false),
    (.sixteen, .ansi(9), 9, false),
    (.indexed, .ansi(9), 9, false), (.indexed, .rgb(255, 135, 0), 208, false),
    (.indexed, .rgb(8, 8, 8), 232, false), (.direct, .ansi(3), 3, false),
    (.direct, .rgb(1, 2, 3), 0x010203, false), (.direct, .rgb(0, 0, 1), 8, false),
    (.direct, .indexed(208), 0xFF8700, false), (.direct, .indexed(255), 0xEEEEEE, false),
  ])
  func aTerminalGetsTheNearestColourItHas(depth: ColorDepth, color: Color, number: Int32, isBright: Bool) {
    #expect(depth.curses(color) == CursesColor(number: number, isBright: isBright))
  }

  @Test func allColoursOfTheirKindsHaveANumber() {
    for depth in [ColorDepth.none, .eight, .sixteen, .indexed, .direct] {
      for index in UInt8.min...UInt8.max {
        for color in [Color.ansi(index), .indexed(index), .rgb(index, 255 - index, index)] {
          let number = depth.curses(color).number
          #expect(number >= -1 && number <= 0xFFFFFF)
        }
      }
    }
  }

  @Test func pairsAreMadeOnDemandAndOnce() {
    var pairs = ColorPairs(available: 3)
    var made: [Int32] = []
    func number(_ foreground: Int32, _ background: Int32) -> Int32 {
      pairs.number(for: .init(foreground: foreground, background: background)) { number, _ in
        made.append(number)
        return true
      }
    }
    #expect(number(-1, -1) == 0)
    #expect([number(1, -1), number(2, -1), number(1, -1)] == [1, 2, 1])
    #expect(!pairs.isExhausted)
    // No pairs are left: the same foreground on the terminal's own background, otherwise the terminal's colours.
    #expect([number(1, 4), number(5, 5)] == [1, 0])
    #expect(pairs.isExhausted)
    #expect(made == [1, 2])
    pairs.reset()
    #expect(number(5, 5) == 1)
  }
}
