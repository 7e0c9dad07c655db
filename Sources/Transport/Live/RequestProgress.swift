import Synchronization

/// Where a request stands, told to whoever cuts it off.
///
/// The client does not tell when it is connected. It gives up connecting well before a request's time is up,
/// so what is cut without an answer was waiting for one.
final class RequestProgress: Sendable {
  private struct State {
    var stage = TransportStage.waiting
    var received = 0
    var cutAt: TransportStage?
  }

  private let state = Mutex(State())

  func reached(_ stage: TransportStage) { state.withLock { $0.stage = stage } }

  func received(_ bytes: Int) { state.withLock { $0.received = bytes } }

  /// The time is up.
  func cut() { state.withLock { $0.cutAt = $0.stage } }

  var stage: TransportStage { state.withLock { $0.stage } }
  var received: Int { state.withLock { $0.received } }
  /// Where it stood when the time was up.
  var cutAt: TransportStage? { state.withLock { $0.cutAt } }
}
