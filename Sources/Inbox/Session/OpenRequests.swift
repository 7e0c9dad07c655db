import Interface
import Settings

/// The requests that the user can still give up, since nothing is written yet.
@MainActor
final class OpenRequests {
  private var open: [RequestID: (permit: WritePermit, task: Task<Void, Never>?)] = [:]

  /// Adds a request.
  ///
  /// - Returns: the permit, which is used before something is written.
  func begin(_ request: RequestID) -> WritePermit {
    let permit = WritePermit()
    open[request] = (permit, nil)
    return permit
  }

  /// Cancels the task if the request is given up.
  func follow(_ task: Task<Void, Never>, of request: RequestID) { open[request]?.task = task }

  /// Removes a request that is done.
  ///
  /// - Returns: `false` if it was given up: the response is not wanted.
  func end(_ request: RequestID) -> Bool { open.removeValue(forKey: request) != nil }

  /// Gives up a request, and cancels its task.
  ///
  /// - Returns: `false` if it is too late, or there was a response.
  func giveUp(_ request: RequestID) -> Bool {
    guard let (permit, task) = open[request], permit.withdraw() else { return false }
    open[request] = nil
    task?.cancel()
    return true
  }
}
