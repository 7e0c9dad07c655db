import Basics
package import Formats
package import Foundation
package import HTTP
package import Messages

/// Fetches a document by http, https or `file:`, with the response's hints for the next poll.
package struct Fetcher: Sendable {
  private let transport: any HTTPTransport

  package init(transport: any HTTPTransport) { self.transport = transport }

  /// A fetched document, with the data of its response that are needed besides the bytes.
  package struct Document: Sendable {
    package var bytes: Data
    /// The URL of the bytes, after redirects, which is the base of relative links.
    package var address: String
    package var charset: String?
    package var mediaType: String?
    /// The feeds that the `Link` headers of the response name.
    package var offeredFeeds: [FeedLink] = []
    package var validators: Validators
    package var hints: PollHints
    /// The target of permanent redirects, and the number of polls in a row that were redirected to it.
    package var movedTo: String?
    package var movedCount: Int
    /// The completeness of the document's transfer.
    package var end = BodyEnd.complete
    /// The request for the document, or `nil` if the document does not come from a response.
    package var asked: Question?
  }

  /// The data about a request that are needed to read its response.
  package struct Question: Sendable {
    /// The position before the poll.
    package var position: PollPosition
    /// The source's URL, the URL that was requested instead of it, and the URL that responded.
    package var addresses: Set<String>
    /// Whether a permanent redirect led to the response.
    package var isRedirected: Bool
  }

  /// The result of fetching a document.
  package enum Answer: Sendable {
    case document(Document)
    case notModified(PollPosition, PollHints)
    case failed(FetchFailure, PollHints)
  }

  /// Fetches the document of a source.
  ///
  /// - Parameters:
  ///   - address: a URL built from the source's URL, or `nil` for that URL itself.
  ///   - acceptsBrokenEnd: whether a document whose transfer ended wrongly is returned, with `BodyEnd.broken`.
  ///   - origin: returns the source's URL that a URL was built from. It is used to store a permanent redirect of a
  ///     built URL.
  package func fetch(
    _ source: Source, address: String? = nil, position: PollPosition, accept: String, context: PollContext,
    acceptsBrokenEnd: Bool = false, origin: (String) -> String = { $0 }
  ) async -> Answer {
    if let document = context.document { return .document(document) }
    let address = address ?? position.permanentAddress ?? source.address
    if let url = URL(string: address), url.isFileURL {
      return LocalFile(url: url, limit: source.polling.responseLimit).read(position)
    }
    var request = TransportRequest(url: address)
    request.headers = [HeaderField("Accept", accept)]
    request.etag = position.validators.etag
    request.lastModified = position.validators.lastModified
    request.acceptsBrokenEnd = acceptsBrokenEnd
    request.keepsErrorBody = true
    context.prepare(&request, of: source)
    do throws(RequestFailure) {
      var response = try await transport.send(request)
      response.permanentlyMovedTo = response.permanentlyMovedTo.map(origin)
      return answer(response, to: source, position, context)
    } catch .heldBack(let held) {
      var hints = PollHints()
      hints.heldBack = HostHold(host: held.host, until: held.until)
      return .failed(.heldBack(status: 429, host: held.host), hints)
    } catch {
      return .failed(FetchFailure(error), PollHints())
    }
  }

  /// Returns the result for a response, by its status.
  private func answer(
    _ response: TransportResponse, to source: Source, _ position: PollPosition, _ context: PollContext
  ) -> Answer {
    var hints = PollHints()
    hints.serverDate = response.serverDate(now: context.now)
    // The cache lifetime of an error page does not apply to the feed.
    if (200..<300).contains(response.status) || response.status == 304 {
      hints.minimumWait = response.freshness
      hints.minimumWaitRule = response.freshness.map { _ in .maxAge }
    }
    var moved = position
    moved.count(response.permanentlyMovedTo, after: position)
    switch response.status {
    case 304:
      guard !position.validators.isEmpty else {
        return .failed(
          .status(304, reason: "Not Modified, though the request named no version of the document"), hints)
      }
      return .notModified(moved, hints)
    case 200..<300:
      let type = ContentType(response.headers["Content-Type"])
      return .document(
        Document(
          bytes: response.body, address: Self.base(of: response),
          charset: type.charset,
          mediaType: type.mediaType,
          offeredFeeds: FeedLink.offered(by: response.headers, base: response.finalURL),
          validators: Validators(
            etag: response.headers["ETag"], lastModified: response.lastModified(now: context.now)),
          hints: hints,
          movedTo: moved.movedTo, movedCount: moved.movedCount, end: response.end,
          asked: Question(
            position: position,
            addresses: [source.address, position.permanentAddress ?? source.address, response.finalURL],
            isRedirected: response.permanentlyMovedTo != nil)))
    case 410:
      hints.isGone = true
      return .failed(.gone, hints)
    case 429, 503:
      hints.retryAfter = response.retryAfter(now: context.now)
      hints.retryAfterFrom = response.finalURL
      let failure: FetchFailure =
        hints.retryAfter == nil
        ? .status(response.status, reason: StatusReason.text(response))
        : .heldBack(status: response.status)
      return .failed(failure, hints)
    case 401, 403:
      let reason =
        Credential.withheldReason(context.credential, response) ?? StatusReason.text(response)
      return .failed(.status(response.status, reason: reason), hints)
    case let status:
      return .failed(.status(status, reason: StatusReason.text(response)), hints)
    }
  }
}

