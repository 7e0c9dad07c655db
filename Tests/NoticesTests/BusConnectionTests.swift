import Foundation
import Synchronization
import Testing

@testable import Notices

/// A bus that answers badly, or never. Time passes with each look at the clock.
@Suite struct BusConnectionTests {
  /// Listens at a path, and does what it is given with the first connection.
  private static func bus(_ talk: @escaping @Sendable (Int32) -> Void) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString)").path
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0 && listen(listener, 1) == 0)
    Thread {
      let peer = accept(listener, nil, nil)
      unlink(path)
      close(listener)
      talk(peer)
      close(peer)
    }.start()
    return "unix:path=\(path)"
  }

  /// - Returns: false once the other side is gone.
  private static func send(_ bytes: [UInt8], to peer: Int32) -> Bool {
    bytes.withUnsafeBytes { Foundation.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } > 0
  }

  private static func hasLine(_ peer: Int32) -> Bool {
    var line = [UInt8](repeating: 0, count: 1000)
    return line.withUnsafeMutableBytes { recv(peer, $0.baseAddress, $0.count, 0) } > 0
  }

  private static func ticking(_ step: Duration) -> () -> Duration {
    var time = Duration.zero
    return {
      time += step
      return time
    }
  }

  @Test func oneThatSaysNothingIsGivenUp() throws {
    let address = try Self.bus { peer in while Self.hasLine(peer) {} }
    #expect(throws: BusFailure.noAnswer) {
      try BusConnection(address: address, now: Self.ticking(.seconds(6)))
    }
  }

  /// It is said within two seconds of the clock.
  @Test func oneThatSaysNothingIsGivenUpSoon() throws {
    let address = try Self.bus { peer in while Self.hasLine(peer) {} }
    let start = ContinuousClock.now
    #expect(throws: BusFailure.noAnswer) {
      try BusConnection(address: address, now: { ContinuousClock.now - start })
    }
    #expect(ContinuousClock.now - start < .seconds(4))
  }

  @Test func oneThatNeverStopsTalkingIsGivenUp() throws {
    var signal = BusMessage(.signal)
    (signal.path, signal.interface, signal.member, signal.serial) = ("/a", "b.c", "d", 1)
    signal.body = [.string(String(repeating: "x", count: 10_000))]
    let flood = signal.bytes
    let address = try Self.bus { peer in
      guard Self.hasLine(peer), Self.send(Array("OK 1234\r\n".utf8), to: peer) else { return }
      while Self.send(flood, to: peer) {}
    }
    #expect(throws: BusFailure.noAnswer) {
      try BusConnection(address: address, now: Self.ticking(.milliseconds(5)))
    }
  }

  @Test func aMessageOfManyValuesIsRefused() {
    var message = BusMessage(.signal)
    (message.path, message.interface, message.member, message.serial) = ("/a", "b.c", "d", 1)
    message.body = [.array("y", Array(repeating: .byte(0), count: 100_000))]
    #expect(BusMessage.read(message.bytes) == .broken)
  }
}
