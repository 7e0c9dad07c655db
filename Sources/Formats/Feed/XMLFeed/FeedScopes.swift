import Foundation
import Limits

// The roles of a feed's elements, and the fields that their text is stored in.
extension FeedAssembly {
  mutating func role(_ meaning: FeedNames.Meaning, _ attributes: XMLAttributes) -> Role {
    let element = meaning.element
    switch stack.last?.role ?? .outside {
    case .feed, .entry, .transparent, .media: return scoped(meaning, attributes)
    case .outside, .ignored:
      return element == .item && !isInEntry ? startEntry(attributes) : .ignored
    case .person: return element == .name || element == .email ? startCapture(element, .plain) : .ignored
    case .skipHours: return element == .hour ? startCapture(element, .plain) : .ignored
    case .skipDays: return element == .day ? startCapture(element, .plain) : .ignored
    case .captured, .inline, .silentInline: return .ignored
    }
  }

  mutating func scoped(_ meaning: FeedNames.Meaning, _ attributes: XMLAttributes) -> Role {
    let element = meaning.element
    switch element {
    case .unknown, .rss, .rdf, .feed, .name, .email, .hour, .day: return .ignored
    case .channel:
      if let language = attributes.language { feed.language = language }
      return isInEntry ? .ignored : .feed
    case .item: return isInEntry ? .ignored : startEntry(attributes)
    case .title, .otherTitle: return startCapture(element, textForm(meaning, attributes, .rssTitle))
    case .description, .subtitle, .summary, .otherSummary:
      return startCapture(element, textForm(meaning, attributes, .rssBody))
    case .content:
      if let source = attributes.text("src"), isInEntry, draft.otherLink == nil {
        draft.otherLink = link(source)
      }
      return startCapture(element, textForm(meaning, attributes, .rssBody))
    case .link:
      readLink(attributes)
      return startCapture(element, .plain)
    case .guid:
      draft.isGuidLink = !["false", "0", "no"].contains(attributes.text("isPermaLink")?.lowercased() ?? "")
      return startCapture(element, .plain)
    case .category:
      if let label = attributes.text("label") ?? attributes.text("term") { addTag(label) }
      return startCapture(element, .plain)
    case .id, .creator, .published, .updated, .created, .duration, .language, .timeToLive:
      return startCapture(element, .plain)
    case .author:
      person = Person()
      return .person
    case .enclosure: attach(attributes, isEnclosure: true)
    case .image: attach(attributes)
    case .mediaContent:
      let isPicture = EnclosureFacts.isPicture(
        medium: attributes.text("medium"), type: attributes.text("type"), url: attributes.text("url") ?? "")
      draft.described = attach(attributes, isEnclosure: !isPicture)
      return .media
    case .mediaDescription: return startCapture(element, mediaForm(type: attributes.text("type")))
    case .mediaThumbnail: attach(attributes)
    case .mediaGroup: return .transparent
    case .skipHours: return isInEntry ? .ignored : .skipHours
    case .skipDays: return isInEntry ? .ignored : .skipDays
    }
    return .ignored
  }

  func textForm(
    _ meaning: FeedNames.Meaning, _ attributes: XMLAttributes, _ other: TextCapture.Form
  ) -> TextCapture.Form {
    guard meaning.isAtom else { return other }
    return AtomText.form(type: attributes.text("type"), mode: attributes.text("mode"))
  }

  /// Media RSS: plain text, unless its type says otherwise or it is clearly markup.
  private func mediaForm(type: String?) -> TextCapture.Form {
    switch type?.lowercased() {
    case "html": .html
    case "plain": .plain
    default: .rssTitle
    }
  }

  mutating func startEntry(_ attributes: XMLAttributes) -> Role {
    draft = EntryDraft()
    draft.about = attributes.text("about", prefix: "rdf").flatMap { $0.isEmpty ? nil : $0 }
    draft.language = attributes.language
    isInEntry = true
    allowance.spend(Limits.itemBytes)
    return .entry
  }

  mutating func startCapture(_ element: FeedElement, _ form: TextCapture.Form) -> Role {
    capture.begin(element, form, level: stack.count, base: bases.last)
    isCapturing = true
    return .captured
  }

  // MARK: - Links

  /// nil if it is too long for an address.
  func link(_ address: String) -> EntryDraft.Link? {
    guard address.utf8.count <= Limits.addressBytes else { return nil }
    let isAbsolute = LinkReference.hasScheme(String(address.trimmingXMLSpace))
    guard isAbsolute || !bases.isEmpty else { return EntryDraft.Link(address: address, needsBase: true) }
    return resolved(address, against: isAbsolute ? nil : bases.last).map {
      EntryDraft.Link(address: $0, needsBase: false)
    }
  }

  mutating func readLink(_ attributes: XMLAttributes) {
    guard attributes.count > 0, let address = attributes.text("href"), !address.trimmingXMLSpace.isEmpty
    else { return }
    switch AtomLink(rel: attributes.text("rel"), type: attributes.text("type")) {
    case .page:
      if isInEntry {
        draft.pageLink = draft.pageLink ?? link(address)
      } else {
        feedParts.pageLink = feedParts.pageLink ?? link(address)
      }
    case .otherForm:
      if isInEntry {
        draft.otherLink = draft.otherLink ?? link(address)
      } else {
        feedParts.otherLink = feedParts.otherLink ?? link(address)
      }
    case .enclosure: attach(attributes, isEnclosure: true)
    case .unrelated: break
    }
  }

