import GRDB
import Messages

extension Intake {
  /// Finds the messages of other sources that new messages duplicate, and stores them in `matching.firsts`.
  func findCopies(
    _ messages: [some Matchable], _ matching: inout Matching, isPart: Bool
  ) throws {
    var new = messages.indices.filter { if case .new = matching.matches[$0] { true } else { false } }
    // Nearly every poll has nothing new, and then needs no other sources.
    if new.isEmpty { return }
    let others = try copySources()
    if others.isEmpty { return }
    try EntryFilling(db).fillSome()
    var keys: [Int: [Int64]] = [:]
    for position in new {
      let reading =
        matching.readings[position] ?? messages[position].reading(as: matching.ids[position], &reader)
      matching.readings[position] = reading
      keys[position] = EntryFacts.shared(page: reading.facts.page, worldwideID: reading.worldwideID)
    }
    let all = keys.values.joined().sorted()
    if isPart {
      let names = new.compactMap { matching.readings[$0]?.names }
      for name in names.joined() where seenNames.contains(name) { throw MessageStreamFailure.needsSurvey }
      for name in names.joined() { seenNames.insert(name) }
    }
    let known = try entryKeys.known(all)
    new.removeAll { !(keys[$0]?.contains(where: known.contains) ?? false) }
    if new.isEmpty { return }
    let candidates = new.compactMap { position in
      matching.readings[position].map {
        CopyFinder.Candidate(position: position, reading: $0, body: messages[position].comparedBody ?? "")
      }
    }
    matching.firsts = try CopyFinder(db, others: others).firsts(of: candidates)
  }
}
