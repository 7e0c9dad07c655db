import Basics

// The roles of a feed's elements, and the fields that their text is stored in.
extension FeedAssembly {
  /// Returns the role of an element that begins, which depends on the role of its parent.
  mutating func role(_ meaning: FeedNames.Meaning, _ attributes: XMLAttributes) -> Role {
    let element = meaning.element
    switch stack.last?.role ?? .outside {
    case .feed, .entry, .transparent, .media: return scoped(meaning, attributes)
    case .outside, .ignored:
      if meaning.isForeign, !isRepaired { return .foreign }
      return element == .item && !isInEntry ? startEntry(attributes) : .ignored
    case .foreign: return .foreign
    case .person:
      switch element {
      case .name: return startCapture(element, .rssTitle)
      case .email: return startCapture(element, .plain)
      default: return .personText
      }
    case .personText: return .personText
    case .source: return element == .author ? startPerson() : .ignored
    case .skipHours: return element == .hour ? startCapture(element, .plain) : .ignored
    case .skipDays: return element == .day ? startCapture(element, .plain) : .ignored
    case .captured, .inline, .silentInline: return .ignored
    }
  }

  /// Returns the role of an element that begins in the feed or in an entry, and reads its attributes.
  mutating func scoped(_ meaning: FeedNames.Meaning, _ attributes: XMLAttributes) -> Role {
    let element = meaning.element
    switch element {
    case .unknown: return meaning.isForeign && !isRepaired ? .foreign : .ignored
    case .rss, .rdf, .feed, .name, .email, .hour, .day: return .ignored
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
      let mark = attributes.text("isPermaLink")?.lowercased() ?? ""
      draft.isGuidLink = !["false", "0", "no"].contains(mark)
      draft.isMarkedLink = mark == "true"
      return startCapture(element, .plain)
    case .category:
      if let label = attributes.text("label") ?? attributes.text("term") { addTag(label) }
      return startCapture(element, .plain)
    case .nestedCategory:
      if let text = attributes.text("text") { addTag(text) }
      return .transparent
    case .creator: return startCapture(element, .rssTitle)
    case .id, .published, .updated, .created, .date, .duration, .language, .timeToLive, .originalLink,
      .originalEnclosure, .newAddress, .comments, .keywords:
      return startCapture(element, .plain)
    case .author: return startPerson()
    case .source: return meaning.isAtom && isInEntry ? .source : .ignored
    case .enclosure:
      if attributes.address != nil { attach(attributes, isEnclosure: true) }
      described = LinkFacts(attributes, isEnclosure: true)
      return attributes.address == nil ? startCapture(element, .plain) : .ignored
    case .image: attach(attributes)
    case .mediaContent:
      let (type, address) = (attributes.text("type"), attributes.text("url") ?? "")
      let isPicture = EnclosureFacts.isPicture(
        medium: attributes.text("medium"), type: type, url: address)
      let isPlayable = !EnclosureFacts.isFlash(type: type, url: address)
      draft.described = isPlayable ? attach(attributes, isEnclosure: !isPicture) : nil
      return .media
    case .chapters: attach(attributes, label: "chapters")
    case .transcript:
      attach(attributes, label: attributes.text("language").map { "transcript (\($0))" } ?? "transcript")
    case .chapter:
      let words = [attributes.text("start"), attributes.text("title")].compactMap(\.self)
      attach(attributes, label: words.joined(separator: " "))
    case .mediaDescription: return startCapture(element, mediaForm(type: attributes.text("type")))
    case .mediaThumbnail: attach(attributes)
    case .mediaGroup: return .transparent
    case .skipHours: return isInEntry ? .ignored : .skipHours
    case .skipDays: return isInEntry ? .ignored : .skipDays
    }
    return .ignored
  }

  /// Returns the form of an element's text: the type that Atom specifies, or `other` in other formats.
  func textForm(
    _ meaning: FeedNames.Meaning, _ attributes: XMLAttributes, _ other: TextCapture.Form
  ) -> TextCapture.Form {
    guard meaning.isAtom else { return other }
    let (type, mode) = (attributes.text("type"), attributes.text("mode"))
    return AtomText.form(type: type, mode: mode, isContent: meaning.element == .content, unknown: other)
  }

  /// Begins an author.
  private mutating func startPerson() -> Role {
    person = Person()
    return .person
  }

  /// Returns the form of Media RSS text: plain text, unless its type specifies another or it is clearly markup.
  private func mediaForm(type: String?) -> TextCapture.Form {
    switch type?.lowercased() {
    case "html": .html
    case "plain": .plain
    default: .rssTitle
    }
  }

  /// Begins an entry.
  mutating func startEntry(_ attributes: XMLAttributes) -> Role {
    draft = EntryDraft()
    draft.about = attributes.text("about", prefix: "rdf").flatMap {
      let about = $0.trimmingXMLSpace
      return about.isEmpty ? nil : String(about)
    }
    draft.language = attributes.language
    isInEntry = true
    allowance.spend(Limits.itemBytes)
    return .entry
  }

