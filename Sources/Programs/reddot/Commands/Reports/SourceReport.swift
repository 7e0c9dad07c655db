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

/// What `reddot sources` and `reddot why` print.
extension Profile {
  /// One line for each source: dot, name, unread, kind, and the result of the last poll.
  func sourceLines(json: Bool) throws -> [String] {
    try store.time.catchUp(to: environment.now())
    let statuses = try statuses()
    if json { return try statuses.map { SafeOutput.json(try sourceJSON($0)) } }
    let width = statuses.map { SafeText(untrusted: SafeOutput.line($0.source.name)).columns }.max() ?? 0
    return try statuses.map { status in
      let name = SafeOutput.line(status.source.name)
      let dot = status.isUnseen ? (environment.isUTF8 ? "●" : "*") : " "
      let padding = String(repeating: " ", count: width - SafeText(untrusted: name).columns)
      let last =
        status.state.lastFailure.map { words.brief($0).text }
        ?? status.state.lastAttemptEnd.map { "polled \(environment.wallTime($0))" }
        ?? (status.source.kind == .desktop ? desktopProblem : nil) ?? ""
      // A control file has no messages: counts of 0 would look like an empty inbox.
      let counts = status.source.kind == .banners ? "" : "  \(status.unread)/\(status.total)"
      let left = try lastProblems(of: status.source).leftOut
      let lacks =
        left > 0
        ? "  \(left == 1 ? "1 entry" : "\(left) entries") left out (reddot why \(ShellWord.quoted(name)))"
        : ""
      let line = "\(dot) \(name)\(padding)\(counts)  \(status.source.kind.rawValue)  \(last)\(lacks)"
        .trimmingSpacesAtEnd
      return status.source.settings.verifiesCertificates ? line : "\(line)  \(Self.notVerified)"
    }
  }

  private static let notVerified = "certificates are not verified (verify = false)"

  private func sourceJSON(_ status: SourceStatus) throws(StoreFailure) -> JSONValue {
    let members: [(String, JSONValue)] = [
      ("name", .string(status.source.name)), ("kind", .string(status.source.kind.rawValue)),
      ("url", status.source.address.isEmpty ? .null : .string(status.source.shownAddress)),
      ("verify", .bool(status.source.settings.verifiesCertificates)),
      ("folder", MessageJSON.text(status.source.folder?.path)),
      ("title", .string(status.title ?? words.title(of: status).text)),
      ("unread", .number(String(status.unread))),
      ("total", .number(String(status.total))), ("unseen", .bool(status.isUnseen)),
      ("badge", status.badge.map { .number(String($0)) } ?? .null),
      ("last_attempt", MessageJSON.date(status.state.lastAttemptEnd)),
      ("last_success", MessageJSON.date(status.state.lastSuccess)),
      ("failures", .number(String(status.state.failures))),
      ("last_failure", MessageJSON.text(status.state.lastFailure.map { words.sentence($0).text })),
      ("left_out", .integer(try lastProblems(of: status.source).leftOut)),
    ]
    return .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
  }

