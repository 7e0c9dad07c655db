import Basics
import Formats
import Foundation
import HTTP
import Messages
import Notifications
import Platform
import Polling
import Profile
import Screen
import Settings
import Storage
import Words

/// The polls of a source: the next one with its rule, and the last attempts, newest first.
struct SourceHistory {
  var source: Source
  var next: NextPoll
  var attempts: [PollAttempt]
  /// The URL of a permanent redirect, and a sentence about it.
  var moved: (address: String, sentence: String)?
  /// The sources that share the limited number of polls at the same time, if the source is therefore polled
  /// less often than its interval.
  var crowd: PollSchedule.Crowd?
  /// The next alarm of a calendar.
  var alarm: Date?
  /// The requests that the service still allows.
  var quota: RequestQuota?
  /// The failure of the push channel.
  var stream: StreamFailure?
  /// A sentence and JSON about the messages that are not listed because of their channels, or `nil` if there
  /// are none.
  var others: (sentence: String, json: JSONValue)?
  /// The number of actions that wait for the service.
  var waiting: Int
  /// The reason why other programs' notifications cannot be stored.
  var desktopProblem: String?
  var environment: Environment
  var words: Words

  // MARK: As text

  var lines: [StyledText] {
    let report = Report(attempts, columns)
    return facts + zip(attempts, report.lines()).flatMap { [$1] + remarks($0) }
  }

  /// The lines about the source that come before its attempts.
  private var facts: [StyledText] {
    let now = environment.now()
    var lines = [nextPoll]
    func add(_ name: String, _ text: String, _ style: Style = .plain) {
      lines.append(
        StyledText("\(untrusted: name): ", style: .bold) + StyledText(SafeText(untrusted: text), style: style)
      )
    }
    func addWarning(_ text: String?) {
      if let text { lines.append(StyledText(SafeText(untrusted: text), style: Style(roles: .warning))) }
    }
    if next.date == nil { addWarning(desktopProblem) }
    if let alarm { add("next alarm", environment.wallTime(alarm, seconds: true)) }
    if !source.settings.verifiesCertificates { addWarning(Profile.notVerified) }
    if let crowd { add("turns", Self.turns(crowd)) }
    addWarning(moved?.sentence)
    if let quota, quota.resets.map({ $0 > now }) ?? true {
      let limit = quota.limit.map { " of \($0)" } ?? ""
      let until = quota.resets.map { " until \(environment.wallTime($0))" } ?? ""
      add("limit", "\(quota.remaining) requests left\(limit)\(until)")
    }
    if let stream {
      let reason = words.sentence(stream.failure).text
      add(
        "stream",
        "opening it has failed since \(environment.wallTime(stream.since)): \(reason) "
          + "It is tried again while the inbox runs; polls continue.")
    }
    if let others { add("channels", others.sentence) }
    if waiting > 0 { lines.append(StyledText(words.count(.actsWaiting, waiting))) }
    return lines
  }

  private var nextPoll: StyledText {
    let label = StyledText("next poll: ", style: .bold)
    guard let date = next.date else {
      return source.kind == .desktop
        ? StyledText("notifications of other programs fill it while the inbox or reddot catch runs")
        : label + StyledText("never (\(words.reason(next.rule)))")
    }
    let isDue = date <= environment.now()
    let when = isDue ? "as soon as reddot runs" : environment.wallTime(date, seconds: true)
    return label + StyledText("\(untrusted: when) ")
      + StyledText("(\(words.reason(next.rule)))", style: Style(roles: .dim))
  }

  /// Returns a sentence about sources that share the limited number of polls at the same time.
  private static func turns(_ crowd: PollSchedule.Crowd) -> String {
    func seconds(_ time: TimeInterval) -> String {
      time < 10 ? "\((time * 10).rounded() / 10) s" : "\(Int(min(time, 1e9).rounded())) s"
    }
    let owner = crowd.host.map { " of \($0)" } ?? ""
    return
      "\(crowd.sources) sources\(owner) share \(crowd.turns) polls at the same time, and each takes "
      + "\(seconds(crowd.seconds)): a source has its turn every \(seconds(crowd.period)), less often than its interval asks"
  }

