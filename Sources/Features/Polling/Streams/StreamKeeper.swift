import Basics
package import Foundation
package import HTTP
package import Logging
package import Messages
import Profile
package import Services
package import Storage
import Synchronization

/// Keeps the push channels of sources open while the inbox runs. The channel of a service only reports that there is
/// something new: a poll fetches it, so that nothing is lost between two connections. After each connection, a poll
/// closes the gap. The server of a native feed holds the request of a poll itself, and its response is stored as that
/// of a poll.
@MainActor
package final class StreamKeeper {
  private let fetcher: AdapterFetcher
  private let poller: Poller
  private let store: Store
  private let log: Logger?
  private let now: @Sendable () -> Date
  private let clock: any Clock<Duration>
  private let random: @Sendable () -> Double
  private var tasks: [Source: Task<Void, Never>] = [:]

  /// - Parameters:
  ///   - store: stores the reason why a channel can't be opened, because `reddot why` is another process.
  ///   - now: the wall clock.
  ///   - clock: the clock for waits.
  package init(
    _ fetcher: AdapterFetcher, _ poller: Poller, _ store: Store, log: Logger?,
    now: @escaping @Sendable () -> Date, clock: any Clock<Duration>, random: @escaping @Sendable () -> Double
  ) {
    self.fetcher = fetcher
    self.poller = poller
    self.store = store
    self.log = log
    self.now = now
    self.clock = clock
    self.random = random
  }

  /// Keeps the channels of these sources open, and no others.
  package func keep(_ sources: [Source]) {
    let wanted = Set(sources.filter { $0.isStreamed && !$0.isPaused })
    for (source, task) in tasks where !wanted.contains(source) {
      task.cancel()
      tasks[source] = nil
    }
    for source in wanted where tasks[source] == nil { tasks[source] = start(source) }
  }

  package func stop() { keep([]) }

  /// Starts a task that keeps the channel of a source open.
  private func start(_ source: Source) -> Task<Void, Never> {
    let news = StreamNews(grace: source.polling.grace, clock)
    let (fetcher, poller, store, log, now, clock, random) = (fetcher, poller, store, log, now, clock, random)
    @Sendable func record(_ failure: FetchFailure?) async {
      let time = now()
      do throws(StoreFailure) {
        try await store.inBackground { store throws(StoreFailure) in
          try store.polls.record(stream: failure, of: source.id, at: time)
        }
      } catch {
        log?.error("\(source.name): its push channel: \(error.sentence)")
      }
    }
    @Sendable func listened(_ ending: StreamEnding) async -> StreamEnding {
      if case .failed(let failure) = ending, !Task.isCancelled {
        let reason = await fetcher.words(failure)
        log?.notice("\(source.name): its push channel: \(reason)")
        await record(failure)
      }
      return ending
    }
    @Sendable func holdRequests(for wait: Duration) async {
      let long = LongPoll(wait: wait, clock: clock, now: now)
      await Self.hold(clock, random) {
        await listened(
          await long.run(
            open: { await poller.refresh(source.id, .stream) }, opened: { await record(nil) },
            ask: { await LongPoll.ask(source, waiting: wait, fetcher, poller, store) },
            store: { await poller.refresh(source.id, with: $0) }))
      }
    }
    return Task {
      if let wait = await fetcher.longestWait(of: source) { return await holdRequests(for: wait) }
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await news.follow(
            opened: { await record(nil) }, poll: { await poller.refresh(source.id, .stream) })
        }
        group.addTask {
          await Self.hold(clock, random) {
            await listened(await fetcher.listen(to: source, news))
          }
          news.finish()
        }
      }
    }
  }

  /// Keeps a channel open until the task is cancelled: calls `listen` again whenever it ends, after waits that become
  /// longer while it fails. Returns if the service has no push channel.
  package nonisolated static func hold(
    _ clock: any Clock<Duration>, _ random: @Sendable () -> Double, listen: () async -> StreamEnding
  ) async {
    var failures = 0
    while !Task.isCancelled {
      var ending = StreamEnding.none
      let time = await clock.measure { ending = await listen() }
      if Task.isCancelled { return }
      switch ending {
      case .none: return
      case .heldBack(let wait):
        do { try await clock.sleep(for: min(wait, .seconds(Limits.longestStreamBackoff))) } catch { return }
        continue
      case .closed where time >= Limits.steadyStream: failures = 0
      case .closed, .failed: failures += 1
      }
      let wait = min(Limits.firstStreamBackoff * Double(1 << min(failures, 16)), Limits.longestStreamBackoff)
      do { try await clock.sleep(for: .seconds(wait * (1 + random() / 4))) } catch { return }
    }
  }
}