  /// The next poll of a source with its rule, and the last attempts, newest first.
  func why(_ source: Source, limit: Int, json: Bool) throws -> [String] {
    let now = environment.now()
    let clock = environment.clock()
    let attempts = try store.polls.attempts(of: source.id, limit: limit)
    var memory = PollMemory(holds: try store.polls.holds())
    var moved: String?
    if source.id != Source.unregistered {
      moved = try store.polls.position(of: source.id).permanentAddress
      memory.states[source.id] = try store.polls.state(of: source.id)
      memory.addresses[source.id] = moved
    }
    // With all sources, since they wait for each other's turns.
    let polled = try store.polls.polled(sources.map(\.id).filter { $0 != Source.unregistered })
    memory.states.merge(polled.states) { own, _ in own }
    memory.addresses.merge(polled.addresses) { own, _ in own }
    var schedule = PollSchedule()
    schedule.sourcesChanged(
      sources.contains { $0.id == source.id } ? sources : [source], memory: memory, at: now)
    let crowd = schedule.crowd(of: source.id)
    let next = schedule.nextPoll(of: source.id, at: now) ?? NextPoll(date: nil, rule: .notPolled)
    if json {
      return [
        SafeOutput.json(
          try whyJSON(
            source, next, attempts, movedTo: moved, crowd,
            alarm: Self.nextAlarm(of: source, memory.states[source.id])))
      ]
    }
    var lines: [String] = []
    if let date = next.date {
      let when =
        date <= now ? "as soon as reddot runs" : words.instant(date, from: now, in: clock, seconds: true).text
      lines.append("next poll: \(when) (\(words.reason(next.rule).text))")
    } else {
      lines.append(
        source.kind == .desktop
          ? "other programs' notices fill it, while the inbox or reddot catch runs"
          : "next poll: never (\(words.reason(next.rule).text))")
      if source.kind == .desktop, let desktopProblem { lines.append(desktopProblem) }
    }
    if let alarm = Self.nextAlarm(of: source, memory.states[source.id]) {
      lines.append("next alarm: \(words.instant(alarm, from: now, in: clock, seconds: true).text)")
    }
    if !source.settings.verifiesCertificates { lines.append(Self.notVerified) }
    if let crowd { lines.append(SafeOutput.line(Self.sentence(crowd))) }
    if let moved { lines.append(SafeOutput.line(moveSentence(source, to: moved))) }
    if let quota = try quota(of: source), quota.resets.map({ $0 > now }) ?? true {
      lines.append(quotaLine(quota, at: now, in: clock))
    }
    if let stream = try streamFailure(of: source) {
      let since = words.instant(stream.since, from: now, in: clock).text
      let reason = words.sentence(stream.failure).text
      lines.append(
        SafeOutput.line(
          "stream: opening it has failed since \(since): \(reason) "
            + "It is tried again while the inbox runs; polls go on."))
    }
    if let others = try otherChannels(of: source) { lines.append(SafeOutput.line(others.sentence)) }
    let waiting = source.id == Source.unregistered ? 0 : try store.outgoing.count(of: source.id)
    if waiting > 0 { lines.append(words.count(.actsWaiting, waiting).text) }
    for attempt in attempts {
      let took = attempt.end.timeIntervalSince(attempt.start)
      var line =
        "\(environment.wallTime(attempt.start, seconds: true))  \(words.name(attempt.trigger).text)  "
      switch attempt.result {
      case .failed(let failure): line += words.sentence(failure).text
      case .heldBack(let until, let rule):
        line +=
          words.sentence(RefreshResult.heldBack(until: until, rule: rule), at: attempt.end, in: clock).text
      case .new, .nothingNew, .notModified, .joined, .started, .carried:
        line += words.result(of: attempt, in: clock).text
      case .refused(_, let failure), .carryFailed(let failure, _):
        line += "\(words.result(of: attempt, in: clock).text): \(words.sentence(failure).text)"
      }
      if took >= 0.1 { line += "  (\((took * 10).rounded() / 10) s)" }
      lines.append(line)
      // Ids in doubt are a problem as well.
      var problems = attempt.problems
      if let identity = attempt.identity {
        if identity.count(.repeatedIDs) > 0 { problems.removeAll(where: \.isOfRepeatedIDs) }
        lines += identity.explanations.map { "    \($0)" }
      }
      for problem in problems.prefix(10) {
        let place = problem.at.isEmpty ? "" : "\(problem.at): "
        lines.append("    \(SafeOutput.line(place + problem.message))")
      }
      if problems.count > 10 { lines.append("    … and \(problems.count - 10) more problems") }
    }
    return lines
  }

  /// Of a calendar.
  private static func nextAlarm(of source: Source, _ state: PollState?) -> Date? {
    source.kind == .calendar ? state?.nextPoll : nil
  }

  private static func sentence(_ crowd: PollSchedule.Crowd) -> String {
    func seconds(_ time: TimeInterval) -> String {
      time < 10 ? "\((time * 10).rounded() / 10) s" : "\(Int(min(time, 1e9).rounded())) s"
    }
    let owner = crowd.host.map { " of \($0)" } ?? ""
    return
      "turns: \(crowd.sources) sources\(owner) share \(crowd.turns) polls at the same time, and each takes "
      + "\(seconds(crowd.seconds)): a source has its turn every \(seconds(crowd.period)), less often than its interval asks"
  }

  /// nil where the settings don't ask for the push channel.
  private func streamFailure(of source: Source) throws(StoreFailure) -> StreamFailure? {
    guard source.isStreamed, !source.isPaused, source.id != Source.unregistered else { return nil }
    return try store.polls.streamFailure(of: source.id)
  }

  /// The messages that are not listed because of their channels; `nil` if there are none.
  private func otherChannels(of source: Source) throws(StoreFailure) -> (sentence: String, json: JSONValue)? {
    guard source.id != Source.unregistered else { return nil }
    let counts = try store.sources.inOtherChannels(of: source.id)
    if counts.isEmpty { return nil }
    let all = counts.reduce(0) { $0 + $1.count }
    let names = counts.prefix(10).map { "\($0.channel) (\($0.count))" } + (counts.count > 10 ? ["…"] : [])
    return (
      "channels: \(all) not listed, of \(names.joined(separator: ", ")). "
        + "The source's setting channels names those that are shown",
      .object(JSONObject(counts.map { .init(key: $0.channel, value: .integer($0.count)) }))
    )
  }

