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

/// One round of polls, for cron and for who asks for one.
package struct PollRound: Sendable {
  private let arrival: MessageArrival
  private let fetching: AdapterFetcher
  private var profile: Profile { arrival.profile }

  fileprivate init(_ arrival: MessageArrival) throws(StoreFailure) {
    self.arrival = arrival
    fetching = AdapterFetcher(arrival.profile, language: try arrival.profile.storedLanguage())
  }

  /// The results, in the order of the sources.
  package struct Report: Sendable {
    struct Entry: Sendable {
      var source: Source
      var result: RefreshResult
      var titles: [String]
      /// Whether the poll before this one failed.
      var wasFailing: Bool
      /// Why messages are not new, or come again.
      var identity: IdentityReport
      /// The time until which it is not polled since it has reached its daily limit, or `nil` if it has not.
      var fullUntil: Date?
      /// A sentence on the entries that the poll left out.
      var leftOut: String?
    }

    /// Problems that aren't failures of polls, such as a log that cannot be written.
    package var warnings: [String]
    /// Failures outside the polls.
    var troubles: [String]
    var entries: [Entry]
    /// Periodic: polls that are due; nobody asked for a certain source.
    var trigger: PollTrigger
    var words: Words
    var now: Date
    var clock: ZoneClock

    /// Sources with new messages, with the newest titles, then one line for all other sources. Failures are separate.
    package func lines(json: Bool) -> [String] {
      if json { return entries.map { SafeOutput.json(self.json($0)) } }
      func reasons(_ entry: Entry) -> [String] {
        // The sentence has those that are unread again.
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
        // Never polled: not mentioned if there are other sources.
        case .heldBack(_, .notPolled) where entries.count > 1: break
        // After a forced poll the reason is printed.
        case .heldBack where trigger == .forced: lines.append(line(entry))
        // Polls by the plan would repeat the sentence each time.
        case .nothingNew where entry.leftOut != nil && trigger != .periodic: lines += arrivals(entry)
        // An id comes into doubt once, and is reported once.
        case .nothingNew where !entry.identity.findings.isEmpty: lines += arrivals(entry)
        case .nothingNew, .heldBack: rest.append(entry)
        case .failed:
          // What the parts before the failure brought is there.
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

    private func full(_ entry: Entry) -> [String] {
      guard let until = entry.fullUntil else { return [] }
      let moment = words.instant(until, from: now, in: clock).text
      return [
        "daily_limit of \(entry.source.settings.dailyLimit) new messages reached: polls continue there at \(moment)"
      ]
    }

    private func line(_ entry: Entry) -> String {
      "\(SafeOutput.line(entry.source.name)): \(sentence(entry))"
    }

    private func summary(_ rest: [Entry]) -> [String] {
      let unchanged = rest.filter { $0.result == .nothingNew }.count
      let failing = rest.filter(isRetry).count
      let paused = rest.count { if case .heldBack(_, .paused) = $0.result { true } else { false } }
      let early = rest.count - unchanged - failing - paused
      func sources(_ count: Int) -> String { count == 1 ? "1 source" : "\(count) sources" }
      var parts: [String] = []
      if unchanged > 0 { parts.append("\(sources(unchanged)): nothing new") }
      if failing > 0 { parts.append("\(sources(failing)): failed again; reddot why NAME says why") }
      if early > 0 { parts.append("\(sources(early)): not due yet; reddot why NAME says when") }
      if paused > 0 { parts.append("\(sources(paused)): paused") }
      return parts.isEmpty ? [] : [parts.joined(separator: "; ")]
    }

    /// What failed. A failure that only goes on isn't among it where the plan made the poll: cron would send mail each time.
    package var failures: [String] {
      troubles + failed.filter { !isRetry($0) }.map { "\($0.source.name): \(sentence($0))" }
    }

    /// Sources whose polls work again. Who forced a poll sees that from its result.
    package var recoveries: [String] {
      if trigger == .forced { return [] }
      return entries.compactMap { entry in
        switch entry.result {
        case .new, .nothingNew: entry.wasFailing ? "\(entry.source.name): can be polled again" : nil
        case .failed, .heldBack: nil
        }
      }
    }

    /// Whether something failed, said or not.
    package var hasFailures: Bool { !troubles.isEmpty || !failed.isEmpty }

    private var failed: [Entry] {
      entries.filter { if case .failed = $0.result { true } else { false } }
    }

    private func isRetry(_ entry: Entry) -> Bool {
      if case .failed(let failure) = entry.result {
        trigger == .periodic && entry.wasFailing && failure != .cancelled
      } else {
        false
      }
    }

    private func sentence(_ entry: Entry) -> String { words.sentence(entry.result, at: now, in: clock).text }

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
            .init(key: "message", value: .string(sentence(entry))),
          ]))
    }
  }

  /// Beside the polls: a service that takes seconds for an act keeps no other source waiting. What an answer says of a message
  /// whose act is on its way does not count.
  ///
  /// - Returns: a sentence for each that could not be sent.
  private func carryActs(
    of sources: [Source], _ trigger: PollTrigger, progress: @escaping @Sendable (String) -> Void
  ) async throws -> [String] {
    let environment = profile.environment
    let ellipsis = environment.isUTF8 ? "…" : "..."
    let carrier = ActCarrier(
      store: profile.store, sending: fetching, now: environment.now, clock: environment.timer
    ) { progress("Sending \($1) changes to \(SafeOutput.line($0.name)) \(ellipsis)") }
    // A failure of before is said already, as with polls.
    let said = trigger == .periodic ? try profile.store.outgoing.sourcesWithFailedActs() : []
    let round = try await carrier.carry(sources, isForced: trigger == .forced)
    return round.attempts.compactMap { attempt in
      switch attempt.result {
      case .carryFailed where said.contains(attempt.source): return nil
      case .refused(_, let failure), .carryFailed(let failure, _):
        let name = sources.first { $0.id == attempt.source }?.name ?? ""
        let result = profile.words.result(of: attempt, in: environment.clock())
        return "\(SafeOutput.line(name)): \(result.text): \(profile.words.sentence(failure).text)"
      case .carried, .new, .nothingNew, .notModified, .failed, .heldBack, .joined, .started: return nil
      }
    }
  }

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
    // For changes that are due, and for those of a process that was ended.
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
    // Where no inbox runs that would do it.
    try store.search.fill(limit: 2000)
    for _ in 0..<20 where try store.savedLists.judge(at: environment.now()) {}
    // After a large poll the write-ahead log would slow down the next start. After a small one the store stays open,
    // since lines of the timeline may still be written.
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
  /// Polls once.
  ///
  /// - Parameters:
  ///   - trigger: periodic for the sources that are due by the plan, soft for those that the grace allows, forced for all.
  ///   - first: responses that are the first polls of their sources, by name.
  ///   - progress: gets a line about what takes long, when it begins.
  package func poll(
    _ sources: [Source], _ trigger: PollTrigger, first: [String: FirstAnswer] = [:],
    progress: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> PollRound.Report {
    try await PollRound(self).run(sources, trigger, first: first, progress: progress)
  }
}
