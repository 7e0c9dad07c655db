import Formats
import Foundation
import Limits
import Messages
import Transport

/// The messages of a large page of a native feed, made by a thread of its own while those before them are stored.
final class NativeFeedStream: MessageStream {
  private struct State {
    var parts: [[IncomingMessage]] = []
    var isStarted = false
    /// The thread has made all parts; with `finished` they are right.
    var isMade = false
    var finished: NativeFeedAdapter.Progress?
    var hasEnded = false
  }

  /// Parts that may wait.
  private static let ahead = 2
  /// Messages of a part, and bytes of their text, from which the next part begins.
  private static let messagesPerPart = 1024

  private let document: Fetcher.Document
  private let beginning: NativeFeedAdapter.Progress
  private let isFile: Bool
  private let allowance: Allowance
  private let faults = SpooledBytes.faults
  private let condition = NSCondition()
  /// Accessed only while `condition` is locked.
  nonisolated(unsafe) private var state = State()

  /// - Parameter beginning: what the poll has before this page.
  /// - Returns: nil if the page is small, isn't a native feed by its beginning, or may need another request.
  init?(
    _ document: Fetcher.Document, after beginning: NativeFeedAdapter.Progress, isFile: Bool,
    _ allowance: Allowance
  ) {
    guard document.bytes.count >= Limits.largeFeedBytes, NativeFeedHead.hasList(document.bytes),
      !NativeFeedHead.mayAskForMore(document, since: beginning.cursor)
    else { return nil }
    self.document = document
    self.beginning = beginning
    self.isFile = isFile
    self.allowance = allowance
  }

  /// With what the answer and the beginning of the page say; cursor and the rest come at the end.
  var content: PollContent {
    var progress = beginning
    progress.begin(document)
    var content = progress.content
    content.title = NativeFeedHead.title(document.bytes)
    content.stream = self
    return content
  }

  func next() throws(MessageStreamFailure) -> [IncomingMessage]? {
    condition.lock()
    defer { condition.unlock() }
    if !state.isStarted, !state.hasEnded {
      state.isStarted = true
      Thread { [self] in make() }.start()
    }
    while !state.hasEnded, state.parts.isEmpty, !state.isMade { condition.wait() }
    guard !state.hasEnded, !allowance.isCancelled else { throw .ended }
    if state.isMade, state.finished == nil { throw .needsWhole }
    if faults != SpooledBytes.faults { throw .needsWhole }
    guard !state.parts.isEmpty else { return nil }
    defer { condition.broadcast() }
    return state.parts.removeFirst()
  }

  func complete(_ content: inout PollContent) {
    guard var finished = condition.withLock({ state.finished?.content }) else { return }
    finished.stream = content.stream
    content = finished
  }

  func end() {
    condition.withLock {
      state.hasEnded = true
      state.parts = []
      condition.broadcast()
    }
    allowance.cancel()
  }

  func whole() throws(MessageStreamFailure) -> PollOutcome {
    let allowance = Allowance(documentBytes: document.bytes.count)
    var progress = beginning
    switch progress.take(document, number: 1, isFile: isFile, allowance) {
    case .done, .more: break
    case .startOver:
      progress.startOver()
      // A file has all of its items; of a server the next poll asks for them.
      if isFile { _ = progress.take(document, number: 1, isFile: isFile, allowance) }
    case .failed(let failure): return .failed(failure, document.hints)
    }
    if faults != SpooledBytes.faults { return .failed(.spoolFailed, document.hints) }
    return .content(progress.content, document.hints)
  }

  private func make() {
    var progress = beginning
    var bytes = 0
    progress.begin(document)
    let page = NativeFeedReader.read(document.bytes, allowance: allowance) { item in
      bytes += progress.items.take(item, allowance)
      guard progress.items.messages.count >= Self.messagesPerPart || bytes >= Limits.feedSectionBytes else {
        return
      }
      bytes = 0
      document.release()
      put(progress.items.takeMessages())
    }
    var isRight = false
    if let page, !allowance.isSpent {
      switch progress.take(page, number: 1, isFile: isFile, allowance) {
      case .done, .more: isRight = !progress.items.wantsRefresh
      case .startOver, .failed: break
      }
    }
    let last = progress.items.takeMessages()
    if isRight, !last.isEmpty { put(last) }
    condition.withLock {
      state.isMade = true
      if isRight { state.finished = progress }
      condition.broadcast()
    }
  }

  /// Waits until there is room.
  private func put(_ part: [IncomingMessage]) {
    condition.lock()
    defer { condition.unlock() }
    while !state.hasEnded, state.parts.count >= Self.ahead { condition.wait() }
    if state.hasEnded { return }
    state.parts.append(part)
    condition.broadcast()
  }
}

/// What the bytes of a page tell before it is read.
private enum NativeFeedHead {
  /// Bytes in which the title and the beginning of the list are searched.
  private static let length = 1 << 16

  static func hasList(_ bytes: Data) -> Bool {
    var hasList = false
    walk(bytes) { if case .arrayBegins = $0 { hasList = true } }
    return hasList
  }

  static func title(_ bytes: Data) -> String? {
    var title: String?
    walk(bytes) { if case .member("title", let value) = $0 { title = value.text } }
    return title
  }

  /// It breaks off, and what was complete was visited.
  private static func walk(_ bytes: Data, visit: (JSONWalkStep) -> Void) {
    try? JSONReader.walk(bytes.prefix(length), streaming: "list", visit: visit)
  }

  /// Whether anything looks as if there were more pages, reset ids, or the wish for another poll: what follows from those
  /// has to be known before the page is stored. A text that only looks so costs memory.
  static func mayAskForMore(_ document: Fetcher.Document, since cursor: String?) -> Bool {
    defer { document.release() }
    return document.bytes.withUnsafeBytes { raw in
      var place = raw.startIndex
      var pieceEnd = Limits.readPiece
      while let quote = quote(in: raw, from: place) {
        place = quote + 1
        if place > pieceEnd {
          document.release()
          pieceEnd = place + Limits.readPiece
        }
        let rest = raw[place...]
        if rest.starts(with: "has_more\"".utf8) {
          let value = rest.dropFirst(9).first { !" \t\r\n:".utf8.contains($0) }
          if value != UInt8(ascii: "f") { return true }
        } else if rest.starts(with: "content-available\"".utf8) {
          return true
        } else if cursor != nil, rest.starts(with: "last_id\"".utf8) {
          return true
        }
      }
      return false
    }
  }

  private static func quote(in bytes: UnsafeRawBufferPointer, from place: Int) -> Int? {
    guard place < bytes.count, let start = bytes.baseAddress else { return nil }
    return memchr(start + place, Int32(UInt8(ascii: "\"")), bytes.count - place).map {
      UnsafeRawPointer($0) - start
    }
  }
}