  /// Returns the lines below an attempt: about its messages and its problems.
  private func remarks(_ attempt: PollAttempt) -> [StyledText] {
    var problems = attempt.problems
    var lines: [String] = []
    if let identity = attempt.identity {
      // Doubtful ids are also a problem.
      if identity.count(.repeatedIDs) > 0 { problems.removeAll(where: \.isOfRepeatedIDs) }
      lines += identity.explanations
    }
    lines += problems.prefix(10).map(\.line)
    if problems.count > 10 { lines.append("… and \(problems.count - 10) more problems") }
    return lines.map { StyledText("    \(untrusted: $0)", style: Style(roles: .dim)) }
  }

  // MARK: The attempts

  private var columns: [Column<PollAttempt>] {
    let (words, clock) = (words, environment.clock())
    return [
      Column(
        "start", style: Style(roles: .dim),
        text: {
          environment.wallTime($0.start, seconds: true)
        },
        json: {
          MessageJSON.date($0.start)
        }),
      Column("end", json: { MessageJSON.date($0.end) }),
      Column(
        "trigger",
        styled: {
          StyledText(words.name($0.trigger))
        },
        json: {
          .string($0.trigger.rawValue)
        }),
      Column(
        "result",
        styled: {
          result($0)
        },
        json: {
          .string(words.result(of: $0, in: clock).text)
        }),
      Column(
        style: Style(roles: .dim),
        text: {
          let took = $0.end.timeIntervalSince($0.start)
          return took >= 0.1 ? "(\((took * 10).rounded() / 10) s)" : ""
        }),
      Column(
        "failure",
        json: {
          if case .failed(let failure) = $0.result { .string(words.sentence(failure).text) } else { .null }
        }),
      Column("problems", json: { .array($0.problems.map(MessageJSON.problem)) }),
      Column("new", json: { .integer(Self.counts($0).new) }),
      Column("changed", json: { .integer(Self.counts($0).changed) }),
    ]
      + IdentityReport().counts.indices.map { index in
        Column(
          IdentityReport().counts[index].0,
          json: { .integer(($0.identity ?? IdentityReport()).counts[index].1) })
      } + [
        Column(
          "explanations",
          json: { .array(($0.identity ?? IdentityReport()).explanations.map(JSONValue.string)) })
      ]
  }

  private static func counts(_ attempt: PollAttempt) -> (new: Int, changed: Int) {
    let changed = attempt.identity?.changed
    guard case .new(let new, let updated, _) = attempt.result else { return (0, changed ?? 0) }
    // Lines of earlier versions have no other number.
    return (new, changed ?? updated)
  }

  private func result(_ attempt: PollAttempt) -> StyledText {
    let (words, clock) = (words.printed, environment.clock())
    let result = words.result(of: attempt, in: clock)
    switch attempt.result {
    case .failed(let failure): return StyledText(words.sentence(failure), style: Style(roles: .error))
    case .heldBack(let until, let rule):
      return StyledText(
        words.sentence(.heldBack(until: until, rule: rule), at: attempt.end, in: clock),
        style: Style(roles: .warning))
    case .new: return StyledText(result, style: .bold)
    case .nothingNew, .notModified, .joined, .started, .carried: return StyledText(result)
    case .refused(_, let failure), .carryFailed(let failure, _):
      return StyledText("\(result): \(words.sentence(failure))", style: Style(roles: .error))
    }
  }

  // MARK: As JSON

  var json: String {
    SafeOutput.json(
      .object(
        JSONObject(
          pairs: [
            ("source", .string(source.name)), ("next", MessageJSON.date(next.date)),
            ("rule", .string(words.reason(next.rule).text)),
            ("verify", .bool(source.settings.verifiesCertificates)),
            ("moved_to", MessageJSON.text(moved?.address)), ("moved", MessageJSON.text(moved?.sentence)),
            ("requests_left", quota.map { .integer($0.remaining) } ?? .null),
            ("requests_limit", quota?.limit.map(JSONValue.integer) ?? .null),
            ("requests_reset", MessageJSON.date(quota?.resets)),
            ("stream_failure", MessageJSON.text(stream.map { words.sentence($0.failure).text })),
            ("stream_failed", MessageJSON.date(stream?.since)),
            ("other_channels", others?.json ?? .object(JSONObject([]))),
            ("turns", MessageJSON.text(crowd.map { "turns: \(Self.turns($0))" })),
            ("waiting_acts", .integer(waiting)),
            ("attempts", .array(Report(attempts, columns).objects)),
          ] + (alarm.map { [("next_alarm", MessageJSON.date($0))] } ?? []))))
  }
}