  private func quota(of source: Source) throws -> RequestQuota? {
    try store.sources.statuses().first { $0.source.id == source.id }?.quota
  }

  private func quotaLine(_ quota: RequestQuota, at now: Date, in clock: ZoneClock) -> String {
    let remaining = "\(quota.remaining) requests left"
    let limit = quota.limit.map { " of \($0)" } ?? ""
    let until = quota.resets.map { " until \(words.instant($0, from: now, in: clock).text)" } ?? ""
    return "limit: \(remaining)\(limit)\(until)"
  }

  /// A sentence about a permanent redirect, and about the secret for the configured address.
  private func moveSentence(_ source: Source, to address: String) -> String {
    let told = "moved: the server sends this source to \(address) for good"
    guard let origin = Origin(source.address), let other = Origin(address), origin != other else {
      return told + "; it is asked there"
    }
    let hasCredential =
      Credential.configured(address: source.address) != nil
      || settings.sources.contains { $0.name == source.name && $0.credential != nil }
    let kept = hasCredential ? "; its token or password is only for \(origin) and is not sent there" : ""
    return told + ", another server" + kept
      + ". If you trust that address, write it as the source's url in the settings"
  }

  private func whyJSON(
    _ source: Source, _ next: NextPoll, _ attempts: [PollAttempt], movedTo moved: String?,
    _ crowd: PollSchedule.Crowd?, alarm: Date?
  ) throws -> JSONValue {
    let quota = try quota(of: source)
    let stream = try streamFailure(of: source)
    let waiting = source.id == Source.unregistered ? 0 : try store.outgoing.count(of: source.id)
    let clock = environment.clock()
    let lines = attempts.map { attempt -> JSONValue in
      var members: [(String, JSONValue)] = [
        ("start", MessageJSON.date(attempt.start)), ("end", MessageJSON.date(attempt.end)),
        ("trigger", .string(attempt.trigger.rawValue)),
        ("result", .string(words.result(of: attempt, in: clock).text)), ("failure", .null),
        ("problems", .array(attempt.problems.map(MessageJSON.problem))),
      ]
      let identity = attempt.identity ?? IdentityReport()
      var (new, changed) = (0, identity.changed)
      if case .new(let count, let updated, _) = attempt.result {
        new = count
        // Lines of earlier versions have nothing else.
        if attempt.identity == nil { changed = updated }
      }
      members += [("new", .integer(new)), ("changed", .integer(changed))]
      members += identity.counts.map { ($0.0, .integer($0.1)) }
      members.append(("explanations", .array(identity.explanations.map(JSONValue.string))))
      if case .failed(let failure) = attempt.result { members[4].1 = .string(words.sentence(failure).text) }
      return .object(JSONObject(members.map { .init(key: $0.0, value: $0.1) }))
    }
    return .object(
      JSONObject(
        [
          .init(key: "source", value: .string(source.name)),
          .init(key: "next", value: MessageJSON.date(next.date)),
          .init(key: "rule", value: .string(words.reason(next.rule).text)),
          .init(key: "verify", value: .bool(source.settings.verifiesCertificates)),
          .init(key: "moved_to", value: MessageJSON.text(moved)),
          .init(key: "moved", value: MessageJSON.text(moved.map { moveSentence(source, to: $0) })),
          .init(key: "requests_left", value: quota.map { .number(String($0.remaining)) } ?? .null),
          .init(key: "requests_limit", value: quota?.limit.map { .number(String($0)) } ?? .null),
          .init(key: "requests_reset", value: MessageJSON.date(quota?.resets)),
          .init(
            key: "stream_failure", value: MessageJSON.text(stream.map { words.sentence($0.failure).text })),
          .init(key: "stream_failed", value: MessageJSON.date(stream?.since)),
          .init(key: "other_channels", value: try otherChannels(of: source)?.json ?? .object(JSONObject([]))),
          .init(key: "turns", value: MessageJSON.text(crowd.map(Self.sentence))),
          .init(key: "waiting_acts", value: .number(String(waiting))),
          .init(key: "attempts", value: .array(lines)),
        ] + (alarm.map { [.init(key: "next_alarm", value: MessageJSON.date($0))] } ?? [])))
  }
}

extension String {
  fileprivate var trimmingSpacesAtEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
