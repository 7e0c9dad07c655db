import Foundation
import Messages
import Services
import Testing

@testable import Banners
@testable import HTTP
@testable import Storage

/// Views' pages and their stored copies.
struct ViewLoaderTests {
  private struct OneAnswer: HTTPTransport {
    var response: TransportResponse
    func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
      #expect(request.credential == nil)
      return response
    }
  }

  /// A page that ended with its connection and without its end tag may be cut off: it is shown, and fetched again.
  @Test(arguments: [
    ("<html><p>a</p></html>", false, true), ("<HTML><p>a</p></HTML >\n<!-- 3 ms -->", false, true),
    ("<html><p>a</p", false, false), ("<html><p>a</p", true, false), ("<p>a</p>", true, true),
    ("<p>a</p>", false, false), ("", false, false),
  ])
  func aPageThatWasCutKeepsNoValidators(html: String, isLengthKnown: Bool, isKept: Bool) async throws {
    let store = try Store.inMemory(now: BannerStageHarness.now)
    let address = "http://ann:secret@team.example/view.html"
    var response = TransportResponse(
      status: 200, headers: ["ETag": "\"1\"", "Content-Type": "text/html"], body: Data(html.utf8),
      finalURL: "http://team.example/view.html")
    response.end = isLengthKnown ? .complete : .unmarked
    let loader = ViewLoader(
      fetcher: Fetcher(transport: OneAnswer(response: response)), store: store,
      now: { BannerStageHarness.now })
    let page = try await loader.load(address).get()
    #expect(page.html == html)
    #expect(try store.documents.find(at: address)?.validators.etag == (isKept ? "\"1\"" : nil))
  }
}
