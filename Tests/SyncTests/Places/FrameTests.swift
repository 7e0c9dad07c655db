import Basics
import TestBasics
import Testing

@testable import Sync

@Suite struct FrameTests {
  static let requests: [PlaceRequest] = [
    .list, .get(name(1, 1...3)), .put(name(1, 1...Int64.max), object(300)), .put(.marker, []),
    .delete(name(255, 0...0)), .changed(seconds: 600), .changed(seconds: .max),
  ]
  static let answers: [PlaceAnswer] = [
    .names([]), .names([.marker, name(1, 1...3), name(2, 4...4)]), .bytes(object(300)), .bytes([]), .nothing,
    .done,
    .anotherIsThere, .changed(true), .changed(false), .failed(.full, sentence: "is full"),
    .failed(.notUnderstood, sentence: ""),
  ]

  private func frames(_ bytes: some Collection<UInt8>) throws -> [[UInt8]] {
    var decoder = FrameDecoder()
    decoder.append(bytes)
    var frames: [[UInt8]] = []
    while let frame = try decoder.next() { frames.append(frame) }
    return frames
  }

  @Test func theBytesAreThoseOfThePage() {
    #expect(PlaceRequest.list.frame == [0, 0, 0, 1, 0x4C])
    #expect(
      PlaceRequest.get(name(7, 1...258)).frame == [0, 0, 0, 33, 0x47] + [UInt8](repeating: 7, count: 16)
        + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 1, 2])
    #expect(PlaceRequest.changed(seconds: 600).frame == [0, 0, 0, 5, 0x43, 0, 0, 2, 88])
    #expect(PlaceAnswer.changed(true).frame == [0, 0, 0, 2, 0x63, 1])
    #expect(PlaceAnswer.failed(.notAllowed, sentence: "no").frame == [0, 0, 0, 4, 0x65, 1, 0x6E, 0x6F])
  }

  @Test func whatIsWrittenIsRead() throws {
    #expect(try frames(Self.requests.flatMap(\.frame)).map(PlaceRequest.init(frame:)) == Self.requests)
    #expect(try frames(Self.answers.flatMap(\.frame)).map(PlaceAnswer.init(frame:)) == Self.answers)
  }

  @Test func itIsReadHoweverItArrives() throws {
    let bytes = Self.requests.flatMap(\.frame)
    for piece in [1, 2, 3, 7, 100] {
      var decoder = FrameDecoder()
      var read: [PlaceRequest?] = []
      for start in stride(from: 0, to: bytes.count, by: piece) {
        decoder.append(bytes[start..<min(bytes.count, start + piece)])
        while let frame = try decoder.next() { read.append(PlaceRequest(frame: frame)) }
      }
      #expect(read == Self.requests)
      #expect(decoder.isEmpty)
    }
  }

  @Test func aFrameThatIsCutHasNotArrived() throws {
    let bytes = Self.answers.flatMap(\.frame)
    for end in bytes.indices {
      let read = try frames(bytes[..<end]).map(PlaceAnswer.init(frame:))
      #expect(read == Array(Self.answers.prefix(read.count)))
      #expect(read.count < Self.answers.count)
    }
  }

  @Test func aLengthOutOfBoundsIsUnreadable() throws {
    for (length, isOne) in [
      (0, false), (1, true), (Limits.frameBytes, true), (Limits.frameBytes + 1, false),
      (Int(UInt32.max), false),
    ] {
      var decoder = FrameDecoder()
      decoder.append((0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) })
      if isOne {
        #expect(try decoder.next() == nil)
      } else {
        #expect(throws: FrameDecoder.Unreadable(length: length)) { try decoder.next() }
      }
    }
    let largest = PlaceRequest.put(name(1, 1...1), [UInt8](repeating: 1, count: Limits.placeObjectBytes))
    #expect(largest.frame.count - 4 <= Limits.frameBytes)
    #expect(
      PlaceAnswer.bytes([UInt8](repeating: 1, count: Limits.placeObjectBytes + 1)).frame.count
        <= Limits.frameBytes)
  }

  @Test(arguments: [
    "", "l", "L1", "G", "Gshort", "P", "D", "C", "C123", "C12345", "X", "\u{0}",
    // The first number is greater than the last one, and one that is greater than any.
    "G1234567890123456" + "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{2}"
      + "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{1}",
  ])
  func whatIsNoRequestIsRefused(text: String) {
    #expect(PlaceRequest(frame: Array(text.utf8)) == nil)
  }

  @Test(arguments: ["", "L", "lshort", "n1", "k1", "x1", "c", "c\u{2}", "c\u{1}\u{1}", "e", "?"])
  func whatIsNoAnswerIsRefused(text: String) {
    #expect(PlaceAnswer(frame: Array(text.utf8)) == nil)
  }

  @Test func namesHaveNumbersFrom0Up() {
    let frame = Array("G".utf8) + [UInt8](repeating: 1, count: 16)
    let most = [UInt8](repeating: 255, count: 8)
    #expect(PlaceRequest(frame: frame + [UInt8](repeating: 0, count: 8) + most) == nil)
    #expect(PlaceRequest(frame: frame + most + most) == nil)
    #expect(PlaceRequest(frame: frame + [UInt8](repeating: 0, count: 16)) == .get(name(1, 0...0)))
  }

  @Test func answersAreBounded() throws {
    let name = try #require(try frames(PlaceRequest.get(name(1, 1...1)).frame).first).dropFirst()
    let most = [UInt8]("l".utf8) + (0..<Limits.placeObjects).flatMap { _ in name }
    #expect(PlaceAnswer(frame: most) != nil)
    #expect(PlaceAnswer(frame: most + name) == nil)
    // A code of a later version, and a sentence without end or rule.
    let answer = PlaceAnswer(frame: [0x65, 200] + [UInt8](repeating: 0xFF, count: 1 << 20))
    guard case .failed(.broken, let sentence) = answer else {
      Issue.record("\(String(describing: answer))")
      return
    }
    #expect(sentence.count == Limits.placeReasonCharacters)
  }

  @Test func anyBytesAreReadOrRefused() throws {
    var random = SeededRandom(seed: 40)
    var refused = 0
    for _ in 0..<20_000 {
      let verb = Array("LGPDClgnkxce".utf8).randomElement(using: &random) ?? 0
      let count = [0, 1, 2, 4, 5, 32, 33, 64].randomElement(using: &random) ?? 0
      let frame =
        [verb]
        + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) & (count % 3 == 0 ? 1 : 255) }
      let (request, answer) = (PlaceRequest(frame: frame), PlaceAnswer(frame: frame))
      if let request { #expect(Array(request.frame.dropFirst(4)) == frame) }
      if request == nil, answer == nil { refused += 1 }
    }
    #expect(refused > 1000)
  }
}

