import IdentitySamples
import TestBasics
import Testing

/// The store's intake against the vectors.
@Suite(
  .timeLimit(.minutes(HangLimit.minutes)),
  .enabled(
    if: IdentityVectors.areThere, "skipped: there is no ../shared/identity/vectors.json beside the project"))
struct IdentityStoreTests {
  @Test(arguments: [
    IdentityStoreRunner.Way(), IdentityStoreRunner.Way(partSize: 2),
    IdentityStoreRunner.Way(partSize: 1, isFile: true),
  ]) func everyVectorHolds(_ way: IdentityStoreRunner.Way) throws {
    for vector in try IdentityVectors.feeds.get() {
      let outcome: IdentityModel.Outcome
      do {
        outcome = try IdentityStoreRunner.run(vector, way)
      } catch {
        Issue.record("\(vector): \(error)")
        continue
      }
      for (place, (step, verdicts)) in zip(vector.steps, outcome.verdicts).enumerated() {
        #expect(verdicts == step.expect, "\(vector): step \(place)")
      }
      let model = IdentityModel.run(vector)
      for (place, (list, expected)) in zip(outcome.lists, model.lists).enumerated() {
        #expect(list == expected, "\(vector): list after step \(place)")
      }
      if let shown = vector.shown {
        let expected = shown.map {
          IdentityRow(listed: $0.source, title: $0.title, text: $0.text, isUnread: $0.isUnread)
        }
        #expect(outcome.shown == expected.sorted(), "\(vector)")
      }
    }
  }
}
