import IdentitySamples
import Testing

/// The second intake, which judges the store's, against the vectors; and the vectors against wrong variants of it.
@Suite(
  .enabled(
    if: IdentityVectors.areThere, "skipped: there is no ../shared/identity/vectors.json beside the project"))
struct IdentityModelTests {
  @Test func theModelGivesWhatEveryVectorExpects() throws {
    let vectors = try IdentityVectors.feeds.get()
    #expect(vectors.count >= 180)
    for vector in vectors {
      let outcome = IdentityModel.run(vector)
      for (place, (step, verdicts)) in zip(vector.steps, outcome.verdicts).enumerated() {
        #expect(verdicts == step.expect, "\(vector): step \(place)")
      }
      if let shown = vector.shown { #expect(outcome.shown == shown, "\(vector)") }
    }
  }

  @Test(arguments: IdentityMutant.allCases) func aVectorCatchesTheMutant(_ mutant: IdentityMutant) throws {
    let isCaught = try IdentityVectors.feeds.get().contains {
      !$0.expects(IdentityModel.run($0, mutant: mutant))
    }
    #expect(isCaught, "no vector tells it from the model")
  }
}
