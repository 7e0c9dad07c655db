import Basics
import Foundation
import Markup
import Messages
import Queries
import Screen
import Words

/// One message as lines of the reader: the head, the text, and the details if they are shown.
struct ReaderPage {
  let message: Message
  /// Its text at that width, as far as it was laid out.
  let text: [StyledText]
  /// Where its pictures may be drawn; empty if they are not shown.
  var pictures: [PicturePlace] = []
  /// The numbered links of its text, once they are known.
  let links: [Link]
  /// Whether the layout of the text takes long enough for a notice.
  let isSlow: Bool
  /// The title of its source.
  let source: SafeText
  /// Whether its enclosures have places for pictures.
  var showsPictures = false
  /// The article of its page, if it was fetched, and whether that is its text here.
  var article: Article?
  var showsArticle = false
  /// Whether there are keys.
  var isOnPaper = false
  let columns: Int
  let options: InterfaceOptions

  private var words: Words { options.words }
  private var content: IncomingMessage { message.content }

  /// Its lines without pictures, and where pictures may be drawn between them.
  struct Lines {
    var lines: [StyledText] = []
    var places: [PicturePlace] = []
    /// How many lines are above its poster.
    var poster = 0
    var parts = Parts()
  }

  /// Which lines show which of a message's texts.
  struct Parts: Hashable {
    var title = 0..<0
    var author = 0..<0
    var body = 0..<0
    /// The text begins with the title, which has no lines of its own.
    var isTitleInBody = false

    func fields(ofLine line: Int) -> Set<Query.TextField> {
      if title.contains(line) { return [.title] }
      if author.contains(line) { return [.author] }
      guard body.contains(line) else { return [] }
      return isTitleInBody ? [.title, .body] : [.body]
    }
  }

  func lines(details: Bool) -> Lines {
    var result = head
    result.poster = result.lines.count
    let body = isSlow ? [StyledText(words(.layingOut), style: Palette.quiet)] : text
    if !body.isEmpty { result.lines += [.empty] + body }
    if !isSlow { result.parts.body = result.poster..<result.lines.count }
    if !isSlow {
      let first = result.poster + 1
      result.places += pictures.map { place in
        var place = place
        place.line = first + min(place.line, text.count)
        return place
      }
    }
    if details { result.lines += [.empty] + self.details }
    return result
  }

  /// The number of the message's own address, which has none that is shown.
  static let ownLink = Link.ownNumber

  // MARK: Head

  private var head: Lines {
    var result = facts
    let inText = Set(pictures.map(\.picture.address))
    for enclosure in content.extras?.enclosures ?? [] {
      result.lines += lines(of: enclosure)
      guard showsPictures, enclosure.isPicture, let address = enclosure.webAddress,
        result.places.count < Limits.messagePictures
      else { continue }
      // A picture of the text is not repeated. It keeps its place, since that of others must not change when more of the
      // text is laid out.
      result.places.append(
        PicturePlace(
          picture: BodyPicture(address: address), link: links.first { $0.url == address }?.number,
          line: result.lines.count, columns: inText.contains(address) ? 0 : columns))
    }
    result.lines += articleLines
    return result
  }

  private var facts: Lines {
    var result = Lines()
    let title = SafeText(untrusted: content.title)
    var style = Palette.heading
    if content.standing == .downtime { style = Palette.warning.over(style) }
    var lines = StyledText(title.isEmpty ? words(.untitled) : title, style: style).wrapped(to: columns)
    result.parts.title = 0..<lines.count
    result.lines = lines
    if message.id.isWelcome { return result }
    if content.titleIsBeginningOfBody, content.standing != .downtime {
      lines = []
      result.parts.title = 0..<0
      result.parts.isTitleInBody = true
    }
    let first = lines.count
    lines += joined([source, author, star])
    result.parts.author = first..<lines.count
    lines += joined([date, changed, resolved, expiry])
    if let address = content.url {
      let isLink = OpenableAddress(address) != nil
      let style = isLink ? MarkupTheme.standard.link : Palette.quiet
      lines += StyledText(
        SafeText(untrusted: address), style: style, link: isLink ? Self.ownLink : nil
      ).cut(to: columns)
    }
    if !content.tags.isEmpty {
      let tags = content.tags.map { SafeText(untrusted: $0) }
      let list = tags.dropFirst().reduce(tags[0]) { $0 + ", " + $1 }
      lines += StyledText(words(.readerTags, list), style: Palette.quiet).wrapped(to: columns)
    }
    result.lines = lines
    return result
  }

