import Foundation
import Synchronization
import TestBasics
import Testing

@testable import Notifications

/// A bus with wrong responses, or without any. Time passes each time the clock is read.
@Suite struct BusConnectionTests {
  /// Listens on a socket, calls `talk` with the first connection, and returns the address.
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

  /// - Returns: `false` once the other side has closed the connection.
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

  /// The failure is reported within two seconds.
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

  /// The values up to the limit are read, and the connection stays usable.
  @Test func aMessageOfManyValuesIsCut() {
    var message = BusMessage(.signal)
    (message.path, message.interface, message.member, message.serial) = ("/a", "b.c", "d", 1)
    message.body = [.uint32(7), .array("n", Array(repeating: .int16(0), count: 100_000))]
    let bytes = message.bytes
    (message.body, message.isCut) = ([.uint32(7)], true)
    #expect(BusMessage.read(bytes) == .message(message, length: bytes.count))
  }

  /// The picture of a notification may have 100 MB. It is not kept in memory, and the messages after it are read.
  @Test func theEndOfALongMessageIsSkipped() throws {
    var long = BusMessageTests.notify
    long.body[6] = .dictionary([("image-data", .bytes([UInt8](repeating: 1, count: 24 << 20)))])
    let (first, second) = (long.bytes, BusMessageTests.notify.bytes)
    let address = try Self.bus { peer in
      guard Self.hasLine(peer), Self.send(Array("OK 1234\r\n".utf8), to: peer), Self.hasLine(peer) else {
        return
      }
      var hello = BusMessage(.answer)
      (hello.serial, hello.answers, hello.body) = (1, 1, [.string(":1.7")])
      for part in [hello.bytes, first, second] {
        var rest = part[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes {
            Foundation.send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          guard count > 0 else { return }
          rest = rest.dropFirst(count)
        }
      }
      while Self.hasLine(peer) {}
    }
    let start = ContinuousClock.now
    let connection = try BusConnection(address: address, now: { ContinuousClock.now - start })
    let cut = try #require(try connection.receive(within: HangLimit.duration))
    #expect(cut.isCut && cut.body == Array(BusMessageTests.notify.body.prefix(6)))
    #expect(try connection.receive(within: HangLimit.duration) == BusMessageTests.notify)
    #expect(!connection.hasWaiting)
  }
}
