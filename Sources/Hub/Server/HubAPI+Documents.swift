import Basics
import Formats
import Foundation
import HTTPTypes
import HummingbirdCore

extension HubAPI {
  /// Returns a document, for callers who may read its feed.
  func document(
    _ request: HubRequest, _ path: DocumentPath, of name: FeedName, for caller: HubAccess?
  ) async throws(HubFailure) -> Answer {
    let feed = try readable(name, for: caller)
    // Conditional requests usually have the current document, so its bytes aren't read then.
    if request.request.headers[.ifNoneMatch] != nil || request.request.headers[.ifModifiedSince] != nil {
      guard let head = try await store.documentHead(path, of: name) else { throw .notFound }
      if isKnown(head, to: request) {
        return Answer(
          status: 304, content: .text(""), type: head.type.contentType, fields: Self.fields(head, feed))
      }
    }
    guard let document = try await store.document(path, of: name) else { throw .notFound }
    return Answer(
      content: .bytes(document.body), type: document.head.type.contentType,
      fields: Self.fields(document.head, feed))
  }

  /// Returns the header fields of a response with a document.
  private static func fields(_ head: HubDocument.Head, _ feed: HubFeed) -> [(HTTPField.Name, String)] {
    [(.eTag, tag(head.hash)), (.lastModified, HTTPDate.text(head.modified))] + caching(feed)
      + [(.xContentTypeOptions, "nosniff"), (.contentSecurityPolicy, "sandbox")]
  }

  /// Whether the caller already has this state of the document (RFC 9110, section 13.2.2). If the request
  /// contains an entity tag, only the tag decides. Otherwise the date decides, even if it comes from the
  /// reader's clock.
  private func isKnown(_ head: HubDocument.Head, to request: HubRequest) -> Bool {
    if let known = request.request.headers[.ifNoneMatch] { return Self.has(Self.tag(head.hash), in: known) }
    guard let date = request.request.headers[.ifModifiedSince].flatMap({ HTTPDate.parse($0, now: now()) })
    else { return false }
    // HTTP has only whole seconds.
    return head.modified.timeIntervalSince1970.rounded(.down) <= date.timeIntervalSince1970
  }

  /// Stores a document, for callers who may publish to its feed.
  func putDocument(
    _ request: HubRequest, _ path: DocumentPath, of name: FeedName, by caller: HubAccess?
  ) async throws(HubFailure) -> Answer {
    let publisher = try publisher(caller, to: name)
    guard request.header("Content-Encoding") == nil,
      let type = DocumentType(contentType: request.request.headers[.contentType] ?? "")
    else {
      let types = DocumentType.allCases.map(\.rawValue).joined(separator: ", ")
      throw HubFailure(.wrongType, "a document is one of \(types), and not packed")
    }
    let bytes = try await request.body(limit: Limits.hubDocumentBytes, in: room)
    try type.judge(bytes)
    let document = HubDocument(path: path, type: type, body: bytes, modified: now())
    let state = try await store.put(
      document, into: name, token: publisher.number, address: request.address)
    let object = JSONObject([
      .init(key: "path", value: .string(path.text)), .init(key: "state", value: .string(state.rawValue)),
      .init(key: "url", value: .string("\(options.address)/d/\(name)/\(Self.encoded(path))")),
    ])
    return Answer(
      status: state == .stored ? 201 : 200, content: .text(JSONValue.object(object).serialized()),
      fields: [(.cacheControl, "no-store")])
  }

  /// Removes a document, for callers who may publish to its feed.
  func removeDocument(
    _ request: HubRequest, _ path: DocumentPath, of name: FeedName, by caller: HubAccess?
  ) async throws(HubFailure) -> Answer {
    let publisher = try publisher(caller, to: name)
    try await store.removeDocument(
      path, of: name, token: publisher.number, address: request.address, now: now())
    let object = JSONObject([
      .init(key: "path", value: .string(path.text)), .init(key: "state", value: .string("removed")),
    ])
    return Answer(
      content: .text(JSONValue.object(object).serialized()), fields: [(.cacheControl, "no-store")])
  }

  /// Returns the path percent-encoded for a URL.
  private static func encoded(_ path: DocumentPath) -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: ";")
    return path.text.addingPercentEncoding(withAllowedCharacters: allowed) ?? path.text
  }
}
