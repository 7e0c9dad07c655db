/// The result of adding an address.
package enum AddAnswer: Hashable, Sendable {
  /// `name` is its key in the settings.
  case added(name: String, title: String)
  case alreadyThere(name: String, title: String)
  /// A page that offers several feeds.
  case choices([FeedChoice])
  /// A service, which needs more.
  case asks(SourceFields)
  /// The feeds of an OPML file.
  case imported(added: Int, known: Int)
  case failed(FetchFailure)
  /// The settings could not be changed.
  case refused(reason: String)
}

/// A feed that a page offers.
package struct FeedChoice: Hashable, Sendable {
  /// Its title on the page; may be empty.
  package var title: String
  package var url: String

  package init(title: String, url: String) {
    self.title = title
    self.url = url
  }
}
