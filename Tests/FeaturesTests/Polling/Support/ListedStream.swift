import Basics
import Messages
import Synchronization

/// Delivers messages one by one, until it is ended.
final class ListedStream: MessageStream {
  private let left: Mutex<[String]?>

  init(_ ids: [String]) { left = Mutex(ids) }

  func next() throws(MessageStreamFailure) -> [IncomingMessage]? {
    let taken = left.withLock { left -> [String]? in
      guard let ids = left else { return nil }
      left = Array(ids.dropFirst())
      return Array(ids.prefix(1))
    }
    guard let taken else { throw .ended }
    return taken.isEmpty ? nil : taken.map { IncomingMessage(remoteID: RemoteID($0), kind: .feed, title: $0) }
  }

  func restart() throws(MessageStreamFailure) { throw .ended }
  var problems: [FormatProblem] { [FormatProblem(at: "7", message: "of a part")] }

  func end() { left.withLock { $0 = nil } }
  func whole() throws(MessageStreamFailure) -> PollOutcome { throw .ended }
}