extension Credential {
  /// Returns the reason why the credential was not sent to the server that responded with 401 or 403, or `nil` if it
  /// was sent or there is none.
  static func withheldReason(_ credential: Credential?, _ response: TransportResponse) -> String? {
    guard [401, 403].contains(response.status), let credential, let origin = Origin(response.finalURL),
      origin != credential.origin
    else { return nil }
    return
      "the response is from \(origin), but the token or password is only for \(credential.origin); "
      + "if you trust the new address, set it as the source's url in the settings"
  }
}

extension Fetcher {
  /// Returns the base of relative links: an http or https `Content-Location` (RFC 3986 section 5.1), or the URL if
  /// there is none.
  fileprivate static func base(of response: TransportResponse) -> String {
    guard let location = response.headers["Content-Location"],
      let url = URL(string: location, relativeTo: URL(string: response.finalURL))?.absoluteURL,
      Origin(url.absoluteString) != nil
    else { return response.finalURL }
    return url.absoluteString
  }
}

/// A parsed `Content-Type` (RFC 9110 section 8.3).
struct ContentType {
  var mediaType: String?
  var charset: String?

  /// Parses the value of the header; a missing value has neither type nor charset.
  init(_ value: String?) {
    let parts = (value ?? "").split(onBytes: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    mediaType = parts.first.map { $0.lowercased() }
    for part in parts.dropFirst() where part.lowercased().hasPrefix("charset=") {
      charset = part.dropFirst("charset=".count).trimmingCharacters(in: CharacterSet(charactersIn: "\"' "))
    }
  }
}

/// Our own descriptions of the common statuses (RFC 9110 section 15), since a server's reason phrase is untrusted text.
package enum StatusReason {
  /// Returns the description of a response. It includes the title of a received web page if that is more specific: "No
  /// required SSL certificate was sent".
  static func text(_ response: TransportResponse) -> String {
    let text = text(response.status) + (response.status == 401 ? wanted(response) : "")
    guard let page = page(response.body) else { return text }
    let isSame = !text.isEmpty && page.contains(text)
    return (text.isEmpty ? "" : text + "; ") + "the response is " + (isSame ? "a web page" : page)
  }

  /// Describes a web page with the beginning of its title, or returns `nil` if the bytes are something else.
  static func page(_ bytes: Data) -> String? {
    let head = Data(bytes.prefix(Limits.errorBodyBytes))
    guard head.first(where: { $0 > 32 }) == UInt8(ascii: "<"),
      case .page(let title, _) = FeedReader.read(head, charset: nil, mediaType: nil, address: "")
    else { return nil }
    return name(ofPage: title)
  }

  /// Returns a description of a web page with a title, for error messages.
  package static func name(ofPage title: String?) -> String {
    let words = title?.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
    return words.isEmpty ? "a web page" : "a web page, “\(words.prefix(100))”"
  }

  /// Returns a hint about the kind of token that the server requires (RFC 9110 section 11.6.1), or an empty string.
  private static func wanted(_ response: TransportResponse) -> String {
    switch response.headers["WWW-Authenticate"]?.split(onBytes: " ").first?.lowercased() {
    case "basic", "digest":
      "; the server wants a name and a password: set user, and the password as the token"
    case "bearer": "; the server wants a token without a user"
    case _: ""
    }
  }

  /// Returns the description of a status, or an empty string if there is none.
  private static func text(_ status: Int) -> String {
    switch status {
    case 400: "Bad Request"
    case 401: "Unauthorized: a token is needed, or the given one is wrong"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 406: "Not Acceptable"
    case 407: "Proxy Authentication Required"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 400...499: "Client Error"
    case 500...599: "Server Error"
    case _: ""
    }
  }
}

extension FetchFailure {
  package init(_ failure: RequestFailure) {
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
      case .heldBack(let held): .heldBack(status: 429, host: held.host)
      case .badRedirect(let address): .badRedirect(address)
      case .insecureRedirect(let address): .insecureRedirect(address)
      case .malformed(let reason): .malformed(line: nil, reason: reason)
      case .file(let path, let reason): .file(path: path, reason: reason)
      case .proxy(let reason): .unreachable(host: "the server behind the proxy", reason: reason)
      case .unusableCredential:
        .credentials(reason: "the token has characters that are not allowed in a header")
      case .cancelled: .cancelled
      }
  }
}

extension FetchFailure.Stage {
  init(_ stage: RequestFailure.Stage) {
    self =
      switch stage {
      case .connecting: .connecting
      case .handshake: .handshake
      case .waiting: .waiting
      case .reading: .reading
      }
  }
}
