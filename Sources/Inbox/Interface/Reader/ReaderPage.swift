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
  /// The text in lines of `columns`, as far as it was laid out.
  let text: [StyledText]
  /// The positions of the pictures in the text; empty if pictures are not shown.
  var pictures: [PicturePlace] = []
  /// The numbered links of the text, once they are known.
  let links: [Link]
  /// Whether the layout of the text takes so long that a note is shown instead.
  let isSlow: Bool
  /// The title of its source.
  let source: SafeText
  /// Whether there are places in which the pictures among the attachments may be drawn.
  var showsPictures = false
  /// The article of the message's page, if it was fetched, and whether the text is the article's.
  var article: Article?
  var showsArticle = false
  /// Whether the output is not interactive, so that there are no keys.
  var isOnPaper = false
  let columns: Int
  let options: InterfaceOptions

  private var words: Words { options.words }
  private var content: IncomingMessage { message.content }

  /// The lines without pictures, and the places between them in which pictures may be drawn.
  struct Lines {
    var lines: [StyledText] = []
    var places: [PicturePlace] = []
    /// The number of lines above the message's own picture (its poster).
    var poster = 0
    var parts = Parts()
  }

  /// The lines of each part of a message.
  struct Parts: Hashable {
    var title = 0..<0
    var author = 0..<0
    var body = 0..<0
    /// Whether the text begins with the title, so that the title has no separate lines.
    var isTitleInBody = false

    /// Returns the fields of the message that a line shows, of those that queries can search.
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

  /// The link number of the message's URL. The number is not shown.
  static let ownLink = Link.ownNumber

  // MARK: Head

  /// The lines above the text: the title with source, dates and tags, the attachments, and the origin of the
  /// article.
  private var head: Lines {
    var result = facts
    let inText = Set(pictures.map(\.picture.address))
    for enclosure in content.extras?.enclosures ?? [] {
      result.lines += lines(of: enclosure)
      guard showsPictures, enclosure.isPicture, let address = enclosure.webAddress,
        result.places.count < Limits.messagePictures
      else { continue }
      // A picture of the text is not repeated. Its place is kept, since the places of others must not change when more
      // of the text is laid out.
      result.places.append(
        PicturePlace(
          picture: BodyPicture(address: address), link: links.first { $0.url == address }?.number,
          line: result.lines.count, columns: inText.contains(address) ? 0 : columns))
    }
    result.lines += articleLines
    return result
  }

  /// The title, and the lines with source, author, dates, URL and tags.
  private var facts: Lines {
    var result = Lines()
    let title = SafeText(untrusted: content.title)
    var style = Palette.heading
    if content.rank == .downtime { style = Palette.warning.over(style) }
    var lines = StyledText(title.isEmpty ? words(.untitled) : title, style: style).wrapped(to: columns)
    result.parts.title = 0..<lines.count
    result.lines = lines
    if message.id.isWelcome { return result }
    if content.titleIsBeginningOfBody, content.rank != .downtime {
      lines = []
      result.parts.title = 0..<0
      result.parts.isTitleInBody = true
    }
    let first = lines.count
    lines += joined([source, author, star])
    result.parts.author = first..<lines.count
    lines += joined([date, changed, resolved, expiry])
    lines += questionLines
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

  /// The lines that name the origin of the article, and the key that switches between the article and the
  /// message's own text.
  private var articleLines: [StyledText] {
    guard let article else { return [] }
    let key = isOnPaper ? SafeText.empty : options.keymap.name(of: .article)
    guard showsArticle else { return joined([words(.articleIsThere, key)]) }
    return joined([
      words(.articleFrom, article.host, words.fullDate(article.fetched, in: options.zone)),
      isOnPaper ? .empty : words(.articleHides, key),
    ])
  }

  /// Returns the lines of an attachment, with the number that opens it; empty if it may not be opened.
  private func lines(of enclosure: Enclosure) -> [StyledText] {
    guard let address = enclosure.webAddress else { return [] }
    var line = StyledText(options.signs.enclosure + " " + enclosure.text, style: Palette.quiet)
    if let link = links.first(where: { $0.url == address }) {
      line.append(" [\(link.number)]", style: MarkupTheme.standard.link, link: link.number)
    }
    return line.wrapped(to: columns)
  }

  /// The author, or empty if it is the same as the source's title.
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
    let phrase: Phrase =
      content.tags.contains("merged") ? .mergedAt : content.tags.contains("closed") ? .closedAt : .resolvedAt
    return message.resolved.map { words(phrase, words.fullDate($0, in: options.zone)) } ?? .empty
  }

  private var expiry: SafeText {
    content.expires.map { words(.expiresAt, words.fullDate($0, in: options.zone)) } ?? .empty
  }

  /// The answers with their digits, or how the question ended.
  private var questionLines: [StyledText] {
    guard let question = message.question else { return [] }
    if let ended = words.ending(of: question, now: message.received, zone: options.zone) {
      return StyledText(ended, style: Palette.accent).wrapped(to: columns)
    }
    guard question.takesAnswers else { return [] }
    var line = AppState.answers(question)
    let end = words(.questionUntil, words.fullDate(question.until, in: options.zone))
    line.append(
      options.signs.between + end + options.signs.between + words(.answerIsFinal), style: Palette.quiet)
    return line.wrapped(to: columns)
  }

  /// Returns the parts that are not empty as one paragraph, with separators between them.
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
  /// Whether the text begins with the title: if a post has none, the title is made from its first line.
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
