extension Clock where Duration == Swift.Duration {
  /// Returns a clock that starts at zero now and never goes back.
  package func stopwatch() -> @Sendable () -> Swift.Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
