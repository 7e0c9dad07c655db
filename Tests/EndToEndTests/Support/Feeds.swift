import Foundation

/// An RSS 2.0 document, newest item first as feeds are.
func rss(_ title: String, _ items: [String]) -> String {
  """
  <?xml version="1.0" encoding="UTF-8"?>
  <rss version="2.0"><channel><title>\(title)</title><link>https://team.example/</link>
  \(items.joined(separator: "\n"))
  </channel></rss>
  """
}

/// An item whose guid is its number and which was published so many minutes after midnight of 20 November 2026.
///
/// - Parameter site: two messages with one link are one.
func item(
  _ number: Int, _ title: String, minute: Int? = nil, site: String = "team", more: String = ""
) -> String {
  let minute = minute ?? number
  let hours = "0\(minute / 60 % 24)".suffix(2)
  let minutes = "0\(minute % 60)".suffix(2)
  return "<item><guid isPermaLink=\"false\">\(number)</guid><title>\(title)</title>"
    + "<link>https://\(site).example/\(number)</link>"
    + "<pubDate>Fri, 20 Nov 2026 \(hours):\(minutes):00 GMT</pubDate>\(more)</item>"
}

/// The native feed's answer, oldest first.
func native(_ title: String, _ items: [[String: Any]]) throws -> Data {
  try JSONSerialization.data(withJSONObject: ["title": title, "list": items])
}
