import Basics
import Dispatch
import Foundation
import Synchronization
import TestBasics
import Testing

@testable import HTTP

/// If a reader is slower than the network, its transfer waits for it, and no other transfer does.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SlowReaderTests {
  private static let head = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
  private static let piece = [UInt8](repeating: 120, count: (64 << 10) - 1) + [10]

  /// Lets each message through once it is open.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isOpen = Atomic(false)

    func pass() {
      if !isOpen.load(ordering: .acquiring) { semaphore.wait() }
      semaphore.signal()
    }
    func open() {
      isOpen.store(true, ordering: .releasing)
      semaphore.signal()
    }
  }

  @Test(arguments: [StreamForm.lines, .webSocket])
  func aTransferWaitsForItsReaderAndOthersDoNot(form: StreamForm) async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { request in
      if request.path == "/other" { return .response("200 OK", [], "other") }
      return form == .webSocket ? .webSocket(held, request) : .held(held, Self.head)
    }
    defer { server.stop() }
    let (gate, heard, sent) = (Gate(), Heard(), Heard())
    // This is more than the buffers of the system hold.
    let count = 256
    let message = form == .webSocket ? WebSocketBytes.frame(1, Array(Self.piece.dropLast())) : Self.piece
    try await withTransport { transport in
      let url = server.url("/")
      async let end = transport.listen(
        to: TransportRequest(url: url), form, onOpen: {},
        onMessage: {
          gate.pass()
          heard.take($0)
        })
      async let sending: Void = {
        for _ in 0..<count {
          try await held.send([message])
          sent.take("")
        }
      }()
      await held.wait { $0.isOpen }
      for _ in 0..<20 { #expect(await transport.failure(server.url("/other")) == nil) }
      #expect(heard.messages.isEmpty)
      #expect(sent.messages.count < count)
      gate.open()
      try await sending
      await heard.received(count)
      await held.close()
      let response = try await end
      #expect(response.status == (form == .webSocket ? 101 : 200))
    }
    #expect(heard.messages.allSatisfy { $0.utf8.count == Self.piece.count - 1 })
  }

  @Test(arguments: [StreamForm.lines, .webSocket])
  func aReaderThatIsStuckDoesNotKeepACancelledTask(form: StreamForm) async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { request in
      form == .webSocket ? .webSocket(held, request) : .held(held, Self.head)
    }
    defer { server.stop() }
    let (gate, heard) = (Gate(), Heard())
    let message = form == .webSocket ? WebSocketBytes.text("x") : Array("x\n".utf8)
    try await withTransport { transport in
      let url = server.url("/")
      let task = Task { () -> RequestFailure? in
        do throws(RequestFailure) {
          _ = try await transport.listen(
            to: TransportRequest(url: url), form, onOpen: {},
            onMessage: {
              heard.take($0)
              gate.pass()
            })
          return nil
        } catch {
          return error
        }
      }
      try await held.send([message])
      await heard.received(1)
      let more = Task { try? await held.send(Array(repeating: message + message, count: 1000)) }
      task.cancel()
      #expect(await task.value == .cancelled)
      await held.closed()
      _ = await more.value
      gate.open()
    }
    #expect(heard.messages == ["x"])
  }

  @Test func aReaderThatIsStuckDoesNotKeepAStreamForEver() async throws {
    let held = HeldConnection()
    let server = try await LoopbackServer.start { _ in .held(held, Self.head) }
    defer { server.stop() }
    let gate = Gate()
    let failure = try await withTransport {
      $0.streamSilence = .milliseconds(200)
    } _: { transport in
      let sending = Task { try? await held.send(Array(repeating: Self.piece, count: 256)) }
      let url = server.url("/")
      var failure: RequestFailure?
      do throws(RequestFailure) {
        _ = try await transport.listen(
          to: TransportRequest(url: url), .lines, onOpen: {}, onMessage: { _ in gate.pass() })
      } catch {
        failure = error
      }
      await held.closed()
      _ = await sending.value
      gate.open()
      return failure
    }
    #expect(failure == .timedOut(.reading, seconds: 0.2))
  }

  /// Waits at the gate for each piece.
  private final class SlowBody: ResponseBody {
    let isError = false
    private let gate: Gate
    init(_ gate: Gate) { self.gate = gate }

    func append(_ piece: UnsafeRawBufferPointer, isStopped: () -> Bool) -> Bool {
      gate.pass()
      return true
    }
    func finish(_ response: inout TransportResponse, brokenEnd: RequestFailure?) {}
  }

  @Test(arguments: [0, 1, 1000, 100_000])
  func whatWaitsForAReaderIsBounded(size: Int) async {
    let gate = Gate()
    let (resumed, bell) = AsyncStream.makeStream(of: Void.self)
    let pipe = BodyPipe(
      SlowBody(gate), TransportResponse(status: 200, finalURL: ""), resume: { bell.finish() }, onEnd: { _ in }
    )
    let piece = [UInt8](repeating: 1, count: size)
    var pieces = 0
    while piece.withUnsafeBytes({ pipe.append($0) }) { pieces += 1 }
    // Each piece needs some memory besides its bytes.
    #expect(pieces * (size + 100) <= Limits.bodyAhead + size + 1000)
    #expect(pieces * (size + 1000) >= Limits.bodyAhead)
    gate.open()
    for await _ in resumed {}
    #expect(piece.withUnsafeBytes { pipe.append($0) })
  }

  @Test func theEndOfTheTimeStopsABodyThatDecompressesLong() async throws {
    // Each piece decompresses to 128 times its size.
    let unit = Compressed.zstdBomb
    let stopped = Atomic(false)
    let decoder = ContentDecoder(codings: ["zstd"], limit: 1 << 30)
    let asked = Atomic(0)
    #expect(throws: ContentDecoder.Failure.cancelled) {
      try unit.withUnsafeBytes { bytes in
        try decoder.append(bytes) {
          // The timeout is in the middle of the body.
          asked.add(1, ordering: .relaxed)
          if asked.load(ordering: .relaxed) == 3 { stopped.store(true, ordering: .relaxed) }
          return stopped.load(ordering: .relaxed)
        }
      }
    }
    #expect(asked.load(ordering: .relaxed) == 3)
  }
}
