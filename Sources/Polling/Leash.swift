/// One piece of work that ends in time: its deadline, or a stop, cancels it, and soon after it is let go even if it ignores that.
///
/// A leash holds one piece of work, once.
struct Leash<Answer: Sendable>: Sendable {
  enum Ending: Sendable {
    case answered(Answer)
    /// The deadline passed; whatever the work says afterwards is dropped.
    case late
    /// `stop()` was called before an answer came; likewise.
    case stopped
  }

  private enum Tug: Sendable {
    case answer(Answer)
    case deadline
    case stop
    case letGo
  }

  private let tugs: AsyncStream<Tug>
  private let line: AsyncStream<Tug>.Continuation

  init() { (tugs, line) = AsyncStream.makeStream() }

  func stop() { line.yield(.stop) }

  /// `patience` is how long cancelled work may take to wind up before it is left to itself.
  func hold(
    for limit: Duration, patience: Duration, clock: any Clock<Duration>,
    _ work: @escaping @Sendable () async -> Answer
  ) async -> Ending {
    let worker = Task { [line] in
      let answer = await work()
      line.yield(.answer(answer))
    }
    var timer = alarm(.deadline, after: limit, clock: clock)
    defer {
      worker.cancel()
      timer.cancel()
      line.finish()
    }

    var ending: Ending?
    for await tug in tugs {
      switch tug {
      case .answer(let answer): return ending ?? .answered(answer)
      case .letGo: return ending ?? .late
      case .deadline, .stop:
        guard ending == nil else { continue }
        if case .stop = tug { ending = .stopped } else { ending = .late }
        worker.cancel()
        timer.cancel()
        timer = alarm(.letGo, after: patience, clock: clock)
      }
    }
    return .stopped
  }

  private func alarm(_ tug: Tug, after wait: Duration, clock: any Clock<Duration>) -> Task<Void, Never> {
    Task { [line] in
      // Sleeping fails only when the alarm was cancelled, and then nobody wants it to ring.
      guard (try? await clock.sleep(for: wait)) != nil else { return }
      line.yield(tug)
    }
  }
}
