import Basics
import Formats
import Foundation
package import HTTP
import Platform
package import Sync
import Synchronization

/// A sync location at a hub: its objects have URLs below `/v1/sync`, and requests need a user's token (page "Hub",
/// Objects of machines).
///
/// Each request runs as a task, and the calling thread waits for its response. `changed` is a request with a delayed
/// response.
package final class HTTPPlace: Place {
  /// The reason why there is no token.
  package struct NoToken: Error {
    var reason: String
    package init(reason: String) { self.reason = reason }
  }

  /// The objects at the location that this connection knows.
  private struct Known {
    /// The sizes of the objects, or `nil` before the first list.
    var sizes: [ObjectName: Int]?
    /// The number of the last known change; the hub counts the changes of the objects.
    var last: Int64 = 0
  }

  private let address: String
  private let origin: Origin
  private let transport: LiveTransport
  private let token: @Sendable () async throws(NoToken) -> String
  private let words: @Sendable (RequestFailure) -> String
  private let closing: Alarm
  private let known = Mutex(Known())
  private let credential = Mutex<Credential?>(nil)

  /// - Parameters:
  ///   - address: `https://HUB`, without a path; `http` is allowed only for this machine.
  ///   - token: returns the token; called once, and again when the hub refuses the token.
  ///   - words: returns a sentence about a failure, for users.
  package init(
    address: String, _ options: LiveTransport.Options,
    token: @escaping @Sendable () async throws(NoToken) -> String,
    words: @escaping @Sendable (RequestFailure) -> String
  ) throws(PlaceFailure) {
    self.address = address
    (self.token, self.words) = (token, words)
    guard let origin = Origin(address) else {
      throw .broken(place: address, reason: "it is not a valid address")
    }
    self.origin = origin
    transport = LiveTransport(options)
    do throws(POSIXError) {
      closing = try Alarm()
    } catch {
      throw .broken(place: address, reason: String(cString: strerror(error.code.rawValue)))
    }
  }

  package func close() {
    closing.ring()
    Task { await transport.shutdown() }
  }

  // MARK: - The five methods of Place

  package func list() throws(PlaceFailure) -> [ObjectName] {
    var sizes: [ObjectName: Int] = [:]
    var (last, after): (Int64?, Int64) = (nil, 0)
    while true {
      let page = try page(after: after)
      // Changes that are made while the pages are read count as new for `changed`.
      if last == nil { last = page.last }
      for object in page.objects {
        if let name = ObjectName(path: "\(object.device)/\(object.name)") { sizes[name] = object.size }
      }
      guard sizes.count <= Limits.placeObjects else {
        throw .broken(place: address, reason: "it has more than \(Limits.placeObjects) objects")
      }
      guard page.hasMore, let next = page.objects.last?.seq, next > after else { break }
      after = next
    }
    known.withLock { $0 = Known(sizes: sizes, last: last ?? 0) }
    return Array(sizes.keys)
  }

  package func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    var request = request(for: name)
    let size = known.withLock { $0.sizes?[name] } ?? Limits.placeObjectBytes
    request.requestTimeout = Self.time(forBytes: size)
    request.responseLimit = Limits.placeObjectBytes
    let answer = try send(request)
    if answer.status == 404 { return nil }
    guard answer.status == 200 else { throw failure(answer) }
    return Array(answer.body)
  }

  package func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    guard bytes.count <= Limits.placeObjectBytes else {
      throw .broken(place: address, reason: "an object cannot have \(bytes.count) bytes")
    }
    var request = request(for: name)
    request.method = .put
    request.headers = [HeaderField("If-None-Match", "*")]
    request.body = .bytes(Data(bytes), type: "application/octet-stream")
    request.requestTimeout = Self.time(forBytes: bytes.count)
    let answer = try send(request)
    switch answer.status {
    case 200, 201: break
    case 412: return .anotherIsThere
    case _: throw failure(answer)
    }
    known.withLock { $0.sizes?[name] = bytes.count }
    return .done
  }

  package func delete(_ name: ObjectName) throws(PlaceFailure) {
    var request = request(for: name)
    request.method = .delete
    let answer = try send(request)
    guard [200, 204, 404].contains(answer.status) else { throw failure(answer) }
    known.withLock { _ = $0.sizes?.removeValue(forKey: name) }
  }

  package func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    let end = ContinuousClock.now + .seconds(max(0, seconds))
    while true {
      let before = known.withLock { $0 }
      guard let names = before.sizes?.keys else { return true }
      let left = (end - ContinuousClock.now) / .seconds(1)
      let wait = min(Int(max(0, left).rounded(.up)), Limits.hubPlaceWait)
      guard let page = try page(after: before.last, wait: wait, unlessInput: input) else { return false }
      if page.last != before.last {
        // This connection's own changes do not count as new.
        let now = Set(try list())
        guard now == Set(names) else {
          known.withLock { $0.sizes = nil }
          return true
        }
      } else {
        if ContinuousClock.now >= end { return false }
        if try rests(unlessInput: input) { return false }
      }
    }
  }

  // MARK: - Requests

  /// A page of the hub's list of objects.
  private struct Page: Decodable {
    struct Object: Decodable {
      var device: String
      var name: String
      var size: Int
      var seq: Int64
    }

    var objects: [Object]
    var last: Int64
    var hasMore: Bool

    enum CodingKeys: String, CodingKey {
      case objects, last
      case hasMore = "has_more"
    }
  }

  private func page(after: Int64) throws(PlaceFailure) -> Page {
    guard let page = try page(after: after, wait: 0, unlessInput: nil) else { throw .closed }
    return page
  }

  /// Requests a page of the objects that changed after a number. If there are none, the hub may delay its response by
  /// `wait` seconds.
  ///
  /// - Returns: `nil` if the descriptor has input before the response.
  private func page(after: Int64, wait: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Page? {
    var request = TransportRequest(
      url: "\(address)/v1/sync?after=\(after)" + (wait > 0 ? "&wait=\(wait)" : ""))
    request.requestTimeout = Limits.placeSilence + .seconds(wait)
    request.responseLimit = Limits.hubPlacePageBytes
    guard let answer = try send(request, unlessInput: input) else { return nil }
    guard answer.status == 200 else { throw failure(answer) }
    do {
      return try JSONDecoder().decode(Page.self, from: answer.body)
    } catch {
      throw .broken(place: address, reason: "the server is not a hub that stores sync objects")
    }
  }

  private func request(for name: ObjectName) -> TransportRequest {
    TransportRequest(url: "\(address)/v1/sync/\(name.path)")
  }

  /// Returns the timeout of a request: a minute, and the time that a slow line takes for the bytes.
  private static func time(forBytes bytes: Int) -> Duration {
    Limits.placeSilence + .seconds(bytes / Limits.slowestPlaceBytesPerSecond)
  }

  private func failure(_ answer: TransportResponse) -> PlaceFailure {
    let said = HubRefusal(answer.body)?.message
    let reason = String((said ?? "HTTP \(answer.status)").prefix(Limits.placeReasonCharacters))
    return switch answer.status {
    case 401, 403: .notAllowed(place: address, reason: reason)
    case 404:
      .notAllowed(
        place: address,
        reason: "its token is not for sync; create one with reddot-hub token add NAME --person NAME")
    case 507: .full(place: address)
    case _: .broken(place: address, reason: reason)
    }
  }

  private func send(_ request: TransportRequest) throws(PlaceFailure) -> TransportResponse {
    guard let answer = try send(request, unlessInput: nil) else { throw .closed }
    return answer
  }

  /// Sends a request and waits for its response.
  ///
  /// - Returns: `nil` if the descriptor has input before the response.
  private func send(
    _ request: TransportRequest, unlessInput input: Int32?
  ) throws(PlaceFailure) -> TransportResponse? {
    if closing.hasRung { throw .closed }
    let running = try RunningRequest(at: address) { () async throws(PlaceFailure) in
      try await self.answer(to: request)
    }
    switch running.wait(unless: [closing.descriptor] + (input.map { [$0] } ?? [])) {
    case .some(let answer): return try answer.get()
    case nil where closing.hasRung: throw .closed
    case nil: return nil
    }
  }

  /// Sends a request with the token. If the hub refuses the token, reads the token once more, since it may have been
  /// replaced.
  private func answer(to request: TransportRequest) async throws(PlaceFailure) -> TransportResponse {
    var request = request
    request.followsRedirects = false
    request.keepsErrorBody = true
    let isKnown = credential.withLock { $0 != nil }
    var answer = try await send(request, as: try await tokenCredential())
    if answer.status == 401, isKnown {
      credential.withLock { $0 = nil }
      answer = try await send(request, as: try await tokenCredential())
    }
    return answer
  }

  private func tokenCredential() async throws(PlaceFailure) -> Credential {
    if let known = credential.withLock({ $0 }) { return known }
    let made: Credential
    do throws(NoToken) {
      made = .bearer(try await token(), for: origin)
    } catch {
      throw .notAllowed(place: address, reason: error.reason)
    }
    credential.withLock { $0 = made }
    return made
  }

  private func send(
    _ request: TransportRequest, as credential: Credential
  ) async throws(PlaceFailure) -> TransportResponse {
    var request = request
    request.credential = credential
    do throws(RequestFailure) {
      return try await transport.send(request)
    } catch {
      throw closing.hasRung ? .closed : .broken(place: address, reason: words(error))
    }
  }

  /// Waits before the next request to a hub that responded before the requested time.
  ///
  /// - Returns: whether the descriptor has input.
  private func rests(unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    var states = [closing.descriptor, input ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = Descriptors.wait(for: &states, until: ContinuousClock.now + Limits.hubPlaceRest)
    if closing.hasRung { throw .closed }
    return states[1].revents != 0
  }
}

/// A request that runs as a task while a thread waits for its response, or for input of other descriptors.
private final class RunningRequest: Sendable {
  typealias Answer = Result<TransportResponse, PlaceFailure>

  private let done: Alarm
  private let answer = Mutex<Answer?>(nil)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(
    at address: String, _ body: @escaping @Sendable () async throws(PlaceFailure) -> TransportResponse
  ) throws(PlaceFailure) {
    do throws(POSIXError) {
      done = try Alarm()
    } catch {
      throw .broken(place: address, reason: String(cString: strerror(error.code.rawValue)))
    }
    task.withLock { task in
      task = Task {
        let answer: Answer
        do throws(PlaceFailure) { answer = .success(try await body()) } catch { answer = .failure(error) }
        self.answer.withLock { $0 = answer }
        done.ring()
      }
    }
  }

  /// Blocks the thread until the request has a response, or one of some descriptors is readable, which ends the
  /// request.
  func wait(unless descriptors: [Int32]) -> Answer? {
    var states = ([done.descriptor] + descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = Descriptors.wait(for: &states, until: nil)
    if let answer = answer.withLock({ $0 }) { return answer }
    task.withLock { $0?.cancel() }
    return nil
  }
}
