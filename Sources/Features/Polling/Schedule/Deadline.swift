/// A piece of work with a deadline. At the deadline, or when `stop()` is called, the work is cancelled, and its later
/// result is dropped.
///
/// Each value is used once, for one piece of work.
struct Deadline<Answer: Sendable>: Sendable {
  /// The way in which the work ended.
  enum Ending: Sendable {
    case answered(Answer)
    /// The deadline has passed.
    case late
    /// `stop()` was called before there was a result.
    case stopped
  }

  private let endings: AsyncStream<Ending>
  private let sender: AsyncStream<Ending>.Continuation

  init() { (endings, sender) = AsyncStream.makeStream() }

  func stop() { sender.yield(.stopped) }

  /// Runs the work, and returns when it ends, at the deadline, or when it is stopped. It does not wait for work that
  /// ignores its cancellation.
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