extension Profile {
  /// Returns the polls of a source.
  ///
  /// - Parameter limit: the maximum number of attempts.
  func why(_ source: Source, limit: Int) throws -> SourceHistory {
    let now = environment.now()
    let attempts = try store.polls.attempts(of: source.id, limit: limit)
    var memory = PollMemory(holds: try store.polls.holds())
    var moved: String?
    if source.id != Source.unregistered {
      moved = try store.polls.position(of: source.id).permanentAddress
      memory.states[source.id] = try store.polls.state(of: source.id)
      memory.addresses[source.id] = moved
    }
    // All sources are read, since they wait for each other's turns.
    let polled = try store.polls.polled(sources.map(\.id).filter { $0 != Source.unregistered })
    memory.states.merge(polled.states) { own, _ in own }
    memory.addresses.merge(polled.addresses) { own, _ in own }
    var schedule = PollSchedule()
    schedule.sourcesChanged(
      sources.contains { $0.id == source.id } ? sources : [source], memory: memory, at: now)
    let crowd = schedule.crowd(of: source.id)
    let next = schedule.nextPoll(of: source.id, at: now) ?? NextPoll(date: nil, rule: .notPolled)
    let state = source.id == Source.unregistered ? nil : memory.states[source.id]
    return SourceHistory(
      source: source, next: next, attempts: attempts, moved: moved.map { ($0, moveSentence(source, to: $0)) },
      crowd: crowd, alarm: source.kind == .calendar ? state?.nextPoll : nil, quota: try quota(of: source),
      stream: try streamFailure(of: source), others: try otherChannels(of: source),
      waiting: source.id == Source.unregistered ? 0 : try store.outgoing.count(of: source.id),
      desktopProblem: source.kind == .desktop ? desktopProblem : nil, environment: environment, words: words)
  }

  /// Returns the failure of the push channel, or `nil` if it works or the settings don't request it.
  private func streamFailure(of source: Source) throws(StoreFailure) -> StreamFailure? {
    guard source.isStreamed, !source.isPaused, source.id != Source.unregistered else { return nil }
    return try store.polls.streamFailure(of: source.id)
  }

  /// Returns a sentence and JSON about the messages that are not listed because of their channels, or `nil` if there
  /// are none.
  private func otherChannels(of source: Source) throws(StoreFailure) -> (sentence: String, json: JSONValue)? {
    guard source.id != Source.unregistered else { return nil }
    let counts = try store.sources.inOtherChannels(of: source.id)
    if counts.isEmpty { return nil }
    let all = counts.reduce(0) { $0 + $1.count }
    let names = counts.prefix(10).map { "\($0.channel) (\($0.count))" } + (counts.count > 10 ? ["…"] : [])
    return (
      "\(all) not listed, of \(names.joined(separator: ", ")). "
        + "The source's setting channels names those that are shown",
      .object(JSONObject(counts.map { .init(key: $0.channel, value: .integer($0.count)) }))
    )
  }

  private func quota(of source: Source) throws -> RequestQuota? {
    try store.sources.statuses().first { $0.source.id == source.id }?.quota
  }

  /// Returns a sentence about a permanent redirect, and whether the secret for the configured URL is sent to the new
  /// one.
  private func moveSentence(_ source: Source, to address: String) -> String {
    let told = "moved: the server sends this source to \(address) for good"
    guard let origin = Origin(source.address), let other = Origin(address), origin != other else {
      return told + "; it is polled there"
    }
    let hasCredential =
      Credential.configured(address: source.address) != nil
      || settings.sources.contains { $0.name == source.name && $0.credential != nil }
    let kept = hasCredential ? "; its token or password is only for \(origin) and is not sent there" : ""
    return told + ", another server" + kept
      + ". If you trust that address, write it as the source's url in the settings"
  }
}
