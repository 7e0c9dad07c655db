import NIOCore
import Synchronization

/// A connection that a test controls: it sends the test's bytes, and stores those of the client.
final class HeldConnection: Sendable {
  private struct State {
    var channel: (any Channel)?
    var received: [UInt8] = []
    var isClosed = false
    var waiting: [(isMet: @Sendable (Snapshot) -> Bool, bell: AsyncStream<Void>.Continuation)] = []

    var snapshot: Snapshot { Snapshot(isOpen: channel != nil, received: received, isClosed: isClosed) }

    mutating func ring() {
      let snapshot = snapshot
      for waiter in waiting where waiter.isMet(snapshot) { waiter.bell.finish() }
      waiting.removeAll { $0.isMet(snapshot) }
    }
  }

  struct Snapshot: Sendable {
    var isOpen: Bool
    var received: [UInt8]
    var isClosed: Bool
  }

  private let state = Mutex(State())

  /// Waits until the condition is met, or until the test's time limit.
  @discardableResult
  func wait(until isMet: @escaping @Sendable (Snapshot) -> Bool) async -> Snapshot {
    let (stream, bell) = AsyncStream.makeStream(of: Void.self)
    state.withLock { state in
      if isMet(state.snapshot) { bell.finish() } else { state.waiting.append((isMet, bell)) }
    }
    for await _ in stream {}
    return state.withLock { $0.snapshot }
  }

  func closed() async { await wait { $0.isClosed } }

  /// Sends the pieces, each with a separate write.
  func send(_ pieces: [[UInt8]]) async throws {
    await wait { $0.isOpen }
    guard let channel = state.withLock({ $0.channel }) else { return }
    for piece in pieces { try await channel.writeAndFlush(ByteBuffer(bytes: piece)) }
  }

  func send(_ text: String) async throws { try await send([Array(text.utf8)]) }

  /// Sets whether the client's bytes are read; at first they are.
  func setReading(_ isReading: Bool) async throws {
    await wait { $0.isOpen }
    try await state.withLock { $0.channel }?.setOption(.autoRead, value: isReading).get()
  }

  func close() async {
    await wait { $0.isOpen }
    state.withLock { $0.channel }?.close(promise: nil)
  }

  // MARK: For the server

  func begin(_ channel: any Channel) {
    state.withLock { state in
      state.channel = channel
      state.ring()
    }
  }

  func receive(_ bytes: [UInt8]) {
    state.withLock { state in
      state.received += bytes
      state.ring()
    }
  }

  func end() {
    state.withLock { state in
      state.isClosed = true
      state.ring()
    }
  }
}
