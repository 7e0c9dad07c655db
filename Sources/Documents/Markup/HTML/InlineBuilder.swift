import Basics
import Screen

/// Collects the text of one block as spans. White space is collapsed (CSS Text 3 section 4.1) or kept, and a span ends
/// when the style changes.
struct InlineBuilder {
  /// A position in the text.
  struct Place {
    fileprivate var block: Int
    fileprivate var line: Int
    fileprivate var span: Int
  }

  var links: LinkCollector
  /// Whether URLs in the text become links.
  var findsAddresses = false
  /// The number of complete blocks.
  private var block = 0
  /// Whether the line ends in a mark of the program, for example `[image]`.
  private var endsInMark = false
  /// The finished spans of each line.
  private var lines: [[Span]] = [[]]
  /// The text of the current span as UTF-8.
  private var bytes: [UInt8] = []
  /// Whether there was white space, which becomes one space if text follows on the line.
  private var hasPendingSpace = false
  /// Whether the line ends in text without a space, so that a space may follow.
  private var canTakeSpace = false

  private(set) var emphasis: Emphasis = []
  private(set) var link: Int?
  private(set) var colors = Colors()
  /// Whether white space is kept, as in code.
  var keepsSpace = false

  init(links: LinkCollector) { self.links = links }

  var isEmpty: Bool { lines.count == 1 && lines[0].isEmpty && bytes.isEmpty }

  /// Adds text. White space is collapsed unless it is kept.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    if keepsSpace { return appendKept(text) }
    var index = 0
    while index < text.count {
      if isSpace(text[index]) {
        hasPendingSpace = hasPendingSpace || canTakeSpace
        index += 1
        continue
      }
      // A single space between two words is kept: a sequence of words is added in one step.
      var end = index + 1
      while end < text.count,
        text[end] > 0x20 || !isSpace(text[end])
          || text[end] == 0x20 && end + 1 < text.count && !isSpace(text[end + 1])
      {
        end += 1
      }
      if hasPendingSpace { bytes.append(0x20) }
      hasPendingSpace = false
      canTakeSpace = true
      endsInMark = false
      bytes.append(contentsOf: text[index..<end])
      index = end
    }
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Adds text with its white space.
  private mutating func appendKept(_ text: UnsafeBufferPointer<UInt8>) {
    endsInMark = false
    for byte in text {
      if byte == 0x0A {
        breakLine()
      } else if byte != 0x0D {
        bytes.append(byte)
      }
    }
  }

  mutating func breakLine() {
    hasPendingSpace = false
    endSpan()
    lines.append([])
    canTakeSpace = false
    endsInMark = false
  }

  /// Changes the style of the following text. A pending space keeps the previous style: `a <u>b</u>` has no underlined
  /// space.
  mutating func set(_ emphasis: Emphasis, link: Int?) {
    guard emphasis != self.emphasis || link != self.link else { return }
    endLook()
    self.emphasis = emphasis
    self.link = link
  }

  mutating func set(_ colors: Colors) {
    guard colors != self.colors else { return }
    endLook()
    self.colors = colors
  }

  /// Writes a pending space and ends the current span, since the following text may get another style or number.
  mutating func endLook() {
    if hasPendingSpace {
      hasPendingSpace = false
      canTakeSpace = false
      endsInMark = false
      bytes.append(0x20)
    }
    endSpan()
  }

  /// Adds the collected text as a span, without a pending space.
  mutating func endSpan() {
    guard !bytes.isEmpty else { return }
    let source = String(decoding: bytes, as: UTF8.self)
    let hasColon = bytes.contains(UInt8(ascii: ":"))
    bytes.removeAll(keepingCapacity: true)
    let text = keepsSpace ? SafeText.lines(untrusted: source).first ?? .empty : SafeText(untrusted: source)
    guard !text.isEmpty else { return }
    if hasColon, findsAddresses, link == nil, !keepsSpace, !emphasis.contains(.code) {
      lines[lines.count - 1] += links.spans(of: source, emphasis)
    } else {
      lines[lines.count - 1].append(Span(text, emphasis, link: link, colors: colors))
    }
  }

  /// Ends the current span, and returns the position at which the next text begins.
  mutating func place() -> Place {
    endLook()
    return Place(block: block, line: lines.count, span: lines[lines.count - 1].count)
  }

  /// Replaces the text that begins at a position by the result of `change`, if the text is short and on one
  /// line.
  mutating func change(since place: Place, _ change: ([Span]) -> [Span]) {
    endSpan()
    guard place.block == block, place.line == lines.count else { return }
    let changed = lines[lines.count - 1][place.span...]
    // Numbers of links don't count, since they are not part of the text.
    let parts = changed.lazy.filter { !$0.emphasis.contains(.linkNumber) }.prefix(Limits.raisedSpans + 1)
      .count
    guard (1...Limits.raisedSpans).contains(parts) else { return }
    let spans = Array(changed)
    lines[lines.count - 1].replaceSubrange(place.span..., with: change(spans))
    if lines[lines.count - 1].isEmpty { (endsInMark, canTakeSpace) = (false, false) }
  }

  /// Adds a mark of the program, for example `[image]` or the number of a link. If the mark is joined, it follows the
  /// last word directly, before pending white space. Otherwise there is a space between two marks.
  mutating func append(mark: Span, isJoined: Bool = false) {
    if !isJoined, hasPendingSpace || endsInMark {
      bytes.append(0x20)
      hasPendingSpace = false
    }
    endSpan()
    var mark = mark
    mark.colors = colors
    lines[lines.count - 1].append(mark)
    canTakeSpace = true
    endsInMark = mark.emphasis.contains(.image) || isJoined && endsInMark
  }

  /// Adds a picture without text.
  mutating func append(picture: Int) {
    endSpan()
    lines[lines.count - 1].append(Span(.empty, emphasis, colors: colors, picture: picture))
  }

  /// Returns the text so far and begins the next block; a line break at the end is dropped.
  mutating func finish() -> Inline {
    endSpan()
    hasPendingSpace = false
    canTakeSpace = false
    endsInMark = false
    block += 1
    defer { lines = [[]] }
    let hasBreaks = lines.count > 1
    if hasBreaks, let last = lines.last, last.isEmpty { lines.removeLast() }
    if !keepsSpace {
      for index in lines.indices { Self.trim(&lines[index]) }
    }
    return !hasBreaks && lines[0].isEmpty ? Inline() : Inline(lines: lines)
  }

  /// Removes the spaces at the end of a line. It works in place: working on a copy would copy all lines each time.
  private static func trim(_ line: inout [Span]) {
    // A picture may have no text.
    while let last = line.lastIndex(where: { !$0.text.isEmpty }), line[last].text.text.utf8.last == 0x20 {
      line[last].text = line[last].text.prefix(columns: line[last].text.columns - 1)
      if line[last].text.isEmpty, line[last].picture == nil { line.remove(at: last) }
    }
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
