import Basics
import Formats
import Foundation
package import Messages
import Notifications
import Platform
import Profile
import Screen
package import Services
import Settings
import Storage
import Synchronization
import Words

/// Polls some sources once, for cron jobs and for commands.
package struct PollRound: Sendable {
  private let arrival: MessageArrival
  private let fetching: AdapterFetcher
  private var profile: Profile { arrival.profile }

  fileprivate init(_ arrival: MessageArrival) throws(StoreFailure) {
    self.arrival = arrival
    fetching = AdapterFetcher(arrival.profile, language: try arrival.profile.storedLanguage())
  }

  /// The results of polling the sources, in their order, and the lines that a command prints about them.
  package struct Report: Sendable {
    /// The result of polling one source.
    struct Entry: Sendable {
      var source: Source
      var result: RefreshResult
      /// The titles of the new messages, newest first. Only the titles that may be printed are read; the others are
      /// empty.
      var titles: [String]
      /// Whether the previous poll failed.
      var wasFailing: Bool
      /// The reasons why messages are not new, or become unread again.
      var identity: IdentityReport
      /// The time until which the source is not polled because it has reached its daily limit; `nil` if it has not.
      var fullUntil: Date?
      /// A sentence on the entries that the poll left out.
      var leftOut: String?
    }

    /// Problems that aren't failures of polls, for example a log that cannot be written.
    package var warnings: [String]
    /// The failures that don't belong to the poll of a source, as sentences.
    var troubles: [String]
    var entries: [Entry]
    /// The trigger of the polls. With `.periodic`, only the sources that are due are polled, and the user did not
    /// request it.
    var trigger: PollTrigger
    var words: Words
    var now: Date
    var clock: ZoneClock

    /// Returns the output without failures: lines for the sources with new messages, with the newest titles, then one
    /// line for all other sources. With `json`, returns one JSON object per source.
    package func lines(json: Bool) -> [String] {
      if json { return entries.map { SafeOutput.json(self.json($0)) } }
      func reasons(_ entry: Entry) -> [String] {
        // The number excludes messages that are unread again, which have another sentence.
        var changed = entry.identity.changed
        if case .new(_, let back) = entry.result { changed -= back }
        return
          ((changed > 0 ? ["\(changed) changed"] : []) + entry.identity.summary + full(entry)
          + [entry.leftOut].compactMap(\.self)).map {
            "  " + $0
          }
      }
      func arrivals(_ entry: Entry) -> [String] {
        [line(entry)] + entry.titles.prefix(20).map { "  \(SafeOutput.line($0))" }
          + (entry.titles.count > 20 ? ["  … and \(entry.titles.count - 20) more"] : []) + reasons(entry)
      }
      var lines: [String] = []
      var rest: [Entry] = []
      for entry in entries {
        switch entry.result {
        case .new: lines += arrivals(entry)
        // A source that is never polled is not mentioned if there are other sources.
        case .heldBack(_, .notPolled) where entries.count > 1: break
        // After a forced poll, the reason is printed.
        case .heldBack where trigger == .forced: lines.append(line(entry))
        // Periodic polls would repeat the sentence each time.
        case .nothingNew where entry.leftOut != nil && trigger != .periodic: lines += arrivals(entry)
        // An id becomes doubtful once, and is reported once.
        case .nothingNew where !entry.identity.findings.isEmpty: lines += arrivals(entry)
        case .nothingNew, .heldBack: rest.append(entry)
        case .failed:
          // The messages of the parts before the failure are stored.
          if !entry.titles.isEmpty || !entry.identity.findings.isEmpty {
            var before = entry
            before.result = entry.titles.isEmpty ? .nothingNew : .new(count: entry.titles.count)
            lines += arrivals(before)
          }
          if isRetry(entry) { rest.append(entry) }
        }
      }
      guard rest.count == 1 else { return lines + summary(rest) }
      return lines + [line(rest[0])] + (rest[0].result == .nothingNew ? reasons(rest[0]) : [])
    }

    /// Returns a line about a source that has reached its daily limit.
    private func full(_ entry: Entry) -> [String] {
      guard let until = entry.fullUntil else { return [] }
      let moment = words.printed.instant(until, from: now, in: clock).text
      return [
        "daily_limit of \(entry.source.settings.dailyLimit) new messages reached: polls continue there at \(moment)"
      ]
    }

    /// Returns one line about a source's result.
    private func line(_ entry: Entry) -> String {
      "\(SafeOutput.line(entry.source.name)): \(sentence(entry, words.printed))"
    }

    /// Returns one line with the numbers of sources without new messages.
    private func summary(_ rest: [Entry]) -> [String] {
      let unchanged = rest.filter { $0.result == .nothingNew }.count
      let failing = rest.filter(isRetry).count
      let paused = rest.count { if case .heldBack(_, .paused) = $0.result { true } else { false } }
      let early = rest.count - unchanged - failing - paused
      func sources(_ count: Int) -> String { count == 1 ? "1 source" : "\(count) sources" }
      var parts: [String] = []
      if unchanged > 0 { parts.append("\(sources(unchanged)): nothing new") }
      if failing > 0 {
        parts.append("\(sources(failing)): failed again; run reddot why NAME to see the reason")
      }
      if early > 0 { parts.append("\(sources(early)): not due yet; run reddot why NAME to see the time") }
      if paused > 0 { parts.append("\(sources(paused)): paused") }
      return parts.isEmpty ? [] : [parts.joined(separator: "; ")]
    }

    /// The sentences about failures. After a periodic poll, the failure of a source that already failed before is
    /// omitted, because cron would send mail each time.
    package var failures: [String] {
      troubles + failed.filter { !isRetry($0) }.map { "\($0.source.name): \(sentence($0, words.printed))" }
    }

    /// The lines about sources whose polls succeed again; empty after a forced poll, whose result already shows that.
    package var recoveries: [String] {
      if trigger == .forced { return [] }
      return entries.compactMap { entry in
        switch entry.result {
        case .new, .nothingNew: entry.wasFailing ? "\(entry.source.name): can be polled again" : nil
        case .failed, .heldBack: nil
        }
      }
    }

    /// Whether something failed, including failures that are not printed.
    package var hasFailures: Bool { !troubles.isEmpty || !failed.isEmpty }

    private var failed: [Entry] {
      entries.filter { if case .failed = $0.result { true } else { false } }
    }

    /// Whether a periodic poll failed, and the poll before it failed too.
    private func isRetry(_ entry: Entry) -> Bool {
      if case .failed(let failure) = entry.result {
        trigger == .periodic && entry.wasFailing && failure != .cancelled
      } else {
        false
      }
    }

    private func sentence(_ entry: Entry, _ words: Words) -> String {
      words.sentence(entry.result, at: now, in: clock).text
    }

    /// Returns a source's result as JSON.
    private func json(_ entry: Entry) -> JSONValue {
      let (result, new, back): (String, Int, Int) =
        switch entry.result {
        case .new(let count, let back): ("new", count, back)
        case .nothingNew: ("nothing_new", 0, 0)
        case .failed: ("failed", 0, 0)
        case .heldBack: ("held_back", 0, 0)
        }
      var until: Date?
      if case .heldBack(let date, _) = entry.result { until = date }
      return .object(
        JSONObject(
          [
            .init(key: "source", value: .string(entry.source.name)),
            .init(key: "result", value: .string(result)),
            .init(key: "new", value: .number(String(new))),
            .init(key: "changed", value: .integer(entry.identity.changed)),
            .init(key: "back", value: .number(String(back))),
          ] + entry.identity.counts.map { .init(key: $0.0, value: .integer($0.1)) } + [
            .init(key: "until", value: MessageJSON.date(until)),
            .init(key: "message", value: .string(sentence(entry, words))),
          ]))
    }
  }

  /// Sends the user's changes to services in parallel with the polls, so that a service that takes seconds for a change
  /// delays no other source. For a message whose change is being sent, the read state in a response is ignored.
  ///
  /// - Returns: one sentence for each source whose changes could not be sent.
  private func carryActs(
    of sources: [Source], _ trigger: PollTrigger, progress: @escaping @Sendable (String) -> Void
  ) async throws -> [String] {
    let environment = profile.environment
    let ellipsis = environment.isUTF8 ? "…" : "..."
    let carrier = WriteBack(
      store: profile.store, sending: fetching, now: environment.now, clock: environment.timer
    ) { progress("Sending \($1) changes to \(SafeOutput.line($0.name)) \(ellipsis)") }
    // An earlier failure was already reported, as with polls.
    let said = trigger == .periodic ? try profile.store.outgoing.sourcesWithFailedActs() : []
    let round = try await carrier.carry(sources, isForced: trigger == .forced)
    return round.attempts.compactMap { attempt in
      switch attempt.result {
      case .carryFailed where said.contains(attempt.source): return nil
      case .refused(_, let failure), .carryFailed(let failure, _):
        let name = sources.first { $0.id == attempt.source }?.name ?? ""
        let result = profile.words.printed.result(of: attempt, in: environment.clock())
        return "\(SafeOutput.line(name)): \(result.text): \(profile.words.sentence(failure).text)"
      case .carried, .new, .nothingNew, .notModified, .failed, .heldBack, .joined, .started: return nil
      }
    }
  }

  /// Polls the sources, and does the work that follows from the results.
  fileprivate func run(
    _ sources: [Source], _ trigger: PollTrigger, first: [String: FirstAnswer],
    progress: @escaping @Sendable (String) -> Void
  ) async throws -> Report {
    for (name, answer) in first { await fetching.begin(name, with: answer) }
    let environment = profile.environment
    let store = profile.store
    try profile.applyRulesAndLists()
    try store.time.catchUpWhole(to: environment.now())
    let arrived = Mutex<[SourceID: [MessageID]]>([:])
    let identities = Mutex<[SourceID: IdentityReport]>([:])
    let hook = FeatureHook(profile)
    let hooks = Mutex<[Task<[String], Never>]>([])
    let warnings = Mutex<[String]>([])
    let log = profile.logFile.map { path in
      FileLog(path: path, now: environment.now) { trouble in warnings.withLock { $0.append(trouble) } }
        .logger(label: "poll")
    }
    let recorder = StoreRecorder(arrival, log: log, isAdding: !first.isEmpty) { source, recorded in
      arrived.withLock { $0[source, default: []] += recorded.ids }
      identities.withLock { $0[source, default: IdentityReport()].add(recorded.identity) }
      guard !recorded.features.isEmpty else { return }
      hooks.withLock { $0.append(Task { await hook.runWaiting(in: store) }) }
    }
    _ = try store.features.switchDue(at: environment.now())
    // This runs the commands for changes that are due, and for those left by a process that was killed.
    hooks.withLock { $0.append(Task { await hook.runWaiting(in: store) }) }
    let poller = Poller(
      sources: profile.sources, fetching: fetching, recording: recorder, clock: environment.timer,
      now: environment.now, jitter: { environment.random() * 0.1 })
    async let carrying = carryActs(of: sources, trigger, progress: progress)
    let before = try store.polls.polled(sources.map(\.id)).states
    let results = await poller.refresh(sources.map(\.id), trigger)
    var troubles = try await carrying
    await poller.stop()
    await fetching.shutDown()
    for hook in hooks.withLock({ $0 }) { troubles += await hook.value }
    let ids = arrived.withLock { $0 }
    let after = try store.polls.polled(sources.map(\.id)).states
    let entries = try sources.map { source in
      let newest = (ids[source.id] ?? []).reversed()
      let titles = try newest.prefix(21).map { try store.messages.find($0)?.content.title ?? "" }
      let padding = Array(repeating: "", count: max(0, newest.count - titles.count))
      return Report.Entry(
        source: source, result: results[source.id] ?? .failed(.cancelled), titles: titles + padding,
        wasFailing: before[source.id]?.isFailing ?? false,
        identity: identities.withLock { $0[source.id] ?? IdentityReport() },
        fullUntil: source.settings.pause(after: after[source.id]?.day, at: environment.now()),
        leftOut: try profile.lastProblems(of: source).leftOutSentence(
          of: source.name, document: source.fileName))
    }
    try profile.pruneIfDue()
    // This matters if no inbox is running that would do it.
    try store.search.fill(limit: 2000)
    for _ in 0..<20 where try store.savedLists.judge(at: environment.now()) {}
    // After a large poll, the write-ahead log would slow down the next start. After a small one, the store stays open
    // because lines of the timeline may still be written.
    if ids.values.contains(where: { $0.count > 10_000 }) { try store.close() }
    return Report(
      warnings: profile.settings.warnings.map(\.sentence) + warnings.withLock { $0 }, troubles: troubles,
      entries: entries, trigger: trigger,
      words: profile.words,
      now: environment.now(),
      clock: environment.clock())
  }
}

extension MessageArrival {
  /// Polls sources once.
  ///
  /// - Parameters:
  ///   - trigger: `.periodic` polls the sources that are due, `.soft` the sources that the grace period allows,
  ///     `.forced` all.
  ///   - first: responses that are used as the first polls of their sources, by name.
  ///   - progress: receives a line before work that takes long.
  package func poll(
    _ sources: [Source], _ trigger: PollTrigger, first: [String: FirstAnswer] = [:],
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> PollRound.Report {
    try await PollRound(self).run(sources, trigger, first: first, progress: progress)
  }
}
