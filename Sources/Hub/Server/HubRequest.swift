import Basics
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// The connection on which a request arrived.
struct HubContext: InitializableFromSource, Sendable {
  /// The other end, or `nil` for a Unix socket.
  let peer: String?

  init(source: ApplicationRequestContextSource) { peer = source.channel.remoteAddress?.ipAddress }
}

/// A request with its decoded path and query.
struct HubRequest: Sendable {
  let request: Request
  /// The names between the slashes, each percent-decoded: a key may contain a slash.
  let path: [String]
  /// The decoded fields in their order; `+` is a space (WHATWG URL, application/x-www-form-urlencoded).
  let query: [(name: String, value: String)]
  let address: String?

  init(_ request: Request, address: String?) throws(HubFailure) {
    let target = request.head.path ?? ""
    let parts = target.split(onBytes: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in parts.first?.split(onBytes: "/") ?? [] {
      guard let decoded = part.removingPercentEncoding else {
        throw HubFailure(.badRequest, "the path is not percent-encoded UTF-8")
      }
      path.append(decoded)
    }
    guard let query = FormFields.urlEncoded(parts.count > 1 ? parts[1] : "") else {
      throw HubFailure(.badRequest, "the query is not percent-encoded UTF-8")
    }
    (self.request, self.path, self.query, self.address) = (request, path, query, address)
  }

  /// The method. HEAD is handled like GET, without its body.
  var method: String { request.method == .head ? "GET" : request.method.rawValue }

  /// Returns the first value of a name in the query.
  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// Returns a whole number of `range` from the query, or `usual` if the query doesn't contain the name.
  /// Throws `badRequest` for any other value.
  func number(_ name: String, in range: ClosedRange<Int64>, or usual: Int64) throws(HubFailure) -> Int64 {
    guard let text = value(name), !text.isEmpty else { return usual }
    guard let number = Int64(text), range.contains(number) else {
      throw HubFailure(
        .badRequest, "must be a whole number from \(range.lowerBound) to \(range.upperBound)", at: name)
    }
    return number
  }

  func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }

  /// The token as it was sent: a Bearer's, or the password of Basic (RFC 6750, RFC 7617), or `nil` if none was sent.
  var token: String? { request.headers[.authorization].map { HubToken.sent(in: $0) } }

  /// Returns the whole body, which must arrive within a time.
  ///
  /// - Parameters:
  ///   - room: shared with the bodies of other requests; without room it throws `busy`.
  ///   - slowest: the bytes per second for which a large body gets additional time, or `nil` for the time of a small
  ///     one.
  func body(
    limit: Int, in room: BodyRoom, slowest: Int? = nil
  ) async throws(HubFailure) -> Data {
    let tooLarge = HubFailure.tooLarge("a request of this type", limit: limit)
    let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard length <= limit else { throw tooLarge }
    let seconds = Limits.hubRequestSeconds + (slowest.map { max(0, length) / $0 } ?? 0)
    let body = request.body
    do {
      return try await withThrowingTaskGroup(of: Data?.self) { group in
        group.addTask {
          var bytes = Data()
          defer { room.giveBack(bytes.count) }
          for try await chunk in body {
            guard bytes.count + chunk.readableBytes <= limit else { throw tooLarge }
            guard room.reserve(chunk.readableBytes) else { throw HubFailure.busy }
            bytes.append(contentsOf: chunk.readableBytesView)
          }
          return bytes
        }
        group.addTask {
          try await Task.sleep(for: .seconds(seconds))
          return nil
        }
        defer { group.cancelAll() }
        guard let bytes = try await group.next() ?? nil else {
          throw HubFailure(
            .badRequest, "the body was not sent within \(seconds) s")
        }
        return bytes
      }
    } catch let failure as HubFailure {
      throw failure
    } catch {
      throw HubFailure(.badRequest, "the body was cut off")
    }
  }
}

/// The number of bytes that the bodies of all requests together may use in memory while they are received.
final class BodyRoom: Sendable {
  private let left: Mutex<Int>

  init(bytes: Int) { left = Mutex(bytes) }

  /// - Returns: `false` if there is no room for them.
  func reserve(_ bytes: Int) -> Bool {
    left.withLock { left in
      guard left >= bytes else { return false }
      left -= bytes
      return true
    }
  }

  func giveBack(_ bytes: Int) { left.withLock { $0 += bytes } }
}
