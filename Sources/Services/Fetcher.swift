package import Foundation
package import Messages
package import Transport

/// A document by http, https or `file:`, with what its answer says about the next poll.
package struct Fetcher: Sendable {
  private let transport: any HTTPTransport

  package init(transport: any HTTPTransport) { self.transport = transport }

  package struct Document: Sendable {
    package var bytes: Data
    /// Where the bytes came from, after redirects.
    package var address: String
    package var charset: String?
    package var mediaType: String?
    package var validators: Validators
    package var hints: PollHints
    package var movedTo: String?
    package var movedCount: Int
  }

  package enum Answer: Sendable {
    case document(Document)
    case notModified(PollPosition, PollHints)
    case failed(FetchFailure, PollHints)
  }

  /// - Parameter address: the source's own, or one that was built from it.
  package func fetch(
    _ source: Source, address: String? = nil, position: PollPosition, accept: String, context: PollContext
  ) async -> Answer {
    let address = address ?? position.permanentAddress ?? source.address
    if let url = URL(string: address), url.isFileURL {
      return LocalFile(url: url, limit: source.polling.responseLimit).read(position)
    }
    var request = TransportRequest(url: address)
    request.headers = [HeaderField("Accept", accept)]
    request.etag = position.validators.etag
    request.lastModified = position.validators.lastModified
    request.credential = context.credential
    request.requestTimeout = source.polling.requestTimeout
    request.responseLimit = source.polling.responseLimit
    do throws(TransportFailure) {
      return answer(try await transport.send(request), position, context)
    } catch {
      return .failed(FetchFailure(error), PollHints())
    }
  }

  private func answer(_ response: TransportResponse, _ position: PollPosition, _ context: PollContext)
    -> Answer
  {
    var hints = PollHints()
    hints.minimumWait = response.freshness
    hints.minimumWaitRule = response.freshness.map { _ in .maxAge }
    hints.movedPermanentlyTo = response.permanentlyMovedTo
    var moved = position
    if let address = response.permanentlyMovedTo {
      moved.movedCount = address == position.movedTo ? position.movedCount + 1 : 1
      moved.movedTo = address
    } else if position.permanentAddress == nil {
      // The redirect was not there this time: the row is broken.
      moved.movedTo = nil
      moved.movedCount = 0
    }
    switch response.status {
    case 304: return .notModified(moved, hints)
    case 200..<300:
      let type = ContentType(response.headers["Content-Type"])
      return .document(
        Document(
          bytes: response.body,
          address: response.headers["Content-Location"].flatMap {
            URL(string: $0, relativeTo: URL(string: response.finalURL))?.absoluteString
          } ?? response.finalURL, charset: type.charset, mediaType: type.mediaType,
          validators: Validators(
            etag: response.headers["ETag"], lastModified: response.headers["Last-Modified"]), hints: hints,
          movedTo: moved.movedTo, movedCount: moved.movedCount))
    case 410:
      hints.isGone = true
      return .failed(.gone, hints)
    case 429, 503:
      hints.retryAfter = response.retryAfter(now: context.now)
      let failure: FetchFailure =
        hints.retryAfter == nil
        ? .status(response.status, reason: StatusReason.words(response.status))
        : .heldBack(status: response.status)
      return .failed(failure, hints)
    case let status: return .failed(.status(status, reason: StatusReason.words(status)), hints)
    }
  }
}

/// A `Content-Type` taken apart (RFC 9110 section 8.3).
struct ContentType {
  var mediaType: String?
  var charset: String?

  init(_ value: String?) {
    let parts = (value ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    mediaType = parts.first.map { $0.lowercased() }
    for part in parts.dropFirst() where part.lowercased().hasPrefix("charset=") {
      charset = part.dropFirst("charset=".count).trimmingCharacters(in: CharacterSet(charactersIn: "\"' "))
    }
  }
}

/// Our own words for the usual statuses: a server's reason phrase is hostile text (RFC 9110 section 15).
enum StatusReason {
  static func words(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized: a token is needed, or the one given is not right"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case _: ""
    }
  }
}

extension FetchFailure {
  package init(_ failure: TransportFailure) {
    self =
      switch failure {
      case .invalidAddress(let address): .invalidAddress(address)
      case .nameNotFound(let host): .nameNotFound(host: host)
      case .refused(let host, let port): .refused(host: host, port: port)
      case .unreachable(let host, let reason): .unreachable(host: host, reason: reason)
      case .timedOut(let stage, let seconds): .timedOut(Stage(stage), seconds: seconds)
      case .tls(let host, let reason): .tls(host: host, reason: reason)
      case .tooLarge(let limit): .tooLarge(limit: limit)
      case .cutOff(let received): .cutOff(received: received)
      case .redirectLoop(let limit): .redirectLoop(limit: limit)
      case .badRedirect(let address): .badRedirect(address)
      case .malformed(let reason): .malformed(line: nil, reason: reason)
      case .proxy(let reason): .unreachable(host: "the proxy", reason: reason)
      case .unusableCredential: .credentials(reason: "the token holds characters that no header may carry")
      case .cancelled: .cancelled
      }
  }
}

extension FetchFailure.Stage {
  init(_ stage: TransportStage) {
    self =
      switch stage {
      case .connecting: .connecting
      case .handshake: .handshake
      case .waiting: .waiting
      case .reading: .reading
      }
  }
}
