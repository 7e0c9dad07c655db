import Basics

/// Decides whether text in RSS is markup, which RSS does not specify.
enum RSSText {
  /// The form in which a title is written.
  enum TitleForm {
    case text
    /// Text in which characters are written as references.
    case references
    case markup
  }

  /// Returns the form of a title. It is markup if it has an element with its end tag, a line break, or a void element
  /// with attributes. Other tags are words: "a <b> c", "the <img> element". A tag between spaces is also a word: "the
  /// <br> element".
  static func form(ofTitle title: UnsafeBufferPointer<UInt8>) -> TitleForm {
    var position = 0
    var begun: Set<UInt64> = []
    while let open = title.index(of: UInt8(ascii: "<"), from: position) {
      position = open + 1
      guard let tag = tag(title, open), !isWord(title, open, tag.end) else { continue }
      if lineBreaks.contains(tag.key) { return .markup }
      if tag.isEnd {
        if begun.contains(tag.key) { return .markup }
      } else if !voidTags.contains(tag.key) {
        begun.insert(tag.key)
      } else if hasAttribute(title, from: tag.end) {
        return .markup
      }
    }
    return hasReference(title) ? .references : .text
  }

  /// Whether a tag without attributes is between spaces inside the title, like a word of a sentence.
  private static func isWord(_ bytes: UnsafeBufferPointer<UInt8>, _ open: Int, _ nameEnd: Int) -> Bool {
    guard bytes[nameEnd] == UInt8(ascii: ">") else { return false }
    let (before, after) = (open - 1, nameEnd + 1)
    guard before >= 0, after < bytes.count else { return false }
    return " \t\n(\"'".utf8.contains(bytes[before]) && " \t\n.,;:!?)\"'".utf8.contains(bytes[after])
  }

  /// Whether the tag that continues at `start` has an attribute with a value.
  private static func hasAttribute(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    let end = bytes[start...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
    return bytes[start..<(end ?? bytes.count)].contains(UInt8(ascii: "="))
  }

  /// Returns the text with references resolved once; tags stay unchanged.
  static func resolved(_ text: UnsafeBufferPointer<UInt8>) -> String {
    var resolved: [UInt8] = []
    CharacterReferences.decode(text, for: .text, into: &resolved)
    return String(decoding: resolved, as: UTF8.self)
  }

  /// Whether a body is markup (RSS 2.0: "entity-encoded HTML is allowed").
  ///
  /// It is markup if it has a known tag, another element with its end tag, a comment or a character reference. Text
  /// without these is also markup, unless it has blank lines that HTML would lose or a `<` that HTML would misread.
  static func isMarkedUp(body: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    var hasSign = false
    var others = 0
    while let open = body.index(of: UInt8(ascii: "<"), from: position) {
      hasSign = true
      position = open + 1
      if tag(body, open) != nil || body.hasSequence("<!--", at: open)
        || body.hasSequence("<![CDATA[", at: open)
      {
        return true
      }
      // The search for each of these runs to the end.
      others += 1
      if others <= 8, isElement(body, open) { return true }
    }
    if hasReference(body) { return true }
    return !hasSign && body.index(of: "\n\n", from: 0) == nil && body.index(of: "\r\n\r\n", from: 0) == nil
  }

  /// Whether the text contains a character reference with its semicolon.
  static func hasReference(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var position = 0
    while let sign = bytes.index(of: UInt8(ascii: "&"), from: position) {
      position = sign + 1
      if let (_, end) = CharacterReferences.reference(bytes, position), bytes[end - 1] == UInt8(ascii: ";") {
        return true
      }
    }
    return false
  }

  /// Whether an element begins at a `<` although its name is unknown, since its end tag follows. Some sites
  /// define their own elements.
  private static func isElement(_ bytes: UnsafeBufferPointer<UInt8>, _ open: Int) -> Bool {
    guard open + 1 < bytes.count, bytes[open + 1].isASCIILetter else { return false }
    let name = TagScanner(bytes, name: open + 1).name
    guard name.upperBound < bytes.count, name.count <= Limits.nameBytes else { return false }
    let end = Array("</".utf8) + bytes[name] + Array(">".utf8)
    return bytes.firstRange(of: end) != nil
  }

  /// Returns the known tag that begins at a `<`: the key of its name, whether it is an end tag, and the end of its
  /// name.
  private static func tag(_ bytes: UnsafeBufferPointer<UInt8>, _ open: Int) -> (
    key: UInt64, isEnd: Bool, end: Int
  )? {
    var i = open + 1
    let isEnd = i < bytes.count && bytes[i] == UInt8(ascii: "/")
    if isEnd { i += 1 }
    var key: UInt64 = 0
    let start = i
    while i < bytes.count, i - start <= 10, bytes[i].isASCIILetter || bytes[i].isASCIIDigit {
      key = key << 6 | UInt64(bytes[i].lowercasedASCII & 0x3F)
      i += 1
    }
    guard i > start, i < bytes.count,
      bytes[i] == UInt8(ascii: ">") || bytes[i] == UInt8(ascii: "/") || bytes[i].isXMLSpace,
      tags.contains(key) || voidTags.contains(key) || lineBreaks.contains(key)
    else { return nil }
    return (key, isEnd, i)
  }

  /// Returns the keys of names, in which each character is packed into six bits.
  private static func keys(_ names: String) -> Set<UInt64> {
    Set(names.split(onBytes: " ").map { $0.utf8.reduce(0) { $0 << 6 | UInt64($1 & 0x3F) } })
  }

  private static let lineBreaks = keys("br wbr")
  private static let voidTags = keys("hr img input")
  /// The keys of the known elements that are neither in `lineBreaks` nor in `voidTags`.
  private static let tags = keys(
    """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink \
    blockquote body button canvas caption center cite code col colgroup data datalist dd del details dfn dialog \
    dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head \
    header hgroup html i iframe ins kbd label legend li link listing main map mark marquee math menu meta meter \
    nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext pre progress \
    q rb rp rt rtc ruby s samp script search section select slot small source spacer span strike strong style \
    sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video \
    xmp
    """)
}
