import Basics
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// Where a request came from.
struct HubContext: InitializableFromSource, Sendable {
  /// nil of a Unix socket.
  let peer: String?

  init(source: ApplicationRequestContextSource) { peer = source.channel.remoteAddress?.ipAddress }
}

/// A request, decoded.
struct HubRequest: Sendable {
  let request: Request
  /// Between the slashes, each percent-decoded: a key may have a slash.
  let path: [String]
  /// Decoded, in their order; `+` is a space (WHATWG URL, application/x-www-form-urlencoded).
  let query: [(name: String, value: String)]
  let address: String?

  init(_ request: Request, address: String?) throws(HubFailure) {
    let target = request.head.path ?? ""
    let parts = target.split(exactly: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in parts.first?.split(exactly: "/") ?? [] {
      guard let decoded = part.removingPercentEncoding else {
        throw HubFailure(.badRequest, "the path isn't percent-encoded UTF-8")
      }
      path.append(decoded)
    }
    guard let query = FormFields.urlEncoded(parts.count > 1 ? parts[1] : "") else {
      throw HubFailure(.badRequest, "the query isn't percent-encoded UTF-8")
    }
    (self.request, self.path, self.query, self.address) = (request, path, query, address)
  }

  /// HEAD is answered as GET, without its body.
  var method: String { request.method == .head ? "GET" : request.method.rawValue }

  /// The first value of a name.
  func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

  /// A whole number in the query. Throws `badRequest` for anything else.
  func number(_ name: String, in range: ClosedRange<Int64>, or usual: Int64) throws(HubFailure) -> Int64 {
    guard let text = value(name), !text.isEmpty else { return usual }
    guard let number = Int64(text), range.contains(number) else {
      throw HubFailure(
        .badRequest, "must be a whole number from \(range.lowerBound) to \(range.upperBound)", at: name)
    }
    return number
  }

  func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }

  /// The token, as it came: a Bearer's, or the password of Basic (RFC 6750, RFC 7617); nil: none was sent.
  var token: String? { request.headers[.authorization].map { HubToken.sent(in: $0) } }

  /// The whole body, which has to come within a time.
  ///
  /// - Parameters:
  ///   - room: shared with the bodies of other requests; without room it is `busy`.
  ///   - slowest: bytes a second that a large body may need besides; nil: it has the time of a small one.
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
            .badRequest, "the body wasn't sent within \(seconds) s")
        }
        return bytes
      }
    } catch let failure as HubFailure {
      throw failure
    } catch {
      throw HubFailure(.badRequest, "the body broke off")
    }
  }
}

/// How many bytes of bodies may be in memory while they are received, of all requests together.
final class BodyRoom: Sendable {
  private let left: Mutex<Int>

  init(bytes: Int) { left = Mutex(bytes) }

  /// - Returns: false if there is no room for them.
  func reserve(_ bytes: Int) -> Bool {
    left.withLock { left in
      guard left >= bytes else { return false }
      left -= bytes
      return true
    }
  }

  func giveBack(_ bytes: Int) { left.withLock { $0 += bytes } }
}
