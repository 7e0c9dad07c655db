import Basics
import Formats
import Foundation
import HTTP
import Messages
import Services
import Storage

/// Fetches the HTML of views, conditionally if a copy is stored. If the request fails, the stored copy is used.
struct ViewLoader: Sendable {
  var fetcher: Fetcher
  var store: Store
  var now: @Sendable () -> Date

  /// The reason why a view has no page.
  enum Failure: Error, Hashable, Sendable {
    case fetch(FetchFailure)
    case storage(StoreFailure)
  }

  /// The HTML of a view.
  struct Page: Sendable {
    var html: String
    /// The address, which is the base of relative links.
    var base: String
  }

  /// Loads the page of a view. It is requested without the source's token, because it may be on any server.
  func load(_ address: String) async -> Result<Page, Failure> {
    do throws(StoreFailure) {
      let copy = try await store.inBackground { store throws(StoreFailure) in
        try store.documents.find(at: address)
      }
      var source = Source(id: SourceID(0), name: "", kind: .banners, address: address)
      source.polling.responseLimit = Limits.viewBytes
      let answer = await fetcher.fetch(
        source, position: PollPosition(validators: copy?.validators ?? Validators()),
        accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1", context: PollContext(now: now()))
      switch answer {
      case .document(let document):
        guard Self.isPage(document.mediaType) else {
          return kept(
            copy, address, instead: .malformed(line: nil, reason: "\(document.mediaType ?? "") is not HTML"))
        }
        let html = HTMLBytes.text(document.bytes, charset: document.charset)
        // The page is stored as UTF-8 with a byte order mark, because the header with the charset isn't stored.
        let isWhole = Self.isWhole(html, endedWith: document.end)
        let fresh = StoredDocument(
          bytes: Data("\u{FEFF}\(html)".utf8), validators: isWhole ? document.validators : Validators())
        try await store.inBackground { store throws(StoreFailure) in
          try store.documents.keep(fresh, at: address)
        }
        return .success(Page(html: html, base: document.address))
      case .notModified:
        return kept(
          copy, address, instead: .malformed(line: nil, reason: "304 to a request without validators"))
      case .failed(let failure, _): return kept(copy, address, instead: failure)
      }
    } catch {
      return .failure(.storage(error))
    }
  }

  /// Returns the stored copy of a view's page after a failed request, or the failure if no copy is stored.
  private func kept(
    _ copy: StoredDocument?, _ address: String, instead failure: FetchFailure
  ) -> Result<Page, Failure> {
    guard let copy else { return .failure(.fetch(failure)) }
    return .success(Page(html: HTMLBytes.text(copy.bytes, charset: nil), base: address))
  }

  /// Whether the page seems to be complete. A page that was cut off is fetched again next time.
  static func isWhole(_ html: String, endedWith end: BodyEnd) -> Bool {
    if html.range(of: "</html", options: [.caseInsensitive, .backwards]) != nil { return true }
    return end == .complete && html.range(of: "<html", options: .caseInsensitive) == nil
  }

  /// Whether a media type may be that of a page. A missing media type is accepted.
  private static func isPage(_ mediaType: String?) -> Bool {
    guard let mediaType, !mediaType.isEmpty else { return true }
    return ["text/html", "application/xhtml+xml", "text/plain"].contains(mediaType)
  }
}
