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

extension InboxSession {
  func perform(_ effect: PollingEffect) {
    switch effect {
    case .refresh(let sources): refresh(sources, .soft)
    case .refreshNow(let sources): refresh(sources, .forced)
    case .loadTimeline(let source):
      store.read({ store throws(StoreFailure) in try store.polls.attempts(of: source, limit: 200) }) {
        [loop] attempts in loop.happened(.polling(.timelineLoaded(source, attempts)))
      }
    case .scheduleTick: loop.schedule(.milliseconds(100)) { .polling(.ticked) }
    case .scheduleSecond: loop.schedule(.seconds(1)) { .polling(.secondPassed) }
    }
  }

  /// Requests a refresh of sources. The result for each source becomes a `refreshEnded`, except for a soft refresh of
  /// all.
  ///
  /// - Parameter chosen: the sources, or `nil` for all.
  func refresh(_ chosen: Set<SourceID>?, _ trigger: PollTrigger) {
    if trigger == .forced { writeBack.carrySoon(isForced: true) }
    Task { [loop, poller] in
      if chosen == nil, trigger == .soft {
        _ = await poller.refreshAll(trigger)
      } else {
        await withTaskGroup(of: (SourceID, RefreshResult).self) { group in
          for source in loop.profile.sources where chosen?.contains(source.id) ?? true {
            group.addTask { (source.id, await poller.refresh(source.id, trigger)) }
          }
          for await (source, result) in group { loop.happened(.polling(.refreshEnded(source, result))) }
        }
      }
    }
  }

  /// Shows an event of the poller.
  func polled(_ event: PollEvent) {
    switch event {
    case .current(let activities), .changed(let activities):
      // All states share one frame: with many sources, each of them would cost as much as a key.
      let states = activities.map { ($0.source, SourcePolling($0)) }
      loop.happened(.polling(.changed(Dictionary(states) { $1 })))
    case .attempt(let attempt):
      log(attempt)
      banners?.polled(attempt)
      loop.happened(.polling(.attempted(attempt)))
    case .recordingFailed(let failure): loop.report(failure)
    }
  }

  /// Logs the failure and the problems of a poll, since the timeline keeps them only for a while.
  private func log(_ attempt: PollAttempt) {
    guard let log = loop.log, !loop.isOver else { return }
    let name = loop.profile.sources.first { $0.id == attempt.source }?.name ?? ""
    if case .failed(let failure) = attempt.result {
      log.warning("\(name): \(loop.profile.words.sentence(failure).text)")
    }
    for problem in attempt.problems.prefix(5) { log.notice("\(name): \(problem.at): \(problem.message)") }
  }

  /// Plays one sound for new messages: that of the newest message that has a sound.
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
