import Foundation
import HTTPTypes
import HubItems
import Hummingbird
import HummingbirdCore
import Limits
import NIOCore

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
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in parts.first?.split(separator: "/") ?? [] {
      guard let decoded = part.removingPercentEncoding else {
        throw HubFailure(.badRequest, "the path isn't percent-encoded UTF-8")
      }
      path.append(decoded)
    }
    var query: [(name: String, value: String)] = []
    for item in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = sides.map { $0.replacing("+", with: "%20").removingPercentEncoding }
      guard let name = decoded[0], let value = decoded.count > 1 ? decoded[1] : "" else {
        throw HubFailure(.badRequest, "the query isn't percent-encoded UTF-8")
      }
      query.append((name, value))
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
  var token: String? {
    guard let text = request.headers[.authorization] else { return nil }
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return "" }
    switch words[0].lowercased() {
    case "bearer": return String(words[1])
    case "basic":
      guard let bytes = Data(base64Encoded: String(words[1])), let colon = bytes.firstIndex(of: 0x3A) else {
        return ""
      }
      return String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    default: return ""
    }
  }

  /// The whole body, which has to come within a time.
  func body(limit: Int) async throws(HubFailure) -> Data {
    let tooLarge = HubFailure.tooLarge("a request of this type", limit: limit)
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    let body = request.body
    do {
      return try await withThrowingTaskGroup(of: Data?.self) { group in
        group.addTask { Data(try await body.collect(upTo: limit).readableBytesView) }
        group.addTask {
          try await Task.sleep(for: .seconds(Limits.hubRequestSeconds))
          return nil
        }
        defer { group.cancelAll() }
        guard let bytes = try await group.next() ?? nil else {
          throw HubFailure(
            .badRequest, "the body wasn't sent within \(Limits.hubRequestSeconds) s")
        }
        return bytes
      }
    } catch let failure as HubFailure {
      throw failure
    } catch is NIOTooManyBytesError {
      throw tooLarge
    } catch {
      throw HubFailure(.badRequest, "the body broke off")
    }
  }
}
