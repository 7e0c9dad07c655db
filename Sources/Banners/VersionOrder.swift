/// Versions compared run by run: numbers as numbers of any length, a longer version above its own beginning.
package enum VersionOrder {
  private enum Run: Equatable {
    /// Without leading zeros.
    case number([UInt8])
    case text([UInt8])
  }

  /// Whether `a` comes before `b`: `1.9` before `1.10`, `1.0` before `1.0.0`, the empty one before all.
  package static func isLess(_ a: String, _ b: String) -> Bool {
    let left = runs(a)
    let right = runs(b)
    for (x, y) in zip(left, right) where x != y {
      switch (x, y) {
      case (.number(let x), .number(let y)):
        return x.count == y.count ? x.lexicographicallyPrecedes(y) : x.count < y.count
      case (.text(let x), .text(let y)): return x.lexicographicallyPrecedes(y)
      // A separator or a word sorts before a number, so that 1.0-beta stands before 1.01.
      case (.text, .number): return true
      case (.number, .text): return false
      }
    }
    return left.count < right.count
  }

  private static func runs(_ version: String) -> [Run] {
    var runs: [Run] = []
    var rest = Array(version.utf8)[...]
    while let first = rest.first {
      let isDigit = (48...57).contains(first)
      let run = rest.prefix { (48...57).contains($0) == isDigit }
      rest = rest.dropFirst(run.count)
      runs.append(isDigit ? .number(Array(run.drop { $0 == 48 })) : .text(Array(run)))
    }
    return runs
  }
}
