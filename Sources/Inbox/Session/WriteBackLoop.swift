import Foundation
import Interface
import Messages
import Platform
import Polling
import Profile
import Storage
import Words

/// Sends the user's changes to the services of the messages, while the inbox runs.
@MainActor
final class WriteBackLoop {
  /// The delay of sending, so that several changes, and a change that is undone immediately, are one request.
  private static let delay = Duration.seconds(1)

  private let loop: InboxLoop
  private let carrier: WriteBack
  private let clock: any Clock<Duration>
  /// Whether there may be changes that the next attempt sends.
  private var isWanted = false
  /// Whether the next attempt also sends changes that failed before and whose time has not come.
  private var isForced = false
  private var task: Task<Void, Never>?
  /// The task that waits for the time of the next attempt.
  private var timer: Task<Void, Never>?
  /// The result of the last attempt to send changes.
  private var last = WriteBack.Round()

  init(_ loop: InboxLoop, _ adapters: AdapterFetcher) {
    self.loop = loop
    let profile = loop.profile
    clock = profile.environment.timer
    carrier = WriteBack(
      store: profile.store, sending: adapters, now: profile.environment.now, clock: clock)
  }

  /// Sends waiting changes soon.
  ///
  /// - Parameter isForced: whether earlier failures are also tried immediately.
  func carrySoon(isForced: Bool = false) {
    guard loop.profile.sources.contains(where: { !$0.writableMarks.isEmpty }) else { return }
    isWanted = true
    if isForced { self.isForced = true }
    timer?.cancel()
    timer = nil
    guard task == nil else { return }
    task = Task { [weak self] in
      while let self, isWanted {
        do { try await clock.sleep(for: Self.delay) } catch { break }
        await carry()
      }
      self?.task = nil
    }
  }

  /// Sends the waiting changes.
  private func carry() async {
    let isForced = isForced
    (isWanted, self.isForced) = (false, false)
    do throws(StoreFailure) {
      let round = try await carrier.carry(loop.profile.sources, isForced: isForced)
      last = round
      for attempt in round.attempts { loop.happened(.polling(.attempted(attempt))) }
      if let next = round.next { carryAgain(at: next) }
    } catch {
      loop.report(error)
    }
  }

  /// Schedules the next attempt to send the remaining changes.
  private func carryAgain(at date: Date) {
    let wait = max(1, date.timeIntervalSince(loop.profile.environment.now()))
    timer?.cancel()
    timer = Task { [weak self, clock] in
      do { try await clock.sleep(for: .seconds(wait)) } catch { return }
      self?.timer = nil
      self?.carrySoon()
    }
  }

  /// Tries briefly to send the last changes; the rest waits for the next start, which is reported.
  func end() async {
    timer?.cancel()
    let isWaiting = task != nil
    task?.cancel()
    let profile = loop.profile
    guard profile.sources.contains(where: { !$0.writableMarks.isEmpty }) else { return }
    if isWaiting, case .success(let round) = await carrier.round(profile.sources, within: .seconds(1)) {
      last = round
    }
    let sentences: [String]
    do throws(StoreFailure) {
      sentences = try profile.sentences(on: last)
    } catch {
      sentences = ["the changes that wait for services are not known: " + SafeOutput.line(error.sentence)]
    }
    // The screen is already closed.
    for sentence in sentences { ErrorOutput.write("reddot: \(sentence)\n") }
  }
}
