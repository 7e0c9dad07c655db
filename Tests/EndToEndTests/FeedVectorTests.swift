import Foundation
import IdentitySamples
import TerminalHarness
import TestBasics
import Testing

/// Compares the built program with the vectors for the identity of entries. The feeds are files that are rewritten between polls,
/// and polls are killed.
///
/// The program's clock is the machine's, so the model computes the verdicts for this time. Pruning everything takes a
/// day; vectors with pruning are left to the tests of the store.
@Suite(
  .timeLimit(.minutes(HangLimit.minutes)),
  .enabled(
    if: IdentityVectors.areThere, "skipped: there is no ../shared/identity/vectors.json beside the project"))
struct FeedVectorTests {
  /// The vectors that are polled in one household. Each has separate sources and hosts.
  private struct Stand {
    let household: Household
    let vectors: [IdentityVector]
    /// The time when each step was polled.
    var times: [String] = []
    /// All combinations of steps that may have been polled twice and that explain the lists so far, for each vector.
    var repeats: [[[Bool]]]

    init(_ vectors: [IdentityVector]) throws {
      self.vectors = vectors.enumerated().map { place, vector in vector.onHosts(ending: ".v\(place)") }
      household = try Household()
      repeats = vectors.map { _ in [[]] }
      let home = household.home
      try household.settings(
        sources: vectors.indices.flatMap { place in
          vectors[place].sources.map { source in
            let name = Self.name(source, of: place)
            return (name, "\(home)/\(name).json", "kind = \"feed\"")
          }
        })
    }

    /// The number of steps of the longest vector.
    var steps: Int { vectors.map(\.steps.count).max() ?? 0 }

    private static func name(_ source: String, of place: Int) -> String { "v\(place)-\(source)" }

    /// The vectors that have this step.
    private func places(of step: Int) -> [Int] { vectors.indices.filter { vectors[$0].steps.count > step } }

    /// Writes the documents of a step, and returns the arguments that poll them.
    func write(_ step: Int) throws -> [String] {
      var names: [String] = []
      for place in places(of: step) {
        let step = vectors[place].steps[step]
        let name = Self.name(step.source, of: place)
        try household.write("\(name).json", step.jsonFeed())
        names.append(name)
      }
      return ["poll", "--json", "--force"] + names
    }

    /// Polls a step to its end, and compares verdicts and lists with the model's.
    ///
    /// Some of the step's documents may have been stored before, by a poll that was killed.
    mutating func poll(_ step: Int) throws {
      times.append(Date().formatted(.iso8601))
      let arguments = try write(step)
      let ran = try household.run(arguments)
      try #require(ran.exit == .status(0), "\(ran.errors)")
      var lists: [Int: [IdentityRow]] = [:]
      for message in try household.messages("--limit", "100000") {
        let name = try #require(message["source"] as? String).dropFirst().split(separator: "-", maxSplits: 1)
        let place = try #require(Int(name[0]))
        let row = IdentityRow(
          listed: String(name[1]), title: message["title"] as? String, text: message["body"] as? String,
          isUnread: message["unread"] as? Bool == true)
        lists[place, default: []].append(row)
      }
      for place in places(of: step) {
        let vector = vectors[place]
        let found = lists[place, default: []].sorted()
        let candidates = repeats[place].flatMap { [$0 + [false], $0 + [true]] }
        let outcomes = candidates.map { run(vector, through: step, repeating: $0) }
        let fitting = zip(candidates, outcomes).filter { $0.1.lists.last == found }.map(\.0)
        #expect(!fitting.isEmpty, "\(vector), step \(step): \(found), not \(outcomes[0].lists.last ?? [])")
        repeats[place] = fitting.isEmpty ? candidates : fitting
      }
      #expect(try household.run("mark", "--read", "--all").exit == .status(0))
    }

    /// The model's outcome at the times of this run.
    private func run(
      _ vector: IdentityVector, through last: Int, repeating: [Bool]
    ) -> IdentityModel.Outcome {
      let model = IdentityModel()
      var outcome = IdentityModel.Outcome()
      for place in 0...last {
        let step = vector.steps[place]
        for _ in 0..<(repeating[place] ? 2 : 1) {
          let verdicts = model.poll(step.source, step.doc, now: times[place])
          outcome.verdicts.append(verdicts)
        }
        outcome.lists.append(model.listed)
        model.readAll()
      }
      return outcome
    }
  }

  /// The vectors without pruning.
  private func vectors() throws -> [IdentityVector] {
    try IdentityVectors.feeds.get().filter { vector in !vector.steps.contains { $0.prunes } }
  }

  /// A killed poll stores all of a document or nothing.
  @Test func killedPollsChangeNoVerdict() throws {
    var chance = SeededRandom(seed: 1)
    var stand = try Stand(vectors().enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
    var usual = Duration.milliseconds(200)
    var kills = 0
    for step in 0..<stand.steps {
      let arguments = try stand.write(step)
      for _ in 0..<3 {
        let start = ContinuousClock.now
        let ran = try stand.household.start(arguments)
          .kill(after: usual * Double.random(in: 0.1...1, using: &chance))
        if ran.exit == .signal(SIGKILL) { kills += 1 } else { usual = ContinuousClock.now - start }
      }
      try stand.poll(step)
    }
    #expect(kills > 0, "too few kills to say anything")
    let ran = try stand.household.run("check")
    #expect(ran.exit == .status(0), "\(ran.output)\(ran.errors)")
  }
}

extension IdentityVector {
  /// A vector with links and worldwide ids that no other vector has.
  fileprivate func onHosts(ending: String) -> IdentityVector {
    func moved(_ text: String?) -> String? {
      guard let text else { return nil }
      let name = text.trimmingCharacters(in: .whitespaces)
      if name.hasPrefix("tag:") || name.hasPrefix("urn:") {
        return text.replacingOccurrences(of: name, with: name + ending)
      }
      guard let scheme = text.range(of: "://") else { return text }
      let end = text[scheme.upperBound...].firstIndex { "/?#:".contains($0) } ?? text.endIndex
      return text[..<end] + ending + text[end...]
    }
    var vector = self
    for step in steps.indices {
      for entry in steps[step].doc.indices {
        vector.steps[step].doc[entry].id = moved(steps[step].doc[entry].id)
        vector.steps[step].doc[entry].link = moved(steps[step].doc[entry].link)
      }
    }
    return vector
  }
}
