import Screen

/// The curses colour pairs in use. A pair is defined when a frame first needs it.
struct ColorPairs {
  struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  /// The maximum number of pairs: far more than a frame needs. Without a limit, the table would only grow.
  static let mostPairs = 1024

  private var numbers: [Pair: Int32] = [:]
  private let limit: Int
  /// Whether a frame needed more pairs than there are, so that the rest was shown in other pairs.
  private(set) var isExhausted = false

  /// - Parameter available: the number of pairs of the terminal, including pair 0, its own colours.
  init(available: Int) { limit = max(0, min(available - 1, Self.mostPairs)) }

  /// Returns the number of a pair, which is defined if it is new. If there are too many pairs, returns a similar pair.
  ///
  /// - Parameter define: defines a pair in curses; returns `false` if curses refuses.
  mutating func number(for pair: Pair, define: (Int32, Pair) -> Bool) -> Int32 {
    if pair.foreground == -1 && pair.background == -1 { return 0 }
    if let number = numbers[pair] { return number }
    let next = Int32(numbers.count + 1)
    if next <= limit, define(next, pair) {
      numbers[pair] = next
      return next
    }
    isExhausted = true
    let neighbour = Pair(foreground: pair.foreground, background: -1)
    return numbers[neighbour] ?? 0
  }

  /// Forgets all pairs; every cell must be written again.
  mutating func reset() {
    numbers = [:]
    isExhausted = false
  }
}
