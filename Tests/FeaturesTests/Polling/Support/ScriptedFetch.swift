import Messages
import Polling
import Synchronization
import Testing

/// Answers the polls that a test expects, and fails the test on any other.
actor ScriptedFetch: PollFetching {
  enum Script: Sendable {
    case answer(PollOutcome)
    /// Answers when the gate opens; `isStubborn` ignores cancellation.
    case gate(Gate, isStubborn: Bool = false)
    /// A redirect to that address, if its host isn't held back.
    case redirected(String, PollOutcome)
    /// Answers after yielding this many times, for interleavings.
    case yields(Int, PollOutcome)
  }

  private var scripts: [SourceID: [Script]]
  private let repeats: (@Sendable (SourceID, Int) -> Script)?
  private(set) var calls: [SourceID] = []
  private(set) var positions: [PollPosition] = []
  private var inFlight: [SourceID: Int] = [:]
  private(set) var mostInFlight = 0
  private(set) var mostOnHost = 0
  private var hosts: [String: Int] = [:]
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  init(_ scripts: [SourceID: [Script]] = [:], repeats: (@Sendable (SourceID, Int) -> Script)? = nil) {
    self.scripts = scripts
    self.repeats = repeats
  }

  func poll(
    _ source: Source, from position: PollPosition,
    hold: @escaping @Sendable (_ address: String) async -> HostHold?
  ) async -> PollOutcome {
    let script: Script
    if let scripted = scripts[source.id]?.first {
      scripts[source.id]?.removeFirst()
      script = scripted
    } else if let repeats {
      script = repeats(source.id, calls.count)
    } else {
      Issue.record("unexpected poll of \(source.name)")
      return .failed(.cancelled, PollHints())
    }
    enter(source, position)
    let outcome: PollOutcome
    switch script {
    case .answer(let answer): outcome = answer
    case .redirected(let address, let answer):
      var hints = PollHints()
      hints.heldBack = await hold(address)
      outcome = hints.heldBack == nil ? answer : .failed(.heldBack(status: 429), hints)
    case .gate(let gate, let isStubborn): outcome = await gate.answer(isStubborn: isStubborn)
    case .yields(let count, let answer):
      for _ in 0..<count { await Task.yield() }
      outcome = answer
    }
    leave(source)
    return outcome
  }

  private func enter(_ source: Source, _ position: PollPosition) {
    let host = HostName.of(source.address) ?? source.name
    calls.append(source.id)
    positions.append(position)
    inFlight[source.id, default: 0] += 1
    hosts[host, default: 0] += 1
    if inFlight[source.id] != 1 { Issue.record("two polls of \(source.name) at once") }
    mostInFlight = max(mostInFlight, inFlight.values.reduce(0, +))
    mostOnHost = max(mostOnHost, hosts[host] ?? 0)
    let met = watchers.filter { $0.count <= calls.count }.map(\.continuation)
    watchers.removeAll { $0.count <= calls.count }
    for watcher in met { watcher.resume() }
  }

  private func leave(_ source: Source) {
    inFlight[source.id, default: 0] -= 1
    hosts[HostName.of(source.address) ?? source.name, default: 0] -= 1
  }

  /// Returns once this many polls have begun.
  func called(times count: Int) async {
    guard calls.count < count else { return }
    await withCheckedContinuation { watchers.append((count, $0)) }
  }

  /// The number of scripted answers that no poll requested.
  var unused: Int { scripts.values.map(\.count).reduce(0, +) }
}

/// Holds one poll until the test lets it answer.
struct Gate: Sendable {
  private let answers: AsyncStream<PollOutcome>
  private let continuation: AsyncStream<PollOutcome>.Continuation

  init() { (answers, continuation) = AsyncStream.makeStream() }

  func open(_ outcome: PollOutcome) {
    continuation.yield(outcome)
    continuation.finish()
  }

  func answer(isStubborn: Bool) async -> PollOutcome {
    guard isStubborn else { return await first() }
    return await Task { await first() }.value
  }

  private func first() async -> PollOutcome {
    for await outcome in answers { return outcome }
    return .failed(.cancelled, PollHints())
  }
}
