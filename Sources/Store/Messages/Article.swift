package import Foundation

/// The article of the web page that a message links to, as it was fetched.
package struct Article: Hashable, Sendable {
  /// The headline, or `nil` if the page has none.
  package var title: String?
  /// A fragment of HTML, without the headline.
  package var html: String
  /// The page's URL after redirects, which is the base of relative links.
  package var address: String
  package var fetched: Date

  package init(title: String?, html: String, address: String, fetched: Date) {
    self.title = title
    self.html = html
    self.address = address
    self.fetched = fetched
  }
}
