extension Clock where Duration == Swift.Duration {
  /// A clock that never goes back and begins at zero, now.
  package func stopwatch() -> @Sendable () -> Swift.Duration {
    let start = now
    return { start.duration(to: now) }
  }
}
