import Basics
import Interface
import Logging
import Messages
import Platform
import Polling
import Profile
import Screen
import Storage
import Words

/// Polls and their events.
extension InboxSession {
  /// - Parameter chosen: nil for all sources.
  func refresh(_ chosen: Set<SourceID>?, _ trigger: PollTrigger) {
    if trigger == .forced { carrying.carrySoon(isForced: true) }
    Task { [loop, poller] in
      if chosen == nil, trigger == .soft {
        _ = await poller.refreshAll(trigger)
      } else {
        await withTaskGroup(of: (SourceID, RefreshResult).self) { group in
          for source in loop.profile.sources where chosen?.contains(source.id) ?? true {
            group.addTask { (source.id, await poller.refresh(source.id, trigger)) }
          }
          for await (source, result) in group { loop.happened(.refreshEnded(source, result)) }
        }
      }
    }
  }

  func polled(_ event: PollEvent) {
    switch event {
    case .current(let activities), .changed(let activities):
      // One frame for all: with many sources each of them would cost as much as a key.
      let standings = activities.map { ($0.source, SourcePolling($0)) }
      loop.happened(.pollingChanged(Dictionary(standings) { $1 }))
    case .attempt(let attempt):
      log(attempt)
      banners?.polled(attempt)
      loop.happened(.pollAttempted(attempt))
    case .recordingFailed(let failure): loop.report(failure)
    }
  }

  /// Failures and problems are logged, since the timeline keeps them only for a while.
  private func log(_ attempt: PollAttempt) {
    guard let log = loop.log, !loop.isOver else { return }
    let name = loop.profile.sources.first { $0.id == attempt.source }?.name ?? ""
    if case .failed(let failure) = attempt.result {
      log.warning("\(name): \(loop.profile.words.sentence(failure).text)")
    }
    for problem in attempt.problems.prefix(5) { log.notice("\(name): \(problem.at): \(problem.message)") }
  }

  /// Plays one sound for all new messages that have one.
  func playSound(of ids: [MessageID]) {
    let newest = Array(ids.suffix(100))
    store.read({ store throws(StoreFailure) in
      for id in newest.reversed() {
        if let sound = try store.messages.find(id)?.content.extras?.sound { return sound }
      }
      return nil
    }) { [programs] (sound: String?) in
      if let sound { programs.play(sound) }
    }
  }
}

extension SourcePolling {
  fileprivate init(_ activity: SourceActivity) {
    let phase: Phase =
      switch activity.phase {
      case .idle: .idle
      case .queued: .queued
      case .polling: .polling
      }
    self.init(phase: phase, next: activity.next.date, rule: activity.next.rule)
  }
}
