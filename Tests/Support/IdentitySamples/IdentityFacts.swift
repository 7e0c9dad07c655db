import Foundation

/// The parts of an entry that are compared. They are kept even after a message was pruned.
final class IdentityFacts: Hashable {
  enum Kind { case own, page, link, made }

  let words: IdentityWords
  let own, url, title, text: ExactText?
  let link, page: ExactText?
  /// The title without case.
  let fold: ExactText?
  let moment, day: ExactText?
  /// The moment, or the day.
  let when: ExactText?
  /// The date that distinguishes two messages: the date of publication, never that of an edit.
  let published: ExactText?
  let start: ExactText
  let id: ExactText
  let kind: Kind
  /// The id, if it is unique worldwide.
  let wide: ExactText?
  /// The unchanged title, link, dates and text.
  let content: [ExactText?]

  init(_ entry: IdentityEntry, mutant: IdentityMutant? = nil) {
    words = IdentityWords(mutant: mutant)
    own = words.field(entry.id)
    url = words.field(entry.link)
    title = words.words(words.field(entry.title)?.text)
    text = words.words(words.field(entry.text)?.text)
    link = words.linkKey(url)
    page = words.pageName(url)
    fold = mutant == .caseDiffers ? title : title.map { ExactText($0.text.lowercased()) }
    let (publication, edit) = (words.field(entry.published), words.field(entry.updated))
    (moment, day) = words.time(of: publication ?? edit)
    when = moment ?? day
    published = publication != nil || mutant == .editDateTellsApart ? when : nil
    start = words.beginning(text)

    // The publisher's id, or the link, or an id derived from the words.
    let last: String? =
      switch mutant {
      case .madeWithoutDay: nil
      case .madeWithText: "\(when?.text ?? "")|\(text?.text ?? "")"
      default: (when ?? text)?.text
      }
    id = own ?? url ?? ExactText("made:\(title?.text ?? ""):\(last ?? "")")
    kind = own != nil ? (own == url ? .page : .own) : url != nil ? .link : .made
    let isName = own.map { $0.text.hasPrefix("tag:") || $0.text.hasPrefix("urn:") } ?? false
    wide = isName && mutant != .urnsAreOfTheirSource ? own : words.linkKey(own)
    // A reader uses the date of the edit if one of publication is missing.
    content = [title, url, Self.instant(publication ?? edit), Self.instant(edit), text]
  }

  /// Returns a date as a reader understands it: a day equals its midnight in UTC.
  private static func instant(_ date: ExactText?) -> ExactText? {
    let midnight = "T00:00:00Z"
    return date.map { $0.text.hasSuffix(midnight) ? ExactText(String($0.text.dropLast(midnight.count))) : $0 }
  }

  static func == (one: IdentityFacts, other: IdentityFacts) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  struct Pair: Hashable {
    var kind: Int
    var one, other: ExactText
  }

  /// The pairs of facts by which a message with another id is found.
  var pairs: [Pair] {
    [(fold, moment), (fold, text), (fold, link), (fold, page), (text, moment)].enumerated().compactMap {
      kind, pair in
      guard let one = pair.0, let other = pair.1 else { return nil }
      return Pair(kind: kind, one: one, other: other)
    }
  }

  /// The keys by which other sources find the message.
  var names: Set<ExactText> { Set([link, wide].compactMap(\.self)) }
}

/// A missing fact agrees with nothing, and contradicts nothing.
func agree(_ one: ExactText?, _ other: ExactText?) -> Bool { one != nil && one == other }
func oppose(_ one: ExactText?, _ other: ExactText?) -> Bool { one != nil && other != nil && one != other }

final class IdentityMessage: Hashable {
  var facts: IdentityFacts
  let source: String
  let number: Int
  /// The position among its duplicates: a pruned message that came again is after all others.
  var order: Int
  var id: ExactText
  /// The former id, which another message has now.
  var formerID: ExactText?
  /// The original in another source that this message duplicates.
  var first: IdentityMessage?
  var isRead = false
  /// Whether the message was not pruned.
  var isKept = true

  init(_ facts: IdentityFacts, source: String, number: Int) {
    self.facts = facts
    self.source = source
    self.number = number
    order = number
    id = facts.id
  }

  static func == (one: IdentityMessage, other: IdentityMessage) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

final class IdentitySource {
  var messages: [IdentityMessage] = []
  /// The time at which the last document with entries was read.
  var polled: ExactText?
  /// The ids that came for different entries.
  var doubted: Set<ExactText> = []
  /// Whether a document had two entries with different ids.
  var tellsApart = false
  /// Whether two messages had one title and one page, or one title and no page.
  var recurs = false
  /// Whether an id came again in a later document.
  var isSteady = false
}
