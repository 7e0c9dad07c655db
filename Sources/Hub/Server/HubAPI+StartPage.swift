import Formats
import Foundation
import HTTPTypes

extension HubAPI {
  /// Returns the page for users who open the hub's URL in a browser. It contains no message, no script and no form.
  func startPage() -> Answer {
    let health = watch.isStopping ? "stopping" : watch.isStoreAway ? "the store is away" : "ok"
    let open = watch.feeds.filter(\.isPublic)
    let links = open.map { feed in
      "<li><a href=\"/v1/feeds/\(feed.name).atom\">\(XMLText.escaped(feed.title))</a></li>"
    }
    let heads = open.map { feed in
      "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"\(XMLText.escaped(feed.title))\""
        + " href=\"/v1/feeds/\(feed.name).atom\">"
    }
    let list = links.isEmpty ? "" : "<ul>\n\(links.joined(separator: "\n"))\n</ul>\n"
    let page = """
      <!DOCTYPE html>
      <html lang="en">
      <meta charset="utf-8">
      <title>reddot-hub</title>
      \(heads.joined(separator: "\n"))
      <h1>reddot-hub</h1>
      <p>Version \(XMLText.escaped(options.version)). Health: \(health).</p>
      \(list)</html>

      """
    return Answer(
      content: .text(page), type: "text/html; charset=utf-8",
      fields: [
        (.cacheControl, "no-cache"), (.xContentTypeOptions, "nosniff"),
        (.contentSecurityPolicy, "default-src 'none'"),
      ])
  }
}
