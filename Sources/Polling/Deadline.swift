/// One piece of work that is waited for until its deadline, or until it is stopped. Then it is cancelled, and whatever
/// it says afterwards is dropped.
///
/// It is for one piece of work, once.
struct Deadline<Answer: Sendable>: Sendable {
  enum Ending: Sendable {
    case answered(Answer)
    case late
    /// `stop()` was called before an answer came.
    case stopped
  }

  private let endings: AsyncStream<Ending>
  private let sender: AsyncStream<Ending>.Continuation

  init() { (endings, sender) = AsyncStream.makeStream() }

  func stop() { sender.yield(.stopped) }

  /// Returns with the first ending; it does not wait for work that ignores its cancellation.
  func run(
    for limit: Duration, clock: any Clock<Duration>, _ work: @escaping @Sendable () async -> Answer
  ) async -> Ending {
    let worker = Task { [sender] in
      let answer = await work()
      sender.yield(.answered(answer))
    }
    let timer = Task { [sender] in
      // Sleeping fails only when the timer was cancelled, and then nobody wants to know.
      guard (try? await clock.sleep(for: limit)) != nil else { return }
      sender.yield(.late)
    }
    defer {
      worker.cancel()
      timer.cancel()
      sender.finish()
    }
    for await ending in endings { return ending }
    return .stopped
  }
}
