package import Foundation

/// Creates pipes and waits for descriptors.
package enum Descriptors {
  /// Creates a pipe. Started programs don't inherit its ends, unless they are among their descriptors.
  package static func pipe() throws(POSIXError) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Waits until one of the descriptors is ready, and sets its `revents`. Blocks the thread.
  ///
  /// - Parameter end: the end of the wait, or `nil` to wait without a limit.
  /// - Returns: `false` if the time has passed.
  package static func wait(for states: inout [pollfd], until end: ContinuousClock.Instant?) -> Bool {
    while true {
      // The real clock: descriptors do not follow a test's clock.
      let left = end.map { max(0, (($0 - ContinuousClock.now) / .milliseconds(1)).rounded(.up)) }
      let count = poll(&states, nfds_t(states.count), left.map { Int32(min($0, 1e9)) } ?? -1)
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
      if let end, ContinuousClock.now >= end { return false }
    }
  }

  /// Waits until one of the descriptors is readable or its other end is closed; blocks the thread.
  ///
  /// - Parameters:
  ///   - descriptors: the descriptors; -1 is skipped.
  ///   - time: the timeout, or `nil` if there is none.
  /// - Returns: the readable descriptors.
  package static func readable(_ descriptors: [Int32], within time: Duration?) -> [Int32] {
    var states = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = wait(for: &states, until: time.map { ContinuousClock.now + $0 })
    return states.filter { $0.revents != 0 }.map(\.fd)
  }
}
