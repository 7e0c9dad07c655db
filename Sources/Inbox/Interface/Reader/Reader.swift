import Basics
import Markup
package import Messages
import Queries
import Screen

/// The message being read, or previewed next to the list, laid out for the pane's width.
package struct Reader: Hashable, Sendable {
  /// The message to be shown; `message` is the one that is already loaded.
  package private(set) var subject: MessageID?
  /// Whether another message or list was requested since `message` was loaded. If the user returns to `message` before
  /// the other one arrives, `message` is opened from its beginning again.
  private var isLeft = false
  package private(set) var message: Message?
  /// The message as stored; `message` is this with the user's later acts applied.
  private var stored: Message?
  /// The last act of the user that `stored` certainly contains.
  private var including = ActID.none
  /// Whether the requested message is marked read when it arrives. Opening marks it only once, however often it is
  /// loaded later.
  private(set) var marksRead = false
  private(set) var showsDetails = false
  /// The number of lines above the first visible one.
  package internal(set) var scroll = 0
  /// The lines of the message, with the rows of its pictures between them.
  private var shown = ReaderText()
  /// The line of the current match of a search.
  var hit: Int?
  /// The text to find in the message.
  var find: String?
  /// The message's text, or the previous layout while a new one is made.
  private var page = Page()
  /// The width for which `page` was laid out, in columns; `nil` if it must be laid out again.
  private var pageColumns: Int?
  /// The text that is being laid out.
  private var request: PageRequest?
  /// The number of layout requests so far.
  private var requests = 0
  /// Whether the layout takes so long that a note about it is shown.
  private var isSlow = false
  /// The minimum number of lines of the text that are needed.
  private var wantedLines = Limits.firstLines

  /// The article of the web page that the message links to, and the state of its request.
  private(set) var article = ArticleSlot()
  /// The message's picture, requested once the message was opened.
  private var poster = PictureSlot()
  /// The pictures of the message's text and its attachments.
  private var pictures = ReaderPictures()
  /// The width for which `lines` were made, in columns; 0 if they must be made again.
  private var columns = 0
  /// The sources' names in `lines`.
  private var source = SafeText.empty
  /// The width of `lines` if they belong to this message, or `nil` if they still belong to another one.
  private var shownColumns: Int?

  init() {}

  var lines: [StyledText] { shown.lines }

  func fields(ofLine line: Int) -> Set<Query.TextField> { shown.fields(ofLine: line) }

  /// The numbered links; the message's own URL is not among them.
  var links: [Link] { page.links }

  /// Whether the text is not laid out yet, so that its links are not known.
  var isWaiting: Bool { request != nil || pageColumns == nil }

  /// Whether the message to be shown is there and laid out. Also `true` if its layout takes so long that the present
  /// content is read meanwhile.
  var isReadable: Bool { isComplete && (!isWaiting || isSlow) }

  /// Whether the message on screen is the one to be shown.
  var isComplete: Bool { subject != nil && message?.id == subject && !isLeft }

  /// Prepares for another message. The old one stays until it arrives.
  mutating func expect(_ id: MessageID) {
    guard subject != id else { return }
    subject = id
    isLeft = true
    marksRead = false
  }

  /// Prepares for another list. Its first message is opened even if it is the same, and the present one stays until it
  /// arrives.
  mutating func leave() {
    subject = nil
    isLeft = true
    marksRead = false
  }

  mutating func readOnArrival() { marksRead = true }

  /// Removes the message. A response to an older request is not accepted afterwards.
  mutating func clear() {
    let requests = requests
    pictures.reset()
    let pictures = pictures
    self = Reader()
    self.requests = requests
    self.pictures = pictures
  }

  /// Shows a message that was loaded. `including` is the last act that the message contains for certain.
  ///
  /// - Returns: whether the message is to be marked read.
  mutating func apply(_ stored: Message, including: ActID, _ acts: PendingActs) -> Bool {
    defer { (marksRead, isLeft) = (false, false) }
    let new = Self.applying(acts.differences(including: including), to: stored)
    self.stored = stored
    self.including = including
    let isOther = message?.id != new.id || isLeft
    if isOther {
      endFind()
      scroll = 0
      showsDetails = false
      shownColumns = nil
      poster = PictureSlot()
    }
    if isOther || message?.content != new.content {
      article = ArticleSlot()
      if isOther {
        page = Page()
        wantedLines = Limits.firstLines
      }
      request = nil
      pageColumns = nil
      columns = 0
      pictures.reset()
    } else if message != new {
      columns = 0
    }
    message = new
    return marksRead && new.isUnread
  }

  /// Shows the message as stored, with the user's pending acts applied.
  mutating func apply(_ acts: PendingActs) {
    guard let stored else { return }
    let new = Self.applying(acts.differences(including: including), to: stored)
    if new.isStarred != message?.isStarred { columns = 0 }
    message = new
  }

  /// Drops the acts up to this one, after applying them to the stored message.
  mutating func confirm(through id: ActID, _ acts: PendingActs) {
    guard let stored, including < id else { return }
    self.stored = Self.applying(acts.differences(including: including, through: id), to: stored)
    including = id
  }

  private static func applying(_ differences: [MessageID: PendingActs.Difference], to message: Message)
    -> Message
  {
    var message = message
    message.isUnread = differences[message.id]?.isUnread ?? message.isUnread
    message.isStarred = differences[message.id]?.isStarred ?? message.isStarred
    return message
  }

  /// Marks the shown welcome message read; welcome messages are not in the store.
  mutating func readWelcome() {
    message?.isUnread = false
    stored?.isUnread = false
  }

  /// Changes the state of the article. Another text is shown from its beginning.
  mutating func changeArticle(_ change: (inout ArticleSlot) -> Void) {
    let (before, known) = (article.shown, article.article)
    change(&article)
    if article.article != known { columns = 0 }
    guard article.shown != before else { return }
    page = Page()
    wantedLines = Limits.firstLines
    scroll = 0
    endFind()
    shownColumns = nil
    pictures.reset()
    forgetLayout()
  }

  mutating func toggleDetails() {
    showsDetails.toggle()
    columns = 0
  }

  /// Forgets the layout after a change of options.
  mutating func forgetLayout() {
    columns = 0
    pageColumns = nil
    request = nil
  }

  /// Lays the message out if it isn't already laid out for that width.
  ///
  /// - Returns: a request if the layout takes too long here.
  mutating func layOut(columns: Int, visible: Int, options: InterfaceOptions, source: SafeText)
    -> PageRequest?
  {
    guard let message else { return nil }
    let wanted = wantPage(message, columns: columns, visible: visible, options: options)
    guard columns != self.columns || source != self.source else { return wanted }
    // At another width, the line has another index.
    if self.columns != 0, columns != self.columns { hit = nil }
    self.columns = columns
    self.source = source
    let page = ReaderPage(
      message: message, text: page.text.lines, pictures: options.showsPictures ? page.text.pictures : [],
      links: page.links, isSlow: isSlow, source: source, showsPictures: options.showsPictures,
      article: article.article, showsArticle: article.shown != nil, columns: columns, options: options)
    show(
      ReaderText(
        page.lines(details: showsDetails), poster: poster.lines(columns: columns, words: options.words)
      ) { pictures.rows(at: $0, $1, words: options.words) }, columns: columns)
    return wanted
  }

  /// Shows lines. The first visible line stays at the top when pictures above it are added or removed.
  private mutating func show(_ new: ReaderText, columns: Int) {
    if columns == shownColumns {
      if shown.lines.indices.contains(scroll), scroll > 0 { scroll = new.line(at: shown.place(of: scroll)) }
      hit = hit.map { new.line(at: shown.place(of: $0)) }
    }
    shown = new
    shownColumns = columns
  }

  /// Lays out the text if needed: short text immediately; for long text, returns a request for a layout on another
  /// thread.
  private mutating func wantPage(
    _ message: Message, columns: Int, visible: Int, options: InterfaceOptions
  ) -> PageRequest? {
    if columns == pageColumns, request == nil, !page.text.isComplete,
      scroll + 4 * visible > page.text.lines.count || wantedLines == .max
    {
      // The number doubles each time, so that all layouts together cost at most twice the last one.
      wantedLines = max(wantedLines, 2 * page.text.lines.count)
    } else {
      guard columns != (request?.columns ?? pageColumns) else { return nil }
    }
    requests += 1
    let new = PageRequest(
      number: requests, message: message, article: article.shown, words: options.words, columns: columns,
      theme: options.markup, lines: wantedLines, showsPictures: options.showsPictures)
    let content = message.content
    guard (article.shown?.html ?? content.html ?? content.body).utf8.count > Limits.quickLayoutBytes else {
      request = new
      apply(new.page(), for: new.number)
      return nil
    }
    request = new
    isSlow = false
    return new
  }

  /// Shows a layout of the text.
  ///
  /// - Returns: whether this is the response to the last request; the screen may have changed since an older one.
  @discardableResult
  mutating func apply(_ page: Page, for number: Int) -> Bool {
    guard let request, request.number == number else { return false }
    self.page = page
    pageColumns = request.columns
    self.request = nil
    isSlow = false
    columns = 0
    return true
  }

  /// Records that the requested layout takes long, so that a note is shown.
  mutating func wait(for number: Int) {
    guard request?.number == number else { return }
    isSlow = true
    columns = 0
  }

  // MARK: Pictures

  /// Records whether the message is open; the pictures of its text are fetched only then.
  ///
  /// - Parameter isOpen: whether the user has opened the message, and pictures are shown.
  mutating func setOpen(_ isOpen: Bool, visible: Int) {
    if pictures.setOpen(isOpen && isComplete, visible: visible) { columns = 0 }
  }

  /// - Returns: the requests for the pictures near the visible lines.
  mutating func wantPictures(visible: Int) -> [PictureRequest] {
    guard isComplete, columns != 0 else { return [] }
    let top = top(visible: visible)
    return pictures.want(
      shown.pictures, window: top..<top + visible,
      busy: poster.isAwaited ? poster.request.flatMap { HostName.of($0.address) } : nil)
  }

  mutating func removeDroppedPictures() -> [PictureRequest] { pictures.removeDropped() }

  /// - Returns: a request for the message's own picture at that size, if it was not already sent.
  mutating func wantPoster(columns: Int, rows: Int) -> PictureRequest? {
    guard isComplete, columns >= 10, rows >= 6, let poster = message?.content.extras?.poster
    else { return nil }
    let isHeld = PictureData.isAddress(poster)
    guard let address = isHeld ? poster : OpenableAddress(poster).flatMap({ $0.isWeb ? $0.text : nil })
    else { return nil }
    // A small picture isn't enlarged.
    let request = PictureRequest(
      address: address, columns: columns, rows: min(24, rows * 2 / 3), isInText: isHeld)
    guard let asked = self.poster.want(request) else { return nil }
    self.columns = 0
    return asked
  }

  mutating func apply(_ answer: PictureAnswer, for request: PictureRequest) {
    if poster.apply(answer, for: request) { columns = 0 }
    if pictures.apply(answer, for: request) { columns = 0 }
  }

  // MARK: Scrolling

  mutating func scroll(by steps: Int) { scroll += min(max(steps, -1_000_000), 1_000_000) }

  mutating func scrollToEnd() {
    if !page.text.isComplete { wantedLines = .max }
    scroll = .max / 2
  }

  mutating func scrollToStart() { scroll = 0 }

  /// Moves to the next line with a match; the first time, to one that is visible, or beyond.
  ///
  /// - Returns: `false` if there is none.
  mutating func moveToHit(_ matcher: some TextMatching, isForward: Bool, visible: Int) -> Bool {
    let top = top(visible: visible)
    let start =
      hit.map { isForward ? $0 + 1 : $0 - 1 } ?? (isForward ? top : min(top + visible, lines.count) - 1)
    guard let line = hitLine(matcher, from: start, isForward: isForward) else { return false }
    show(hit: line, visible: visible)
    return true
  }

  /// Makes a line the current match, and scrolls until the line is visible.
  mutating func show(hit line: Int, visible: Int) {
    let top = top(visible: visible)
    hit = line
    if !(top..<top + visible).contains(line) { scroll = max(0, line - visible / 3) }
  }

  /// Requests the layout of the rest of the text.
  ///
  /// - Returns: `false` if all of it is laid out.
  mutating func wantRest() -> Bool {
    guard !page.text.isComplete || isWaiting else { return false }
    wantedLines = .max
    return true
  }

  /// Keeps the position inside the text. While the text isn't laid out yet, the position stays.
  mutating func fit(visible: Int) {
    scroll = max(0, scroll)
    if request == nil { scroll = min(scroll, max(0, lines.count - visible)) }
  }

  /// Returns the first visible line; while the text isn't laid out yet, that of the previous layout.
  func top(visible: Int) -> Int { min(scroll, max(0, lines.count - visible)) }

  func isAtEnd(visible: Int) -> Bool {
    request == nil && page.text.isComplete && scroll + visible >= lines.count
  }

  /// Returns the part of the text above the last visible line, in percent, or `nil` while its length is not known.
  func percent(visible: Int) -> Int? {
    guard request == nil, page.text.isComplete else { return nil }
    return min(lines.count, scroll + visible) * 100 / max(1, lines.count)
  }

  // MARK: Links

  /// Returns the URL of a link by its number; without a number the message's own, or the first in the text if it has
  /// none.
  func address(_ number: Int?) -> String? {
    guard let message else { return nil }
    if let number { return links.first { $0.number == number }?.url }
    return OpenableAddress(message.content.url)?.text ?? links.first?.url
  }

  /// Returns the URL of a line's link with that number.
  func address(shownAs number: Int) -> String? {
    if number == ReaderPage.ownLink { return OpenableAddress(message?.content.url)?.text }
    // Links are numbered from 1, in their order.
    guard links.indices.contains(number - 1), links[number - 1].number == number else {
      return address(number)
    }
    return links[number - 1].url
  }

  /// Returns the number of the link at a position in the text.
  func link(line: Int, column: Int) -> Int? {
    lines.indices.contains(line) ? lines[line].link(at: column) : nil
  }
}
