/// A piece of work with a deadline. At the deadline, or when it is stopped, it is cancelled, and its later result is
/// dropped.
///
/// It is used once, for one piece of work.
struct Deadline<Answer: Sendable>: Sendable {
  enum Ending: Sendable {
    case answered(Answer)
    case late
    /// `stop()` was called before a result came.
    case stopped
  }

  private let endings: AsyncStream<Ending>
  private let sender: AsyncStream<Ending>.Continuation

  init() { (endings, sender) = AsyncStream.makeStream() }

  func stop() { sender.yield(.stopped) }

  /// Returns when the work ends, at the deadline, or when it is stopped; it does not wait for work that ignores its
  /// cancellation.
  func run(
    for limit: Duration, _ alarms: Alarms, _ work: @escaping @Sendable () async -> Answer
  ) async -> Ending {
    let worker = Task { [sender] in
      let answer = await work()
      sender.yield(.answered(answer))
    }
    let alarm = alarms.add(after: limit) { [sender] in sender.yield(.late) }
    defer {
      worker.cancel()
      alarms.remove(alarm)
      sender.finish()
    }
    for await ending in endings { return ending }
    return .stopped
  }
}
