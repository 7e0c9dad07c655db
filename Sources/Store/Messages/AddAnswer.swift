/// The result of adding a URL.
package enum AddAnswer: Hashable, Sendable {
  /// The source was added; `name` is its key in the settings.
  case added(name: String, title: String)
  case alreadyThere(name: String, title: String)
  /// The URL is a page that offers several feeds.
  case choices([FeedChoice])
  /// The URL belongs to a service, for which the user must fill in these fields.
  case asks(SourceFields)
  /// The feeds of an OPML file were imported; `known` is the number of feeds that were already sources.
  case imported(added: Int, known: Int)
  case failed(FetchFailure)
  /// The settings could not be changed.
  case refused(reason: String)
}

/// A feed that a page offers.
package struct FeedChoice: Hashable, Sendable {
  /// The title on the page; may be empty.
  package var title: String
  package var url: String

  package init(title: String, url: String) {
    self.title = title
    self.url = url
  }
}
