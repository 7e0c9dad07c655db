package import Messages

/// The events that the poller sends to its observers.
extension Poller {
  /// Returns a stream of events: the current state immediately, then every change after it is stored, until the poller
  /// is stopped. An observer stops by ending its loop, even while it handles an event.
  package func events() async -> AsyncStream<PollEvent> {
    await load()
    let (events, observer) = AsyncStream.makeStream(of: PollEvent.self)
    observer.yield(.current(schedule.sources.compactMap { activity(of: $0.id) }))
    observers.append(observer)
    return events
  }

  func send(_ event: PollEvent) {
    observers.removeAll { observer in
      if case .terminated = observer.yield(event) { true } else { false }
    }
  }

  /// Sends the activities that have changed since the last time.
  func announce() {
    let changed = schedule.popChanged().compactMap(activity).filter { sent[$0.source] != $0 }
    if changed.isEmpty { return }
    for activity in changed { sent[activity.source] = activity }
    send(.changed(changed))
  }

  /// Returns the current activity of a source and the time of its next poll, or `nil` if the source is not configured.
  package func activity(of id: SourceID) -> SourceActivity? {
    guard let next = schedule.plan(of: id) else { return nil }
    let phase: SourceActivity.Phase
    if let flight = flights[id] {
      phase = .polling(flight.trigger, since: flight.since)
    } else if let trigger = schedule.request(of: id) {
      phase = .queued(trigger)
    } else {
      phase = .idle
    }
    return SourceActivity(source: id, phase: phase, next: next)
  }
}
