import Foundation
import Limits
package import Logging
package import Messages
package import Polling
import Services
import Synchronization
import Transport

/// Holds the push channels of services open while the inbox runs. What a channel says is only that there is news: a poll
/// fetches it, so that nothing is lost between two connections. After each connection a poll closes the gap.
@MainActor
package final class StreamKeeper {
  private let fetcher: AdapterFetcher
  private let poller: Poller
  private let log: Logger?
  private let random: @Sendable () -> Double
  private var tasks: [Source: Task<Void, Never>] = [:]

  package init(
    _ fetcher: AdapterFetcher, _ poller: Poller, log: Logger?, random: @escaping @Sendable () -> Double
  ) {
    self.fetcher = fetcher
    self.poller = poller
    self.log = log
    self.random = random
  }

  /// Holds the channels of these sources, and no others.
  package func keep(_ sources: [Source]) {
    let wanted = Set(sources.filter { $0.isStreamed && !$0.isPaused })
    for (source, task) in tasks where !wanted.contains(source) {
      task.cancel()
      tasks[source] = nil
    }
    for source in wanted where tasks[source] == nil { tasks[source] = start(source) }
  }

  package func stop() { keep([]) }

  private func start(_ source: Source) -> Task<Void, Never> {
    let (news, report) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let (fetcher, poller, log, random) = (fetcher, poller, log, random)
    return Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for await _ in news {
            _ = await poller.refresh(source.id, .stream)
            // Several at once are one poll.
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
          }
        }
        group.addTask {
          await Self.hold(source, fetcher, log: log, random: random) { report.yield() }
          report.finish()
        }
      }
    }
  }

  /// Connects again after each end, less and less often while that fails.
  private nonisolated static func hold(
    _ source: Source, _ fetcher: AdapterFetcher, log: Logger?, random: @Sendable () -> Double,
    onNews: @escaping @Sendable () -> Void
  ) async {
    var failures = 0
    while !Task.isCancelled {
      let ending = await fetcher.listen(to: source, onNews: onNews)
      if Task.isCancelled { return }
      switch ending {
      case .none: return
      case .closed: failures = 0
      case .failed(let reason):
        failures += 1
        log?.notice("\(source.name): its push channel: \(reason)")
      }
      let wait = min(Limits.firstStreamBackoff * Double(1 << min(failures, 16)), Limits.longestStreamBackoff)
      do { try await Task.sleep(for: .seconds(wait * (1 + random() / 4))) } catch { return }
    }
  }
}

/// How a push channel ended.
enum StreamEnding: Sendable {
  /// The service has none.
  case none
  /// It was open.
  case closed
  /// It could not be opened.
  case failed(reason: String)
}

extension AdapterFetcher {
  /// Holds the push channel of a source open until it ends.
  ///
  /// - Parameter onNews: called when it is open, and at each news.
  func listen(to source: Source, onNews: @escaping @Sendable () -> Void) async -> StreamEnding {
    let stream: StreamRequest?
    do throws(FetchFailure) {
      stream = try await streamRequest(of: source)
    } catch {
      return .failed(reason: words(error))
    }
    guard let stream else { return .none }
    let wasOpen = Atomic(false)
    do throws(RequestFailure) {
      let response = try await transport.listen(to: stream.request, stream.form) {
        wasOpen.store(true, ordering: .releasing)
        onNews()
      } onMessage: { message in
        if stream.isNews(message) { onNews() }
      }
      if !wasOpen.load(ordering: .acquiring) { return .failed(reason: "status \(response.status)") }
    } catch {
      if !wasOpen.load(ordering: .acquiring) { return .failed(reason: words(FetchFailure(error))) }
    }
    return .closed
  }
}
