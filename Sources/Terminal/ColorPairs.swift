import Screen

/// Curses numbers combinations of two colours; they are made as frames ask for them.
struct ColorPairs {
  struct Pair: Hashable {
    var foreground: Int32
    var background: Int32
  }

  /// No frame of ours comes near it; a table without a bound would only grow.
  static let mostPairs = 1024

  private var numbers: [Pair: Int32] = [:]
  private let limit: Int
  /// A frame wanted more than there are: what did not fit was shown in a neighbouring pair.
  private(set) var isExhausted = false

  /// - Parameter available: how many the terminal takes, pair 0 included, which is its own colours.
  init(available: Int) { limit = max(0, min(available - 1, Self.mostPairs)) }

  /// - Parameter define: tells curses what a new number means; false where it refuses.
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

  /// Forgets all numbers; every cell must be written anew.
  mutating func reset() {
    numbers = [:]
    isExhausted = false
  }
}