/// Collects the reports of one push channel, and makes the polls that they cause. Polls follow each other after a short
/// pause; they wait for the grace period if they find nothing or if the channel sends too many reports.
final class StreamNews: Sendable {
  /// The reports since the last poll.
  private struct Counts {
    var messages = 0
    var isOpened = false
  }

  /// The pause after a poll, in which several reports cause only one further poll.
  static let pause = Duration.seconds(1)

  private let grace: Duration
  private let clock: any Clock<Duration>
  private let counts = Mutex(Counts())
  private let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  init(grace: Duration, _ clock: any Clock<Duration>) {
    self.grace = grace
    self.clock = clock
  }

  /// Records that the channel is open. A poll then fetches earlier messages.
  func opened() {
    counts.withLock { $0.isOpened = true }
    bell.yield()
  }

  /// Records that the channel reports something new.
  func came() {
    counts.withLock { $0.messages += 1 }
    bell.yield()
  }

  /// Records that the channel is no longer used.
  func finish() { bell.finish() }

  /// Polls after each report until the channel is no longer used.
  ///
  /// - Parameter opened: called before the first poll of a connection.
  func follow(opened: () async -> Void = {}, poll: () async -> RefreshResult) async {
    var empty = 0
    for await _ in rings {
      let isOpening = reset().isOpened
      if isOpening { await opened() }
      let result = await poll()
      do { try await clock.sleep(for: Self.pause) } catch { return }
      // The first poll of a connection usually finds nothing.
      if case .new = result { empty = 0 } else if !isOpening { empty += 1 }
      let floods = counts.withLock { $0.messages } > Limits.streamNewsAtOnce
      guard floods || empty > 1 else { continue }
      do { try await clock.sleep(for: max(.zero, grace - Self.pause)) } catch { return }
    }
  }

  /// Returns the reports since the last poll, and starts to count again.
  private func reset() -> Counts {
    counts.withLock { counts in
      defer { counts = Counts() }
      return counts
    }
  }
}

/// The way in which a push channel ended.
package enum StreamEnding: Sendable {
  /// The service has no push channel.
  case none
  /// The channel was opened, and has been closed.
  case closed
  /// The channel could not be opened.
  case failed(FetchFailure)
  /// The server's host requested a wait of this length.
  case heldBack(Duration)
}

extension AdapterFetcher {
  /// Opens the push channel of a source, and returns when it ends.
  func listen(to source: Source, _ news: StreamNews) async -> StreamEnding {
    let stream: StreamRequest?
    do throws(FetchFailure) {
      stream = try await streamRequest(of: source)
    } catch {
      return .failed(error)
    }
    guard let stream else { return .none }
    return await .listening(to: stream, by: transport, opened: news.opened, news: news.came)
  }
}

extension StreamEnding {
  /// Opens a push channel, and returns when it ends.
  ///
  /// - Parameters:
  ///   - opened: called when the channel is open.
  ///   - news: called for each message that reports something new.
  package static func listening(
    to stream: StreamRequest, by transport: LiveTransport, opened: @escaping @Sendable () -> Void,
    news: @escaping @Sendable () -> Void
  ) async -> StreamEnding {
    let wasOpen = Atomic(false)
    do throws(RequestFailure) {
      let response = try await transport.listen(to: stream.request, stream.form) {
        wasOpen.store(true, ordering: .releasing)
        opened()
      } onMessage: { message in
        if stream.isNews(message) { news() }
      }
      if !wasOpen.load(ordering: .acquiring) { return .failed(stream.failure(response)) }
    } catch {
      if !wasOpen.load(ordering: .acquiring) { return .failed(FetchFailure(error)) }
    }
    return .closed
  }
}
