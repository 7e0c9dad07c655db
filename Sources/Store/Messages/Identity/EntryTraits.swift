/// The parts of an entry that its document left out, or wrote less precisely than a message stores them.
///
/// They help to identify an entry, and are not stored with it.
package struct EntryTraits: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The document gave no id: the remote id is the link, the URL of an enclosure, or made of the entry's words.
  package static let lacksID = EntryTraits(rawValue: 1)
  /// The document gave no title: the title is the beginning of the body.
  package static let lacksTitle = EntryTraits(rawValue: 2)
  /// The document gave no date of publication: `published` is the date of the last update.
  package static let lacksPublished = EntryTraits(rawValue: 4)
  /// `published` was written without a time of day, or as 00:00:00.
  package static let isPublishedDay = EntryTraits(rawValue: 8)
  /// `updated` was written without a time of day, or as 00:00:00.
  package static let isUpdatedDay = EntryTraits(rawValue: 16)
}
