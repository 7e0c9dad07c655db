import Markup
package import Messages
import Screen

/// The message that is read, or previewed beside the list, laid out for the reader's width.
package struct Reader: Hashable, Sendable {
  /// Which message belongs here; `message` is the one that is here already.
  package private(set) var subject: MessageID?
  package private(set) var message: Message?
  /// As it was read from the store; `message` is this with what a person did since.
  private var stored: Message?
  private var including = ActID.none
  /// Opening a message reads it: once, when it arrives, however often it is loaded again later.
  private(set) var marksRead = false
  private(set) var showsDetails = false
  /// Lines above the first one in sight.
  package private(set) var scroll = 0
  private(set) var lines: [StyledText] = []
  /// Numbered ones; the message's own address is not among them.
  private(set) var links: [Link] = []
  private var document = Document()
  /// The picture that the message brought; asked for once it was opened.
  private var poster = PictureSlot()
  /// What `lines` were laid out for.
  private var columns = 0

  init() {}

  /// Whether what is on screen is what belongs there.
  var isComplete: Bool { message != nil && message?.id == subject }

  /// Another message belongs here now; the old one stays in sight until it comes.
  mutating func expect(_ id: MessageID) {
    guard subject != id else { return }
    subject = id
    marksRead = false
  }

  mutating func readOnArrival() { marksRead = true }

  mutating func clear() { self = Reader() }

  /// - Returns: whether the message is to be marked read.
  mutating func take(_ stored: Message, including: ActID, _ pending: Pending, words: Words) -> Bool {
    defer { marksRead = false }
    let new = Self.laid(stored, pending.differences(including: including))
    self.stored = stored
    self.including = including
    if message?.id != new.id {
      scroll = 0
      showsDetails = false
      poster = PictureSlot()
    }
    if message?.id != new.id || message?.content != new.content {
      document = Self.document(of: new, words)
      links = document.links
      columns = 0
    } else if message != new {
      columns = 0
    }
    message = new
    return marksRead && new.isUnread
  }

  /// Shows what a person did, or no longer what the store refused.
  mutating func lay(_ pending: Pending) {
    guard let stored else { return }
    let new = Self.laid(stored, pending.differences(including: including))
    if new.isStarred != message?.isStarred { columns = 0 }
    message = new
  }

  /// What the list was read after is not remembered any longer.
  mutating func settle(through id: ActID, _ pending: Pending) {
    guard let stored, including < id else { return }
    self.stored = Self.laid(stored, pending.differences(including: including, through: id))
    including = id
  }

  private static func laid(_ message: Message, _ differences: [MessageID: Pending.Difference]) -> Message {
    var message = message
    message.isUnread = differences[message.id]?.isUnread ?? message.isUnread
    message.isStarred = differences[message.id]?.isStarred ?? message.isStarred
    return message
  }

  /// A message of the welcome, which no store holds.
  mutating func readWelcome() {
    message?.isUnread = false
    stored?.isUnread = false
  }

  mutating func toggleDetails() {
    showsDetails.toggle()
    columns = 0
  }

  /// Options changed: everything is laid out again.
  mutating func forgetLayout() { columns = 0 }

  /// Lays the message out, if it is not laid out for that width already.
  mutating func lay(columns: Int, options: InterfaceOptions, source: SafeText) {
    guard let message, columns != self.columns else { return }
    self.columns = columns
    let page = ReaderPage(
      message: message, document: document, source: source,
      poster: poster.lines(columns: columns, words: options.words), columns: columns, options: options)
    lines = page.lines(details: showsDetails)
  }

  // MARK: The poster

  /// - Returns: what to ask for, so that the poster is drawn for that much room.
  mutating func wantPoster(columns: Int, rows: Int) -> PictureRequest? {
    guard isComplete, columns >= 10, rows >= 6,
      let address = OpenableAddress(message?.content.extras?.poster),
      address.isWeb
    else { return nil }
    let request = PictureRequest(address: address.text, columns: columns, rows: min(24, rows * 2 / 3))
    guard let asked = poster.want(request) else { return nil }
    self.columns = 0
    return asked
  }

  mutating func take(_ answer: PictureAnswer, for request: PictureRequest) {
    if poster.take(answer, for: request) { columns = 0 }
  }

  // MARK: Scrolling

  mutating func scroll(by steps: Int) { scroll += min(max(steps, -1_000_000), 1_000_000) }

  mutating func scrollToEnd() { scroll = lines.count }

  mutating func scrollToStart() { scroll = 0 }

  mutating func settle(visible: Int) { scroll = min(max(0, scroll), max(0, lines.count - visible)) }

  func isAtEnd(visible: Int) -> Bool { scroll + visible >= lines.count }

  // MARK: Links

  /// The address of a link by its number; the message's own without one, else the first there is.
  func address(_ number: Int?) -> String? {
    guard let message else { return nil }
    if let number { return links.first { $0.number == number }?.url }
    return OpenableAddress(message.content.url)?.text ?? links.first?.url
  }

  /// The number of the link under a place of the text.
  func link(line: Int, column: Int) -> Int? {
    lines.indices.contains(line) ? lines[line].link(at: column) : nil
  }

  static func document(of message: Message, _ words: Words) -> Document {
    let content = message.content
    var document: Document
    if message.id.isWelcome {
      document = .markdown(content.body)
    } else if let html = content.html {
      document = .html(html, base: content.url)
    } else {
      document = .plain(content.body)
    }
    // What else can be opened is numbered after the links of the text.
    var extras = content.extras?.actions.map { (SafeText(untrusted: $0.label), $0.url) } ?? []
    if let poster = content.extras?.poster { extras.append((words(.readerImage), poster)) }
    for (label, url) in extras {
      guard let address = OpenableAddress(url), !document.links.contains(where: { $0.url == address.text })
      else {
        continue
      }
      document.links.append(
        Link(number: document.links.count + 1, label: label, url: address.text))
    }
    return document
  }
}
