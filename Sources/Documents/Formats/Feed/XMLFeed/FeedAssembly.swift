import Basics
import Foundation

/// Builds a feed from the elements of an RSS or Atom document, in one pass and without a tree.
struct FeedAssembly {
  /// The handling of an open element, and of its children.
  enum Role: UInt8 {
    /// The part before the root, or around it in a broken document.
    case outside
    case feed, entry, skipHours, skipDays
    /// An author, and an inner element whose text is a part of the name.
    case person, personText
    /// The feed that an entry was taken from.
    case source
    /// An element of an unknown vocabulary: entries inside it are not entries of the feed.
    case foreign
    /// An element whose children are handled like those of its parent.
    case transparent
    /// A picture or a recording, which its children describe.
    case media
    /// An element whose text is captured, an inner element whose tags are captured with it, and an inner element whose
    /// tags are not.
    case captured, inline, silentInline
    case ignored
  }

  /// An open element.
  struct Frame {
    let local: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    let role: Role
    /// Whether the element has an xml:base, which is the last one in `bases`.
    let hasBase: Bool
  }

  /// The name of the root element if it isn't that of a feed.
  private(set) var foreignRoot: String?
  /// Whether the root element of a feed was found.
  private(set) var hasRoot = false
  /// Whether the feed's root element was closed, so that the document is complete.
  private(set) var isComplete = false
  /// The index of the feed's root element in the stack.
  private var rootLevel = 0
  /// The parser that sends the events, for line numbers.
  var stream: XMLStream?

  /// The URL of the document.
  let address: String
  let allowance: Allowance
  /// Whether the bytes were repaired, since the document is not well-formed XML.
  let isRepaired: Bool
  var names = FeedNames()
  var feed = ParsedFeed(format: .rss20)
  /// The current entry.
  var draft = EntryDraft()
  var isInEntry = false
  /// The open elements, the innermost last.
  var stack: [Frame] = []
  /// The number of open elements beyond the maximum depth.
  private var overflow = 0
  /// Whether the text of an element is being captured.
  var isCapturing = false
  var capture = TextCapture()
  /// The URLs of xml:base of the open elements, the innermost last.
  var bases: [String] = []
  /// The current author.
  var person = Person()
  /// The attributes of the captured link or enclosure; its URL may be its text.
  var described = LinkFacts()
  var feedParts = FeedParts()
  /// The indices of entries with links to resolve against the feed's link, once that is known.
  var entriesWithoutBase: [Int] = []

  /// The attributes of a link or an enclosure, apart from its URL.
  struct LinkFacts {
    var relation = AtomLink.page
    var title: String?
    var type: String?
    var enclosure: EnclosureFacts?
  }

  /// The parts of an author's name while the element is open.
  struct Person {
    var name: FeedText?
    var email: String?
    var text: [UInt8] = []
  }

  /// The content of elements that belong to the feed itself, before the best ones are chosen. See `EntryDraft`.
  struct FeedParts {
    var link: EntryDraft.Link?
    var pageLink: EntryDraft.Link?
    var otherLink: EntryDraft.Link?
    var otherTitle: FeedText?
    var authors: [FeedText] = []
    var creators: [FeedText] = []
  }

  init(address: String, allowance: Allowance, isRepaired: Bool) {
    self.address = address
    self.allowance = allowance
    self.isRepaired = isRepaired
  }

  // MARK: - Events