  /// Where the article is from, and the key that shows the other text.
  private var articleLines: [StyledText] {
    guard let article else { return [] }
    let key = isOnPaper ? SafeText.empty : options.keymap.name(of: .article)
    guard showsArticle else { return joined([words(.articleIsThere, key)]) }
    return joined([
      words(.articleFrom, article.host, words.fullDate(article.fetched, in: options.zone)),
      isOnPaper ? .empty : words(.articleHides, key),
    ])
  }

  /// The enclosures, with the numbers that open them; without those that may not be opened.
  private func lines(of enclosure: Enclosure) -> [StyledText] {
    guard let address = enclosure.webAddress else { return [] }
    var line = StyledText(options.signs.enclosure + " " + enclosure.text, style: Palette.quiet)
    if let link = links.first(where: { $0.url == address }) {
      line.append(" [\(link.number)]", style: MarkupTheme.standard.link, link: link.number)
    }
    return line.wrapped(to: columns)
  }

  /// Who wrote it, where that is not what the source is called.
  private var author: SafeText {
    let author = SafeText(untrusted: content.author ?? "")
    return author.text.lowercased() == source.text.lowercased() ? .empty : author
  }

  private var star: SafeText {
    message.isStarred ? options.signs.before(words(.readerStarred), options.signs.star) : .empty
  }

  private var date: SafeText { words.fullDate(message.time, in: options.zone) }

  private var changed: SafeText {
    guard let updated = content.updated else { return .empty }
    guard updated.timeIntervalSince(message.time) >= 60 else { return .empty }
    return words(.readerChanged, words.fullDate(updated, in: options.zone))
  }

  private var resolved: SafeText {
    message.resolved.map { words(.resolvedAt, words.fullDate($0, in: options.zone)) } ?? .empty
  }

  private var expiry: SafeText {
    content.expires.map { words(.expiresAt, words.fullDate($0, in: options.zone)) } ?? .empty
  }

  private func joined(_ parts: [SafeText]) -> [StyledText] {
    let parts = parts.filter { !$0.isEmpty }
    guard let first = parts.first else { return [] }
    let line = parts.dropFirst().reduce(first) { $0 + options.signs.between + $1 }
    return StyledText(line, style: Palette.quiet).wrapped(to: columns)
  }

  // MARK: Details

  private var details: [StyledText] {
    var rows: [(Phrase, String)] = [
      (.detailID, "\(message.id.rawValue)"), (.detailRemoteID, content.remoteID.text),
      (.detailSource, message.sourceName), (.detailKind, content.kind.rawValue),
      (.detailReceived, words.fullDate(message.received, in: options.zone).text),
      (.detailPriority, "\(content.priority.rawValue)"),
    ]
    let optional: [(Phrase, String?)] = [
      (.detailChannel, content.channel), (.detailLanguage, content.language),
      (.detailVisibleFrom, content.visibleFrom.map { words.fullDate($0, in: options.zone).text }),
      (.detailCategory, content.extras?.category), (.detailSound, content.extras?.sound),
      (.detailUnknown, content.extras?.unknownKeys),
      (.detailCut, content.extras?.cut?.map(\.rawValue).joined(separator: ", ")),
    ]
    rows += optional.compactMap { name, value in value.map { (name, $0) } }
    let width = (rows.map { words($0.0).columns }.max() ?? 0) + 2
    var lines = [StyledText(words(.readerDetails), style: Palette.heading)]
    for (name, value) in rows {
      let label = words(name).padded(to: width)
      let room = columns - width
      let parts = StyledText(SafeText(untrusted: value)).cut(to: room > 8 ? room : columns)
      if room > 8 {
        for (index, part) in parts.enumerated() {
          lines.append(StyledText(index == 0 ? label : .spaces(width), style: Palette.quiet) + part)
        }
      } else {
        lines += [StyledText(words(name), style: Palette.quiet)] + parts
      }
    }
    return lines
  }
}

extension IncomingMessage {
  /// Whether the text begins with the title: where a post has none, the title is made of its first line.
  fileprivate var titleIsBeginningOfBody: Bool {
    guard !title.isEmpty else { return false }
    for ending in ["…", "..."] where title.hasSuffix(ending) {
      let start = title.dropLast(ending.count)
      return !start.isEmpty && body.hasPrefix(start)
    }
    guard body.hasPrefix(title) else { return false }
    return body.dropFirst(title.count).first?.isNewline ?? true
  }
}
