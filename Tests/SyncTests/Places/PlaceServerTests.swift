import Basics
import Foundation
import PlaceStandIns
import TestBasics
import Testing

@testable import Sync

/// The other end of the pipe, byte by byte.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct PlaceServerTests {
  /// A server on a thread, and the ends of its pipes.
  private final class Served {
    private let input: Int32
    private let output: Int32
    private let ended: Background<Void>
    private var decoder = FrameDecoder()
    private var isGreeted = false
    private var isInputOpen = true

    init(_ place: some Place) throws {
      signal(SIGPIPE, SIG_IGN)
      var (requests, answers): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
      guard pipe(&requests) == 0, pipe(&answers) == 0 else { throw POSIXError(.EMFILE) }
      for end in requests + answers { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (input, output) = (requests[1], answers[0])
      let (reading, writing) = (requests[0], answers[1])
      ended = Background {
        defer {
          close(reading)
          close(writing)
        }
        try PlaceServer(place, input: reading, output: writing).run()
      }
    }

    deinit {
      endInput()
      close(output)
    }

    func send(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { #expect(write(input, $0.baseAddress, $0.count) == $0.count) }
    }

    func send(_ requests: PlaceRequest...) { send(requests.flatMap(\.frame)) }

    private func read() -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      let count = Foundation.read(output, &buffer, buffer.count)
      return Array(buffer.prefix(max(0, count)))
    }

    /// Returns the next response, or `nil` at the end.
    func answer() throws -> PlaceAnswer? {
      while true {
        if isGreeted, let frame = try decoder.next() {
          let answer: PlaceAnswer = try #require(PlaceAnswer(frame: frame))
          return answer
        }
        var bytes = read()
        if bytes.isEmpty { return nil }
        if !isGreeted {
          let greeting = Array(Greeting.line.utf8)
          while bytes.count < greeting.count { bytes += read() }
          #expect(Array(bytes.prefix(greeting.count)) == greeting)
          bytes.removeFirst(greeting.count)
          isGreeted = true
        }
        decoder.append(bytes)
      }
    }

    func ask(_ request: PlaceRequest) throws -> PlaceAnswer? {
      send(request)
      return try answer()
    }

    func endInput() {
      if isInputOpen { close(input) }
      isInputOpen = false
    }

    func end() throws {
      endInput()
      #expect(try answer() == nil)
      try ended.value()
    }
  }

  @Test func answersComeInOrder() throws {
    let served = try Served(MemoryPlace())
    served.send(
      .list, .put(name(1, 1...1), [1, 2]), .get(name(1, 1...1)), .put(name(1, 1...1), [3]),
      .get(name(1, 2...2)),
      .list, .changed(seconds: 600), .delete(name(1, 1...1)), .list)
    for expected in [
      PlaceAnswer.names([]), .done, .bytes([1, 2]), .anotherIsThere, .nothing, .names([name(1, 1...1)]),
      .changed(false), .done, .names([]),
    ] { #expect(try served.answer() == expected) }
    try served.end()
  }

  @Test func requestsMayArriveByteByByte() throws {
    let served = try Served(MemoryPlace())
    for byte in PlaceRequest.put(name(1, 1...1), [1, 2]).frame + PlaceRequest.list.frame {
      served.send([byte])
    }
    #expect(try served.answer() == .done)
    #expect(try served.answer() == .names([name(1, 1...1)]))
    try served.end()
  }

  @Test(arguments: Premises.Kind.allCases.filter { $0 != .pipe }) func aRequestEndsTheWaiting(
    kind: Premises.Kind
  ) throws {
    let premises = try Premises(kind)
    let served =
      switch kind {
      case .memory: try Served(MemoryPlace())
      case _: try Served(FolderPlace(path: premises.folder.path))
      }
    #expect(try served.ask(.list) == .names([]))
    for _ in 0..<20 {
      served.send(.changed(seconds: .max))
      served.send(.get(name(1, 1...1)))
      #expect(try served.answer() == .changed(false))
      #expect(try served.answer() == .nothing)
    }
    #expect(try served.ask(.changed(seconds: 0)) == .changed(false))
    // The end of the input does the same.
    served.send(.changed(seconds: .max))
    served.endInput()
    #expect(try served.answer() == .changed(false))
    try served.end()
  }

  @Test func whatIsNoRequestIsSaidAndTheNextOneAnswered() throws {
    let served = try Served(MemoryPlace())
    for frame in [Array("?".utf8), Array("Lx".utf8), Array("Gx".utf8), Array("C".utf8)] {
      served.send([0, 0, 0, UInt8(frame.count)] + frame)
      #expect(try served.answer() == .failed(.notUnderstood, sentence: "this is not a request"))
    }
    #expect(try served.ask(.list) == .names([]))
    try served.end()
  }

  @Test(arguments: [0, Limits.frameBytes + 1, Int(UInt32.max)]) func aFrameOfImpossibleLengthEndsIt(
    length: Int
  ) throws {
    let served = try Served(MemoryPlace())
    served.send((0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) })
    #expect(try served.answer() == .failed(.notUnderstood, sentence: "a frame cannot have \(length) bytes"))
    #expect(try served.answer() == nil)
    try served.end()
  }

  @Test func aFrameThatIsCutIsNotDone() throws {
    let objects = MemoryObjects()
    let frame = PlaceRequest.put(name(1, 1...1), [1, 2]).frame
    for end in frame.indices {
      let served = try Served(MemoryPlace(objects))
      served.send(Array(frame[..<end]))
      try served.end()
    }
    #expect(objects.all.isEmpty)
  }

  /// The missing marker means the same: nothing is set up, or the disk isn't mounted.
  @Test func aMissingFolderIsLikeAnEmptyOne() throws {
    let folder = try TemporaryFolder()
    let served = try Served(FolderPlace(path: "\(folder.path)/ann"))
    #expect(try served.ask(.list) == .names([]))
    #expect(try served.ask(.get(.marker)) == .nothing)
    #expect(try served.ask(.delete(name(1, 1...1))) == .done)
    let failed = PlaceAnswer.failed(.broken, sentence: "there is no such folder")
    #expect(try served.ask(.put(name(1, 1...1), [1])) == failed)
    #expect(try served.ask(.changed(seconds: 600)) == failed)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/ann"))
    #expect(try served.ask(.put(.marker, [1])) == .done)
    #expect(try served.ask(.list) == .names([.marker]))
    try served.end()
  }
}
