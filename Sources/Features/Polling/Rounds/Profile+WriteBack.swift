import Basics
import Foundation
package import Messages
import Platform
package import Profile
import Screen
package import Storage
import Words

extension Profile {
  /// Sends the user's changes (acts) that are waiting for services and for the user's other machines, for example after
  /// a command that marked messages. The rest waits for the next poll or the inbox.
  ///
  /// - Returns: one sentence for each source whose service did not accept the changes.
  package func sendActs() async throws(StoreFailure) -> [String] {
    try await Synchroniser(self).sendNow()
    return try await carryActs()
  }

  /// Sends the waiting changes to services, and returns sentences about changes that were not accepted.
  private func carryActs() async throws(StoreFailure) -> [String] {
    guard sources.contains(where: { !$0.writableMarks.isEmpty }),
      try !store.outgoing.waiting(at: environment.now()).isEmpty
    else {
      return []
    }
    let fetcher = AdapterFetcher(self, language: try storedLanguage())
    let sentences = try await sendActs(by: fetcher, within: .seconds(Limits.secondsToSendActs))
    await fetcher.shutDown()
    return sentences
  }

  /// Sends the waiting changes with a given sender, and returns sentences about those that were not accepted.
  func sendActs(by sending: any ActSending, within limit: Duration) async throws(StoreFailure) -> [String] {
    let carrier = WriteBack(
      store: store, sending: sending, now: environment.now, clock: environment.timer)
    return try sentences(on: await carrier.round(sources, within: limit).get())
  }

  /// Returns sentences about the changes that services did not accept, so that the user can repeat them elsewhere.
  package func sentences(on round: WriteBack.Round) throws(StoreFailure) -> [String] {
    var sentences: [String] = []
    for source in sources where !source.writableMarks.isEmpty && source.id != Source.unregistered {
      let name = SafeOutput.line(source.name)
      var reason = ""
      for attempt in round.attempts where attempt.source == source.id {
        switch attempt.result {
        case .refused(let count, let failure):
          let acts = count == 1 ? "a change" : "\(count) changes"
          sentences.append("\(name) refused \(acts): \(words.sentence(failure).text)")
        case .carryFailed(let failure, _):
          let sentence = words.sentence(failure).text
          // Another sentence follows.
          reason = ": " + (sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)
        case .carried, .new, .nothingNew, .notModified, .failed, .heldBack, .joined, .started: break
        }
      }
      if round.elsewhere.contains(source.id) { continue }
      let waiting = try store.outgoing.count(of: source.id)
      if waiting == 0 { continue }
      let acts = waiting == 1 ? "1 change waits" : "\(waiting) changes wait"
      let now = environment.now()
      var from = ""
      if let due = try store.outgoing.waiting(at: now)[source.id], due > now {
        from = " from \(environment.wallTime(due)) on"
      }
      sentences.append(
        "\(acts) for \(name)\(reason); the next start or reddot poll\(from) sends \(waiting == 1 ? "it" : "them")"
      )
    }
    return sentences
  }
}

extension WriteBack {
  /// Sends the waiting changes, for at most the given time.
  package func round(_ sources: [Source], within limit: Duration) async -> Result<Round, StoreFailure> {
    let work = Task { () -> Result<Round, StoreFailure> in
      do throws(StoreFailure) { return .success(try await carry(sources)) } catch { return .failure(error) }
    }
    let timer = Task {
      // A cancelled sleep means that all acts were sent.
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      work.cancel()
    }
    let round = await work.value
    timer.cancel()
    return round
  }
}
