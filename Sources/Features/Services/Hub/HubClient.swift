import Basics
package import Formats
package import Foundation
package import HTTP
package import Messages

/// Sends requests to a reddot-hub (page "Hub"): lists the feeds that a token can read, and publishes items. A feed of
/// the hub is read as a native feed.
package struct HubClient: Sendable {
  /// A feed that the token can read.
  package struct Feed: Hashable, Sendable {
    package var name: String
    package var title: String
    /// The feed's URL. It is always below the URL of the request: a token must not be sent to another address that a
    /// response contains.
    package var address: String
  }

  /// The reason why a request to a hub failed.
  package enum Failure: Error, Hashable, Sendable {
    case request(FetchFailure)
    /// The hub refused the request; `wait` is the `Retry-After` of its response.
    case refused(HubRefusal, status: Int, wait: Duration?)
    /// The response is not one of a hub.
    case notAHub(status: Int)
  }

  private let transport: any HTTPTransport
  private let source: Source
  private let context: PollContext
  /// The hub's address, without a slash at its end.
  package let address: String

  /// - Parameters:
  ///   - address: the address of the hub or of its list of feeds.
  ///   - options: the options that determine which servers are trusted.
  package init(
    _ transport: any HTTPTransport, address: String, token: String?, options: SourceOptions, now: Date
  ) {
    self.transport = transport
    self.address = Self.base(of: address)
    var source = Source(id: Source.unregistered, name: "", kind: .native, address: self.address)
    source.settings.options = options
    self.source = source
    var context = PollContext(now: now)
    context.credential = .configured(token: token, address: self.address)
    self.context = context
  }

  /// The path of the list of feeds.
  private static let list = "/v1/feeds"

  /// Returns the hub's address for an address that the user typed: that of the hub or of its list of feeds.
  package static func base(of address: String) -> String {
    let base = ServiceClient.base(of: address)
    return base.hasSuffix(list) ? String(base.dropLast(list.count)) : base
  }

  /// Whether an inspected page is the start page of a hub.
  package static func isStartPage(_ inspection: Inspection) -> Bool {
    inspection.format == "page" && inspection.title == "reddot-hub"
  }

  /// Whether an address is that of a hub's list of feeds.
  package static func isList(_ address: String) -> Bool { ServiceClient.base(of: address).hasSuffix(list) }

  /// Splits the address of a source into the hub's address and the feed's name, or returns `nil` if it is not that of a
  /// hub's feed.
  package static func feed(of address: String) -> (hub: String, name: String)? {
    let base = ServiceClient.base(of: address)
    guard let range = base.range(of: list + "/", options: .backwards) else { return nil }
    let name = String(base[range.upperBound...])
    return isName(name) ? (String(base[..<range.lowerBound]), name) : nil
  }

  /// Whether the argument is a feed's name: 1 to 63 lowercase letters, digits and hyphens, not beginning with a hyphen.
  package static func isName(_ text: String) -> Bool {
    (1...63).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "-")
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }

  /// Returns the feeds that the token can read, or the public ones if there is no token.
  package func feeds() async throws(Failure) -> [Feed] {
    let answer = try await send(request(Self.list))
    guard case .success(let value) = Self.json(answer.body), let list = value.object?["feeds"]?.elements
    else { throw .notAHub(status: answer.status) }
    return list.prefix(Limits.importedFeeds).compactMap { element in
      guard let name = element.object?["name"]?.text, Self.isName(name) else { return nil }
      return Feed(
        name: name, title: element.object?["title"]?.text ?? name, address: address + Self.list + "/" + name)
    }
  }

  /// Publishes an item. A request that got no response, or that the hub asks to repeat, is sent again. The hub stores
  /// the item only once, because the key is the same.
  ///
  /// - Parameters:
  ///   - key: 1 to 200 bytes, different for each item.
  ///   - pause: waits before a repetition.
  /// - Returns: the response, a JSON object: `{"id": 1042, "key": "disk", "state": "stored"}`.
  package func publish(
    _ item: JSONObject, to feed: String, key: String,
    pause: (Duration) async throws(CancellationError) -> Void
  ) async throws(Failure) -> JSONValue {
    var request = request(Self.list + "/" + feed)
    request.method = .post
    request.headers.append(HeaderField("Idempotency-Key", key))
    request.body = .bytes(Data(JSONValue.object(item).serialized().utf8), type: "application/json")
    // After a redirect, the item could be published elsewhere.
    request.followsRedirects = false
    var attempt = 1
    while true {
      do throws(Failure) {
        let answer = try await send(request)
        guard case .success(let value) = Self.json(answer.body), value.object?["state"] != nil else {
          throw .notAHub(status: answer.status)
        }
        return value
      } catch {
        guard attempt < Limits.hubPublishAttempts, let wait = error.repetition(after: attempt) else {
          throw error
        }
        do throws(CancellationError) { try await pause(wait) } catch { throw .request(.cancelled) }
        attempt += 1
      }
    }
  }

  /// Returns a request for a path of the hub, with the token and limits.
  private func request(_ path: String) -> TransportRequest {
    var request = TransportRequest(url: address + path)
    request.headers = [HeaderField("Accept", "application/json")]
    context.prepare(&request, of: source)
    request.keepsErrorBody = true
    request.responseLimit = Limits.hubRequestBytes
    return request
  }

  /// Sends a request, and throws any response that isn't a success.
  private func send(_ request: TransportRequest) async throws(Failure) -> TransportResponse {
    let answer: TransportResponse
    do throws(RequestFailure) { answer = try await transport.send(request) } catch {
      throw .request(FetchFailure(error))
    }
    if (200..<300).contains(answer.status) { return answer }
    guard let refusal = HubRefusal(answer.body) else { throw .notAHub(status: answer.status) }
    let wait = answer.retryAfter(now: context.now)?.timeIntervalSince(context.now)
    throw .refused(
      refusal, status: answer.status, wait: wait.map { .seconds(max(0, min($0, 86_400))) })
  }

  private static func json(_ bytes: Data) -> Result<JSONValue, JSONFailure> {
    Result { () throws(JSONFailure) in try JSONReader.parse(bytes) }
  }
}

extension HubClient.Failure {
  /// Returns the time to wait before the same request is sent again, or `nil` if it should not be repeated: it would be
  /// refused again, or accepted only much later.
  fileprivate func repetition(after attempt: Int) -> Duration? {
    let usual = Duration.seconds(attempt)
    switch self {
    case .request(.timedOut), .request(.cutOff), .request(.refused), .request(.unreachable): return usual
    case .refused(_, status: 429, let wait), .refused(_, status: 503, let wait):
      let wait = wait ?? usual
      return wait <= Limits.hubPublishPause ? wait : nil
    case .notAHub(status: 502...504): return usual
    case .request, .refused, .notAHub: return nil
    }
  }
}
