import Foundation
import Sync
import SyncModel
import TestBasics
import Testing

/// The merge rule with random histories of several machines with wrong clocks. There are claims that must be true, and
/// mutants that each violate one of them.
@Suite struct ModelTests {
  /// The number of histories for each claim.
  private static let histories = Histories.count(300)

  @Test(arguments: Claim.allCases)
  func theClaimHoldsInAllHistories(_ claim: Claim) {
    if let failure = Self.firstFailure(claim, nil, histories: Self.histories) {
      Issue.record("\(failure)")
    }
  }

  @Test(arguments: Mutant.allCases)
  func aWrongRuleIsNoticed(_ mutant: Mutant) {
    // The claims with few steps are checked first, because they are the fastest.
    let isNoticed = Claim.allCases.reversed().contains {
      Self.firstFailure($0, mutant, histories: max(1500, Self.histories)) != nil
    }
    #expect(isNoticed, "no claim notices it")
  }

  struct Failure: CustomStringConvertible {
    var claim: Claim
    var seed: UInt64
    var steps: [UInt64]
    var reason: String
    var trace: [String] = []

    var description: String {
      "\(claim.rawValue) with seed \(seed), \(steps.count) steps: \(reason)\n"
        + trace.joined(separator: "\n")
    }
  }

  private static func firstFailure(_ claim: Claim, _ mutant: Mutant?, histories: Int) -> Failure? {
    for number in 0..<histories {
      let seed = UInt64(number) << 8 | UInt64(Claim.allCases.firstIndex(of: claim) ?? 0)
      var random = SeededRandom(seed: ~seed)
      let steps = (0..<claim.steps(seed)).map { _ in random.next() }
      if let reason = reason(claim, seed, steps, mutant) {
        return shrunk(Failure(claim: claim, seed: seed, steps: steps, reason: reason), mutant)
      }
    }
    return nil
  }

  private static func reason(_ claim: Claim, _ seed: UInt64, _ steps: [UInt64], _ mutant: Mutant?) -> String?
  {
    do throws(Broken) {
      try claim.check(seed, steps: steps, mutant: mutant)
      return nil
    } catch {
      return error.description
    }
  }

  /// Removes steps, first many at once, as long as the claim still fails.
  private static func shrunk(_ failure: Failure, _ mutant: Mutant?) -> Failure {
    var small = failure
    var length = max(1, small.steps.count / 2)
    while true {
      var start = 0
      var isSmaller = false
      while start < small.steps.count {
        var fewer = small.steps
        fewer.removeSubrange(start..<min(start + length, fewer.count))
        if let reason = reason(failure.claim, failure.seed, fewer, mutant) {
          (small.steps, small.reason, isSmaller) = (fewer, reason, true)
        } else {
          start += length
        }
      }
      if length == 1, !isSmaller { break }
      length = max(1, length / 2)
    }
    try? failure.claim.check(failure.seed, steps: small.steps, mutant: mutant) {
      small.trace = $0.trace ?? []
    }
    return small
  }
}
