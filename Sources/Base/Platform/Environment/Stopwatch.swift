extension Clock where Duration == Swift.Duration {
  /// Returns a function that returns the time since this call, which never goes back.
  package func stopwatch() -> @Sendable () -> Swift.Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
