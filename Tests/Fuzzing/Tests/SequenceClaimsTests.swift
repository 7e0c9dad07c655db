import Foundation
import TestBasics
import Testing

/// A few sequences at each run, of the kind that the fuzzer checks extensively.
@Suite struct SequenceClaimsTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func aSequenceIsAKnownKeyOrNothing(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<2000 {
      let count = Int.random(in: 0...24, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      try FuzzTarget.sequences.check(Data(bytes))
    }
  }
}
