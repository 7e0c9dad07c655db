import Foundation
import Interface
import Messages
import Platform
import Polling
import Profile
import Storage
import Words

/// Carries what the user did to the services of the messages, while the inbox runs.
@MainActor
final class ActCarrying {
  /// After this time: several acts, and an act that is undone at once, are one request.
  private static let delay = Duration.seconds(1)

  private let loop: InboxLoop
  private let carrier: ActCarrier
  private let clock: any Clock<Duration>
  private var isWanted = false
  private var isForced = false
  private var task: Task<Void, Never>?
  /// Until something is tried again.
  private var timer: Task<Void, Never>?
  /// What came of it last.
  private var last = ActCarrier.Round()

  init(_ loop: InboxLoop, _ adapters: AdapterFetcher) {
    self.loop = loop
    let profile = loop.profile
    clock = profile.environment.timer
    carrier = ActCarrier(
      store: profile.store, sending: adapters, now: profile.environment.now, clock: clock)
  }

  /// An act may wait to be carried.
  ///
  /// - Parameter isForced: whether what failed before is tried at once, too.
  func carrySoon(isForced: Bool = false) {
    guard loop.profile.sources.contains(where: { !$0.carries.isEmpty }) else { return }
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

  private func carry() async {
    let isForced = isForced
    (isWanted, self.isForced) = (false, false)
    do throws(StoreFailure) {
      let round = try await carrier.carry(loop.profile.sources, isForced: isForced)
      last = round
      for attempt in round.attempts { loop.happened(.pollAttempted(attempt)) }
      if let next = round.next { carryAgain(at: next) }
    } catch {
      loop.report(error)
    }
  }

  private func carryAgain(at date: Date) {
    let wait = max(1, date.timeIntervalSince(loop.profile.environment.now()))
    timer?.cancel()
    timer = Task { [weak self, clock] in
      do { try await clock.sleep(for: .seconds(wait)) } catch { return }
      self?.timer = nil
      self?.carrySoon()
    }
  }

  /// Gives what was done last a short chance to be sent; the rest waits for the next start, which is said.
  func end() async {
    timer?.cancel()
    let isWaiting = task != nil
    task?.cancel()
    let profile = loop.profile
    guard profile.sources.contains(where: { !$0.carries.isEmpty }) else { return }
    if isWaiting, case .success(let round) = await carrier.round(profile.sources, within: .seconds(1)) {
      last = round
    }
    let sentences: [String]
    do throws(StoreFailure) {
      sentences = try profile.sentences(on: last)
    } catch {
      sentences = ["what waits for services isn't known: " + SafeOutput.line(error.sentence)]
    }
    // The screen is closed already.
    for sentence in sentences { ErrorOutput.write("reddot: \(sentence)\n") }
  }
}