  /// - Returns: the index of the attachment, if it is one.
  @discardableResult
  mutating func attach(_ attributes: XMLAttributes, isEnclosure: Bool = false) -> Int? {
    guard isInEntry, let address = attributes.text("url") ?? attributes.text("href"),
      !address.trimmingXMLSpace.isEmpty, let link = link(address)
    else { return nil }
    let facts = isEnclosure ? EnclosureFacts(attributes) : nil
    if let known = draft.attachments.firstIndex(where: { $0.url == link.address }) {
      if let facts { draft.attachments[known].enclosure?.complete(with: facts) }
      if draft.attachments[known].enclosure == nil { draft.attachments[known].enclosure = facts }
      return known
    }
    guard draft.attachments.count < Limits.actions else { return nil }
    if link.needsBase { draft.needsAttachmentBase = true }
    draft.attachments.append(
      ParsedEntry.Attachment(
        label: AttachmentLabel.of(
          link.address, title: attributes.text("title"), type: attributes.text("type")),
        url: link.address, enclosure: facts))
    return draft.attachments.count - 1
  }

  /// The description of a picture becomes the label of its link; if the entry has no other text, also its text.
  private mutating func useMediaDescription() {
    guard let text = capture.text else { return }
    draft.mediaSummary = draft.mediaSummary ?? text
    guard let place = draft.described else { return }
    let name = AuthorName.collapsed(text.kind == .html ? HTMLText.plain(text.raw) : text.raw)
    if !name.isEmpty { draft.attachments[place].label = name }
  }

  mutating func addTag(_ text: String) {
    let tag = AuthorName.collapsed(text)
    if isInEntry, !tag.isEmpty, draft.tags.count < Limits.tags, !draft.tags.contains(tag) {
      draft.tags.append(tag)
    }
  }

  // MARK: - Storing text

  mutating func useForEntry() {
    switch capture.element {
    case .title: draft.title = draft.title ?? capture.title
    case .otherTitle: draft.otherTitle = draft.otherTitle ?? capture.title
    case .description: draft.description = draft.description ?? capture.text
    case .summary: draft.summary = draft.summary ?? capture.text
    case .otherSummary: draft.otherSummary = draft.otherSummary ?? capture.text
    case .mediaDescription: useMediaDescription()
    case .content: draft.encoded = draft.encoded ?? capture.text
    case .id: draft.guid = draft.guid ?? capture.plain.map { identifier($0) }
    case .guid: draft.guid = capture.plain ?? draft.guid
    case .link: if let text = capture.plain { draft.link = draft.link ?? link(text) }
    case .creator: if let name = capture.plain.flatMap(AuthorName.fromRSS) { draft.creators.append(name) }
    case .published: draft.published = capturedDate() ?? draft.published
    case .updated: draft.updated = capturedDate() ?? draft.updated
    case .created: draft.created = capturedDate() ?? draft.created
    case .category: if let tag = capture.plain { addTag(tag) }
    case .duration: draft.duration = draft.duration ?? capture.plain
    case .language: draft.language = capture.plain.flatMap(LanguageTag.checked) ?? draft.language
    case .unknown, .rss, .rdf, .feed, .channel, .item, .subtitle, .author, .name, .email, .enclosure,
      .mediaContent,
      .mediaThumbnail, .mediaGroup, .image, .timeToLive, .skipHours, .hour, .skipDays, .day:
      break
    }
  }

  mutating func useForFeed() {
    switch capture.element {
    case .title: feed.title = feed.title ?? capture.title
    case .otherTitle: feedParts.otherTitle = feedParts.otherTitle ?? capture.title
    case .link: if let text = capture.plain { feedParts.link = feedParts.link ?? link(text) }
    case .creator: if let name = capture.plain.flatMap(AuthorName.fromRSS) { feedParts.creators.append(name) }
    // A feed's own dates are not used, but an unreadable one is a problem of the document.
    case .published, .updated, .created: capturedDate()
    case .language: feed.language = capture.plain.flatMap(LanguageTag.checked) ?? feed.language
    case .timeToLive:
      if let minutes = capture.plain.flatMap({ Int($0) }), minutes > 0 { feed.timeToLiveMinutes = minutes }
    case .unknown, .rss, .rdf, .feed, .channel, .item, .description, .subtitle, .summary, .otherSummary,
      .mediaDescription, .id, .content, .guid, .author, .name, .email, .category, .enclosure, .mediaContent,
      .mediaThumbnail, .mediaGroup, .image, .duration, .skipHours, .hour, .skipDays, .day:
      break
    }
  }
}

extension EnclosureFacts {
  /// RSS and Atom have `length`, Media RSS has `fileSize`.
  fileprivate init(_ attributes: XMLAttributes) {
    self.init(
      type: attributes.text("type"), length: attributes.text("length") ?? attributes.text("fileSize"),
      duration: attributes.text("duration"))
  }
}

extension XMLAttributes {
  /// `xml:lang`.
  var language: String? { text("lang", prefix: "xml").flatMap(LanguageTag.checked) }
}

/// Names of languages as documents write them.
enum LanguageTag {
  /// nil if it is too long for a language tag: it is stored with every entry.
  static func checked(_ tag: String) -> String? { tag.utf8.count <= Limits.languageBytes ? tag : nil }
}