  mutating func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
    guard overflow == 0, stack.count < Limits.feedDepth else {
      overflow += 1
      return
    }
    if !hasRoot {
      startRoot(name, attributes)
      return
    }
    let meaning = names.meaning(of: name)
    if meaning.element == .item, isInEntry, isRepaired { closeEntry() }
    if meaning.element == .channel, FeedFormat.isRSS090(name) { feed.format = .rss090 }
    if isCapturing {
      let isOutermost = stack.count == capture.level + 1
      if isOutermost, let base = base(attributes) { capture.base = base }
      let isWritten = capture.open(name, attributes, isOutermost: isOutermost)
      push(name, isWritten ? .inline : .silentInline)
      return
    }
    let base = base(attributes)
    if let base { bases.append(base) }
    let role = role(meaning, attributes)
    push(name, role, hasBase: base != nil)
  }

  mutating func endElement(_ name: XMLName) {
    if overflow > 0 {
      // In a repaired document, elements may still be open at the root's end.
      guard isRepaired, hasRoot, strcmp(stack[rootLevel].local, name.local) == 0 else {
        overflow -= 1
        return
      }
      overflow = 0
    }
    if let last = stack.last, last.local == name.local {
      pop()
      return
    }
    // In a repaired document an end tag may be anywhere. It ends the innermost element of its name, with all its
    // children. Without such an element it is ignored.
    guard let place = stack.lastIndex(where: { strcmp($0.local, name.local) == 0 }) else { return }
    while stack.count > place { pop() }
  }

  mutating func characters(_ text: UnsafeBufferPointer<UInt8>) {
    guard overflow == 0 else { return }
    if isCapturing {
      capture.append(text)
    } else if stack.last?.role == .person || stack.last?.role == .personText {
      person.text.append(contentsOf: text)
    }
  }

  // MARK: - The stack

  /// Adds an open element.
  private mutating func push(_ name: XMLName, _ role: Role, hasBase: Bool = false) {
    stack.append(Frame(local: name.local, prefix: name.prefix, role: role, hasBase: hasBase))
  }

  /// Ends the innermost open element.
  private mutating func pop() {
    guard let frame = stack.popLast() else { return }
    if hasRoot, stack.count == rootLevel { isComplete = true }
    switch frame.role {
    case .inline: capture.close(frame.local)
    case .captured: endCapture()
    case .entry: endEntry()
    case .person: endPerson()
    case .media: draft.described = nil
    case .outside, .feed, .skipHours, .skipDays, .personText, .source, .foreign, .transparent, .silentInline,
      .ignored:
      break
    }
    if frame.hasBase { bases.removeLast() }
  }

  /// Closes the last entry, which is still open when a new one begins.
  private mutating func closeEntry() {
    guard let place = stack.lastIndex(where: { $0.role == .entry }) else { return }
    while stack.count > place { pop() }
  }

  /// Returns the absolute URL in an xml:base attribute, or `nil` if there is none.
  func base(_ attributes: XMLAttributes) -> String? {
    guard attributes.count > 0, let base = attributes.text("base", prefix: "xml"),
      base.utf8.count <= Limits.baseBytes
    else { return nil }
    return resolved(base, against: bases.last ?? address, limit: Limits.baseBytes)
  }

  /// Resolves a reference, or returns `nil` if the result is too long for a URL or the allowance is spent.
  func resolved(
    _ reference: String, against base: String?, limit: Int = Limits.addressBytes
  ) -> String? {
    guard reference.utf8.count <= limit else { return nil }
    let address = LinkReference.resolve(page: reference, against: base)
    guard address.utf8.count <= limit, allowance.spend(address.utf8.count) else { return nil }
    return address
  }

  /// Begins an element before the feed's root element was found; it may be the root element.
  private mutating func startRoot(_ name: XMLName, _ attributes: XMLAttributes) {
    let element = names.root(name)
    guard element != .unknown else {
      if foreignRoot == nil { foreignRoot = String(cString: name.local) }
      if !isRepaired { stream?.stop() }
      push(name, .outside)
      return
    }
    hasRoot = true
    rootLevel = stack.count
    feed.format = FeedFormat.of(element, name, version: attributes.text("version"))
    feed.language = attributes.language
    let base = base(attributes)
    if let base { bases.append(base) }
    // An Atom entry document (RFC 4287 section 2) is a feed with one entry.
    push(name, element == .item ? startEntry(attributes) : .feed, hasBase: base != nil)
  }

  // MARK: - Ends

  /// Adds the author whose element has ended to the entry or the feed.
  private mutating func endPerson() {
    let name =
      person.name == nil && person.email == nil
      ? AuthorName.fromRSS(person.text.withUnsafeBufferPointer { TextCapture.title($0, base: nil) })
      : AuthorName.joined(name: person.name, email: person.email)
    guard let name else { return }
    switch (isInEntry, stack.last?.role) {
    case (true, .source): draft.sourceAuthors.append(name)
    case (true, _): draft.authors.append(name)
    case (false, _): feedParts.authors.append(name)
    }
  }

  /// Stores the captured text, whose element has ended, in the feed, the current entry or the current author.
  private mutating func endCapture() {
    isCapturing = false
    allowance.spend(capture.bytes.count)
    switch capture.element {
    case .name: person.name = capture.title
    case .email: person.email = capture.plain.map(AuthorName.collapsed)
    case .hour:
      if let hour = capture.plain.flatMap({ Int($0) }), (0...24).contains(hour) {
        feed.skipHours.insert(hour % 24)
      }
    case .day: if let day = capture.plain.flatMap(RSSDays.number) { feed.skipDays.insert(day) }
    case .title, .otherTitle, .link, .description, .subtitle, .summary, .otherSummary, .mediaDescription,
      .content, .id, .guid, .creator, .published, .updated, .created, .date, .category, .duration,
      .language, .timeToLive, .enclosure, .originalLink, .originalEnclosure, .newAddress, .comments,
      .keywords:
      if isInEntry { useForEntry() } else { useForFeed() }
    case .unknown, .rss, .rdf, .feed, .channel, .item, .author, .source, .nestedCategory, .mediaContent,
      .mediaThumbnail, .mediaGroup, .image, .skipHours, .skipDays, .chapters, .chapter, .transcript:
      break
    }
  }

  /// Resolves an id that is only a path. Atom forbids such ids: they are not unique outside the feed.
  func identifier(_ text: String) -> String {
    text.hasPrefix("/") ? resolved(text, against: bases.last ?? address) ?? text : text
  }

  /// Returns the captured date; an unreadable one is recorded as a problem.
  @discardableResult
  mutating func capturedDate() -> FeedDate? {
    if let date = FeedDate.parse(String(decoding: capture.bytes, as: UTF8.self)) { return date }
    if let text = capture.plain { report("“\(text.prefix(60))” cannot be read as a date") }
    return nil
  }

  /// Adds a problem at the current line, unless there are too many.
  private mutating func report(_ message: String, leftOut: Int = 0) {
    guard feed.problems.count < Limits.feedProblems else { return }
    let line = stream.map(\.line) ?? 0
    feed.problems.append(
      FormatProblem(at: line > 0 ? String(line) : "", message: message, leftOut: leftOut))
  }

  /// Adds the current entry to the feed.
  private mutating func endEntry() {
    isInEntry = false
    let (entry, needsBase) = draft.finished()
    if needsBase { entriesWithoutBase.append(feed.entries.count) }
    feed.entries.append(entry)
  }

  // MARK: - The end

  /// Returns the feed after the end of the document.
  mutating func finish() -> ParsedFeed {
    // An entry that was cut off is kept only if it has an id, which will match the complete entry later;
    // an element that was cut off is dropped.
    if isInEntry {
      isCapturing = false
      let isKept = draft.guid != nil
      if isKept { endEntry() }
      report("the document ends inside an entry", leftOut: isKept ? 0 : 1)
    }
    feed.isComplete = isComplete
    if allowance.isSpent { report(allowance.sentence) }
    feed.title = feed.title ?? feedParts.otherTitle
    feed.author = AuthorName.list(feedParts.authors) ?? AuthorName.list(feedParts.creators)
    if let link = feedParts.link ?? feedParts.pageLink ?? feedParts.otherLink {
      feed.link = link.needsBase ? resolved(link.address, against: address) : link.address
    }
    let base = feed.link.flatMap { LinkReference.canBeBase($0) ? $0 : nil } ?? address
    for index in entriesWithoutBase {
      var entry = feed.entries[index]
      entry.resolveLinks { resolved($0, against: base) }
      feed.entries[index] = entry
    }
    feed.setBase(base)
    return feed
  }
}
