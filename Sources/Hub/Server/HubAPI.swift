import Basics
import Formats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Messages
import NIOCore

/// Responds to requests at the URLs of a hub (page "Hub").
struct HubAPI: HTTPResponder {
  let store: any HubStoring
  let options: HubOptions
  let watch: FeedWatch
  let tokens: TokenCache
  let rates: RateLimits
  /// The memory for all bodies that are being received, except those of objects.
  let room = BodyRoom(bytes: Limits.hubBodiesBytes)
  /// The memory for all objects of machines that are being received.
  let objectRoom = BodyRoom(bytes: 4 * Limits.hubObjectBytes)
  let waitedPage = WaitedPage()
  let metrics: HubMetrics
  let now: @Sendable () -> Date
  let random: @Sendable () -> UInt64
  let log: @Sendable (HubLogLine) -> Void

  /// A response, before it is converted to the form of the HTTP library.
  struct Answer {
    enum Content {
      case text(String)
      case bytes(Data)
    }

    var status = 200
    var content: Content
    var type = "application/json"
    var fields: [(name: HTTPField.Name, value: String)] = []
  }

  func respond(to request: Request, context: HubContext) async throws -> Response {
    let start = ContinuousClock.now
    var line = HubLogLine(time: now(), method: request.method.rawValue, number: random())
    line.address = AddressRange.client(
      peer: context.peer, forwarded: HTTPField.Name("X-Forwarded-For").flatMap { request.headers[$0] },
      trusted: options.trustedProxies)
    var answer: Answer
    do throws(HubFailure) {
      answer = try await self.answer(HubRequest(request, address: line.address), &line)
    } catch {
      line.code = error.code.rawValue
      answer = Self.answer(error)
    }
    if let name = HTTPField.Name("X-Request-Id") { answer.fields.append((name, line.id)) }
    line.status = answer.status
    line.duration = ContinuousClock.now - start
    log(line)
    metrics.count(line)
    return Self.response(answer, isHead: request.method == .head)
  }

  private static func response(_ answer: Answer, isHead: Bool) -> Response {
    var headers = HTTPFields()
    headers[.contentType] = answer.type
    for (name, value) in answer.fields { headers[name] = value }
    let body: ByteBuffer =
      switch answer.content {
      case _ where answer.status == 304: ByteBuffer()
      case .text(let text): ByteBuffer(string: text)
      case .bytes(let bytes): ByteBuffer(bytes: bytes)
      }
    let response = Response(
      status: HTTPResponse.Status(code: answer.status), headers: headers,
      body: ResponseBody(byteBuffer: body))
    return isHead ? response.createHeadResponse() : response
  }

  private static func answer(_ failure: HubFailure) -> Answer {
    var answer = Answer(status: failure.code.status, content: .text(failure.json))
    answer.fields = [(.cacheControl, "no-store")]
    if let seconds = failure.retryAfter { answer.fields.append((.retryAfter, "\(seconds)")) }
    if failure.code.status == 401 {
      answer.fields.append((.wwwAuthenticate, "Bearer, Basic realm=\"reddot-hub\", charset=\"UTF-8\""))
    }
    if !failure.allowed.isEmpty {
      answer.fields.append((.allow, failure.allowed.joined(separator: ", ")))
    }
    return answer
  }

  func health() -> Answer {
    var answer = Answer(
      content: .text("ok\n"), type: "text/plain; charset=utf-8", fields: [(.cacheControl, "no-store")])
    if watch.isStopping || watch.isStoreAway {
      answer.status = 503
      answer.content = .text(watch.isStopping ? "stopping\n" : "store away\n")
    }
    return answer
  }

  // MARK: Rights

  /// Returns the caller, or `nil` without a token. Throws `badToken` for a wrong one, and `slowDown`. A token that is
  /// allowed in a URL has no other rights.
  func caller(
    of request: HubRequest, _ route: HubRoute, _ line: inout HubLogLine
  ) async throws(HubFailure) -> HubAccess? {
    let (address, time) = (request.address ?? "", now())
    let kind: RateLimits.Kind = request.method == "GET" ? .read : .publish
    let link = route.row.allowsLink && request.token == nil ? request.value("token") : nil
    guard let token = request.token ?? link else {
      try spend(kind, address, time)
      return nil
    }
    do throws(HubFailure) {
      let access = try await tokens.access(token, now: time)
      guard access.isLink ? route.row.allowsLink : link == nil else { throw .badToken }
      line.token = access.number
      try spend(kind, "token \(access.number)", time)
      return access
    } catch  where error.code == .badToken {
      try spend(.failedTokens, address, time)
      throw error
    }
  }

  /// Counts a request, and throws `slowDown` if its token or address sends too many.
  func spend(_ kind: RateLimits.Kind, _ who: String, _ time: Date) throws(HubFailure) {
    if let seconds = rates.spend(kind, who, now: time) { throw .slowDown(seconds: seconds) }
  }

  /// Returns the feed if the caller may read it. A missing feed and one that the caller may not read cause the same
  /// failure.
  func readable(_ name: FeedName, for caller: HubAccess?) throws(HubFailure) -> HubFeed {
    let feed = watch.feed(name)
    if let feed, feed.isPublic || caller?.reads.contains(name) == true { return feed }
    throw caller == nil ? .noToken : .notFound
  }

  /// Returns the caller if it may publish to a feed.
  func publisher(_ caller: HubAccess?, to name: FeedName) throws(HubFailure) -> HubAccess {
    guard let caller else { throw .noToken }
    guard caller.publishes.contains(name) else { throw .notFound }
    if watch.isStopping { throw .stopping }
    return caller
  }
}