  /// Begins to capture the text of an element.
  mutating func startCapture(_ element: FeedElement, _ form: TextCapture.Form) -> Role {
    capture.begin(element, form, level: stack.count, base: bases.last)
    isCapturing = true
    return .captured
  }

  // MARK: - Links

  /// Returns a link, resolved if its base is known, or `nil` if the address is too long for a URL or is a script.
  func link(_ address: String) -> EntryDraft.Link? {
    guard address.utf8.count <= Limits.addressBytes, !LinkReference.isScript(address) else { return nil }
    let isAbsolute = LinkReference.hasScheme(address.trimmingXMLSpace)
    guard isAbsolute || !bases.isEmpty else { return EntryDraft.Link(address: address, needsBase: true) }
    return resolved(address, against: isAbsolute ? nil : bases.last).map {
      EntryDraft.Link(address: $0, needsBase: false)
    }
  }

  /// Reads the attributes of a link element.
  mutating func readLink(_ attributes: XMLAttributes) {
    described = LinkFacts()
    guard attributes.count > 0 else { return }
    described = LinkFacts(
      attributes, relation: AtomLink(rel: attributes.text("rel"), type: attributes.text("type")))
    guard let address = attributes.text("href"), !address.trimmingXMLSpace.isEmpty else { return }
    switch described.relation {
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
    case .enclosure: attach(address, described)
    case .discussion: if isInEntry { draft.comments = draft.comments ?? link(address) }
    case .unrelated: break
    }
  }

  /// Stores the text of a link element as a URL, according to the relation that the element's attributes
  /// specify.
  private mutating func takeLink(_ address: String) {
    switch described.relation {
    case .page, .otherForm: draft.link = draft.link ?? link(address)
    case .enclosure: attach(address, described)
    case .discussion, .unrelated: break
    }
  }

  /// Adds the URL in an element's attributes to the attachments of the entry.
  ///
  /// - Returns: the index of the attachment, or `nil` if none was added.
  @discardableResult
  mutating func attach(
    _ attributes: XMLAttributes, isEnclosure: Bool = false, label: String? = nil
  ) -> Int? {
    attributes.address.flatMap { attach($0, LinkFacts(attributes, isEnclosure: isEnclosure), label: label) }
  }

  /// Adds a URL to the attachments of the entry. If the entry already has an attachment with this URL,
  /// completes it with the data in `described` instead.
  ///
  /// - Returns: the index of the attachment, or `nil` if none was added.
  @discardableResult
  mutating func attach(_ address: String, _ described: LinkFacts, label: String? = nil) -> Int? {
    guard isInEntry, !address.trimmingXMLSpace.isEmpty, let link = link(address) else { return nil }
    let facts = described.enclosure
    if let known = draft.attachments.firstIndex(where: { $0.url == link.address }) {
      if let facts { draft.attachments[known].enclosure?.complete(with: facts) }
      if draft.attachments[known].enclosure == nil { draft.attachments[known].enclosure = facts }
      return known
    }
    guard draft.attachments.count < Limits.actions else { return nil }
    if link.needsBase { draft.needsAttachmentBase = true }
    draft.attachments.append(
      ParsedEntry.Attachment(
        label: label.map(AuthorName.collapsed).flatMap { $0.isEmpty ? nil : $0 }
          ?? AttachmentLabel.of(link.address, title: described.title, type: described.type),
        url: link.address, enclosure: facts))
    return draft.attachments.count - 1
  }

  /// Uses the captured description of a picture as the name of the picture's link. If the entry has no other
  /// text, the description is also the entry's text.
  private mutating func useMediaDescription() {
    guard let text = capture.text else { return }
    draft.mediaSummary = draft.mediaSummary ?? text
    if let place = draft.described { draft.attachments[place].description = text }
  }

  /// Adds a tag to the entry, unless the entry already has it or has too many.
  mutating func addTag(_ text: String) {
    let tag = AuthorName.collapsed(text)
    if isInEntry, !tag.isEmpty, draft.tags.count < Limits.tags, !draft.tags.contains(tag) {
      draft.tags.append(tag)
    }
  }

  // MARK: - Storing text