@Suite struct GreetingTests {
  private func read(_ text: String, piece: Int = 1000) -> Greeting.Reading {
    var greeting = Greeting()
    let bytes = Array(text.utf8)
    var reading = Greeting.Reading.incomplete
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let end = min(bytes.count, start + piece)
      reading = greeting.append(Array(bytes[start..<end]))
      if case .read(let rest) = reading { return .read(rest: rest + bytes[end...]) }
      if reading == .refused { break }
    }
    return reading
  }

  @Test(arguments: [
    "", "Welcome to box\n", "\n\n", "Last login: today\r\n\r\n", "\u{1B}]2;box\u{7}", "reddot-sync\n",
    "reddot 1\n",
  ])
  func whatAShellSaysBeforeIsSkipped(before: String) {
    for piece in [1, 3, 1000] {
      #expect(read("\(before)reddot-sync 1\nrest", piece: piece) == .read(rest: Array("rest".utf8)))
    }
    #expect(read("\(before)reddot-sync 1\r\n") == .read(rest: []))
    #expect(read("\(before)reddot-sync 1") == .incomplete)
  }

  @Test(arguments: ["reddot-sync 2\n", "hello\nreddot-sync 11\n", "reddot-sync 1 \n", "reddot-sync \n"])
  func anotherVersionIsRefused(text: String) {
    #expect(read(text) == .refused)
  }

  @Test func moreThan64KiBAreNotSkipped() {
    for line in [64, 1 << 16] {
      let before = String(
        repeating: String(repeating: "x", count: line - 1) + (line == 64 ? "\n" : "x"),
        count: (1 << 16) / line)
      #expect(read(before + "reddot-sync 1\n") == .read(rest: []))
      #expect(read("x" + before + "reddot-sync 1\n") == .refused)
    }
    #expect(read(String(repeating: "x", count: (1 << 16) + 20)) == .refused)
    #expect(read(String(repeating: "\n", count: (1 << 16) + 1)) == .refused)
  }
}
