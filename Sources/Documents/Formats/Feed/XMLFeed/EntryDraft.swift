import Basics

/// An entry while it is read: the content of all its elements, before the best ones are chosen.
struct EntryDraft {
  /// A link, and whether it is relative to a base that is not known yet.
  struct Link {
    var address: String
    var needsBase: Bool
  }

  var guid: String?
  /// Whether the guid may be used as a link, since its attribute `isPermaLink` does not deny it.
  var isGuidLink = true
  /// Whether `isPermaLink` declares that the guid is a link.
  var isMarkedLink = false
  /// The link that the guid means if it is a relative URL.
  var guidReference: Link?
  /// The value of `rdf:about`.
  var about: String?
  var title: FeedText?
  /// The title in an element of Dublin Core, iTunes or Media RSS.
  var otherTitle: FeedText?
  var description: FeedText?
  var summary: FeedText?
  /// The summary in an element of Dublin Core or iTunes.
  var otherSummary: FeedText?
  /// The description of the first picture or recording that has one.
  var mediaSummary: FeedText?
  /// The full text: `content:encoded` of RSS, or `content` of Atom.
  var encoded: FeedText?
  /// The link in the text of a link element.
  var link: Link?
  /// The links in the attributes of link elements: to the HTML page, and to another format of it.
  var pageLink: Link?
  var otherLink: Link?
  /// `feedburner:origLink`: the page itself, if the link goes through a click counter.
  var originalLink: Link?
  /// `feedburner:origEnclosureLink`: the recording itself, if the enclosure goes through a click counter.
  var originalEnclosure: Link?
  /// RSS `comments`, or Atom's link to the replies: the page of the discussion.
  var comments: Link?
  var authors: [FeedText] = []
  /// The names in `dc:creator` and similar elements.
  var creators: [FeedText] = []
  /// The authors of the feed that the entry was taken from.
  var sourceAuthors: [FeedText] = []
  var published: FeedDate?
  var updated: FeedDate?
  var created: FeedDate?
  /// Dublin Core's `date` in RSS, where it is usually the only date: the time of publication.
  var date: FeedDate?
  var tags: [String] = []
  var language: String?
  var attachments: [ParsedEntry.Attachment] = []
  /// `itunes:duration`, an element of the entry.
  var duration: String?
  /// Whether an attachment has a relative URL whose base is not known yet.
  var needsAttachmentBase = false
  /// The index of the attachment whose element is open. A description inside this element belongs to the
  /// attachment.
  var described: Int?

  /// Returns the entry, and whether one of its links still needs a base.
  func finished() -> (entry: ParsedEntry, needsBase: Bool) {
    var entry = ParsedEntry()
    entry.id = guid ?? about
    entry.title = title?.isBlank == true ? otherTitle ?? title : title ?? otherTitle
    if encoded == nil, let description, let summary {
      let full = FeedText.fuller(description, summary)
      let short = full == description ? summary : description
      entry.setText(full: full, short: [short, otherSummary], instead: mediaSummary)
    } else {
      entry.setText(full: encoded, short: [description, summary, otherSummary], instead: mediaSummary)
    }
    let written = link ?? pageLink ?? otherLink ?? guidLink
    let link = originalLink ?? written
    entry.link = link?.address
    // An entry without an id is still identified by the link as written, which is the same everywhere.
    if entry.id == nil, originalLink != nil, let written {
      entry.id = written.address
      entry.isIDLink = true
    }
    entry.author = AuthorName.list(authors) ?? AuthorName.list(creators) ?? AuthorName.list(sourceAuthors)
    entry.setPublished(published ?? created ?? date)
    entry.setUpdated(updated)
    entry.tags = tags
    entry.language = language
    entry.attachments = attachments
    var needsBase = needsAttachmentBase || link?.needsBase == true
    if let comments, comments.address != link?.address {
      entry.comments = comments.address
      needsBase = needsBase || comments.needsBase
    }
    if let place = attachments.firstIndex(where: { $0.enclosure != nil }) {
      if let duration {
        entry.attachments[place].enclosure?.complete(with: EnclosureFacts(duration: duration))
      }
      // An entry without another id is identified by its enclosure as written.
      if let originalEnclosure, entry.id != nil || link != nil {
        entry.attachments[place].url = originalEnclosure.address
        needsBase = needsBase || originalEnclosure.needsBase
      }
    }
    return (entry, needsBase)
  }

  /// The link that the guid or `rdf:about` means, or `nil` if there is none.
  private var guidLink: Link? {
    for id in [isGuidLink ? guid : nil, about] {
      if let id, id.utf8.count <= Limits.addressBytes, LinkReference.isWebAddress(id) {
        return Link(address: id, needsBase: false)
      }
    }
    return guidReference
  }
}