  /// Stores the captured text in the current entry.
  mutating func useForEntry() {
    switch capture.element {
    case .title: draft.title = draft.title ?? capture.title
    case .otherTitle: draft.otherTitle = draft.otherTitle ?? capture.title
    case .description: draft.description = draft.description ?? capture.text
    case .summary: draft.summary = draft.summary ?? capture.text
    case .otherSummary: draft.otherSummary = FeedText.fuller(draft.otherSummary, capture.text)
    case .mediaDescription: useMediaDescription()
    case .content: draft.encoded = FeedText.fuller(draft.encoded, capture.text)
    case .id: draft.guid = draft.guid ?? capture.plain.map { identifier($0) }
    case .guid: if let text = capture.plain { useGuid(text) }
    case .link: if let text = capture.plain { takeLink(text) }
    case .enclosure: if let text = capture.plain { attach(text, described) }
    case .originalLink: draft.originalLink = draft.originalLink ?? capture.plain.flatMap { link($0) }
    case .originalEnclosure:
      draft.originalEnclosure = draft.originalEnclosure ?? capture.plain.flatMap { link($0) }
    case .comments:
      if let text = capture.plain, LinkReference.isReference(text) {
        draft.comments = draft.comments ?? link(text)
      }
    case .keywords: capture.plain?.split(onBytes: ",").forEach { addTag(String($0)) }
    case .creator: if let name = AuthorName.fromRSS(capture.title) { draft.creators.append(name) }
    case .published: draft.published = capturedDate() ?? draft.published
    case .updated: draft.updated = capturedDate() ?? draft.updated
    case .created: draft.created = capturedDate() ?? draft.created
    case .date:
      guard let date = capturedDate() else { break }
      draft.updated = date
      if !names.isAtomDocument { draft.date = date }
    case .category: if let tag = capture.plain { addTag(tag) }
    case .duration: draft.duration = draft.duration ?? capture.plain
    case .language: draft.language = capture.plain.flatMap(LanguageTag.checked) ?? draft.language
    case .unknown, .rss, .rdf, .feed, .channel, .item, .subtitle, .author, .name, .email, .source,
      .nestedCategory, .mediaContent, .mediaThumbnail, .mediaGroup, .image, .timeToLive, .skipHours, .hour,
      .skipDays, .day, .newAddress, .chapters, .chapter, .transcript:
      break
    }
  }

  /// Stores a guid, and uses it as a link unless its attribute `isPermaLink` denies that.
  ///
  /// A guid that is a path on the feed's site becomes a link only if that is certain, since most are numbers and words.
  private mutating func useGuid(_ text: String) {
    draft.guid = text
    guard draft.isGuidLink, !LinkReference.hasScheme(text) else { return }
    if draft.isMarkedLink ? LinkReference.isReference(text) : text.hasPrefix("/") {
      draft.guidReference = link(text)
    }
  }

  /// Stores the captured text in the feed.
  mutating func useForFeed() {
    switch capture.element {
    case .title: feed.title = feed.title ?? capture.title
    case .otherTitle: feedParts.otherTitle = feedParts.otherTitle ?? capture.title
    case .link: if let text = capture.plain { feedParts.link = feedParts.link ?? link(text) }
    case .creator: if let name = AuthorName.fromRSS(capture.title) { feedParts.creators.append(name) }
    case .newAddress:
      if let text = capture.plain, LinkReference.isWebAddress(text) { feed.newAddress = link(text)?.address }
    // A feed's own dates are not used, but an unreadable one is reported as a problem.
    case .published, .updated, .created, .date: capturedDate()
    case .language: feed.language = capture.plain.flatMap(LanguageTag.checked) ?? feed.language
    case .timeToLive:
      if let minutes = capture.plain.flatMap({ Int($0) }), minutes > 0 { feed.timeToLiveMinutes = minutes }
    case .unknown, .rss, .rdf, .feed, .channel, .item, .description, .subtitle, .summary, .otherSummary,
      .mediaDescription, .id, .content, .guid, .author, .name, .email, .source, .category, .nestedCategory,
      .enclosure, .mediaContent, .mediaThumbnail, .mediaGroup, .image, .duration, .skipHours, .hour,
      .skipDays, .day, .originalLink, .originalEnclosure, .comments, .keywords, .chapters, .chapter,
      .transcript:
      break
    }
  }
}

extension EnclosureFacts {
  /// Creates the data from the attributes of an enclosure's element. The size is `length` in RSS and Atom,
  /// and `fileSize` in Media RSS.
  fileprivate init(_ attributes: XMLAttributes) {
    self.init(
      type: attributes.text("type"), length: attributes.text("length") ?? attributes.text("fileSize"),
      duration: attributes.text("duration"))
  }
}

extension FeedAssembly.LinkFacts {
  init(_ attributes: XMLAttributes, isEnclosure: Bool) {
    self.init(attributes, relation: isEnclosure ? .enclosure : .page)
  }

  init(_ attributes: XMLAttributes, relation: AtomLink) {
    self.relation = relation
    (title, type) = (attributes.text("title"), attributes.text("type"))
    enclosure = relation == .enclosure ? EnclosureFacts(attributes) : nil
  }
}

extension XMLAttributes {
  /// The URL in an attribute of the element, or `nil` if there is none.
  var address: String? {
    (text("url") ?? text("href")).flatMap { $0.trimmingXMLSpace.isEmpty ? nil : $0 }
  }

  /// The value of `xml:lang`, or `nil` if there is none.
  var language: String? { text("lang", prefix: "xml").flatMap(LanguageTag.checked) }
}

/// Checks the tags of languages that documents contain.
enum LanguageTag {
  /// Returns the tag, or `nil` if it is too long: it is stored with every entry.
  static func checked(_ tag: String) -> String? { tag.utf8.count <= Limits.languageBytes ? tag : nil }
}
