import Basics
import Screen

/// Numbers the links of a document in the order of their first occurrence. The label of a link is its text there.
struct LinkCollector {
  /// A numbered link.
  private struct Entry {
    var url: String
    var label: [UInt8] = []
    /// Whether the label is finished.
    var isNamed = false
  }

  private var entries: [Entry] = []
  /// The numbers of the links, keyed by URL.
  private var numbers: [String: Int] = [:]
  /// The base, parsed only if a URL is relative; in most documents none is.
  private lazy var base = LinkAddress(base: page)
  /// The base of relative URLs as it was given.
  private let page: String?
  /// The URL of the message itself.
  private let own: String?

  /// Whether links get numbers; `false` if only the text is needed.
  private let isNumbering: Bool

  /// - Parameters:
  ///   - own: the URL of the message itself, which is shown and opened without a number.
  ///   - isNumbering: whether links get numbers.
  init(base: String?, own: String? = nil, isNumbering: Bool = true) {
    self.isNumbering = isNumbering
    page = base
    self.own = own.flatMap { LinkAddress.resolve($0, base: nil) }
  }

  /// Sets the base from `<base href>`, resolved against the document's URL.
  mutating func rebase(_ reference: String) {
    base = LinkAddress(base: LinkAddress.resolve(reference, base: base)) ?? base
  }

  /// Returns the number for a URL, or `nil` if it may not be opened. The message's own URL has ``Link/ownNumber``.
  mutating func number(for reference: String) -> Int? {
    guard isNumbering, let url = LinkAddress.resolve(reference, base: base) else { return nil }
    if url == own { return Link.ownNumber }
    if let known = numbers[url] { return known }
    guard entries.count < Limits.links else { return nil }
    entries.append(Entry(url: url))
    numbers[url] = entries.count
    return entries.count
  }

  /// Whether a URL may be opened.
  mutating func canOpen(_ reference: String) -> Bool { LinkAddress.resolve(reference, base: base) != nil }

  /// Returns the absolute URL of a picture, or `nil` unless it is http or https.
  mutating func webAddress(of reference: String) -> String? {
    guard let address = LinkAddress.resolve(reference, base: base), LinkScheme(of: address)?.isWeb == true
    else { return nil }
    return address
  }

  /// Adds text to a link's label, until the label is finished.
  mutating func addLabel(_ text: some Sequence<UInt8>, to number: Int) {
    guard number != Link.ownNumber, !entries[number - 1].isNamed,
      entries[number - 1].label.count < Limits.labelBytes
    else { return }
    entries[number - 1].label += text.prefix(Limits.labelBytes)
  }

  /// Finishes the label of a link, so that later text of the same link is not added.
  mutating func finishLabel(_ number: Int) {
    if number != Link.ownNumber { entries[number - 1].isNamed = true }
  }

  /// Removes a link that has no visible text, if it is the newest one.
  mutating func discard(_ number: Int) {
    guard number == entries.count, let last = entries.last, !last.isNamed else { return }
    numbers[last.url] = nil
    entries.removeLast()
  }

  /// The numbered links, in order.
  var links: [Link] {
    entries.enumerated().map { index, entry in
      let words = String(decoding: entry.label, as: UTF8.self).split { $0.isWhitespace }
      return Link(number: index + 1, label: SafeText(untrusted: words.joined(separator: " ")), url: entry.url)
    }
  }

  /// Returns a link's number in brackets.
  static func marker(_ number: Int) -> SafeText { "[\(number)]" }

  /// Returns the span with a link's number, which follows the link's text, or `nil` for a link to the message itself.
  /// The span has the emphasis around it, so that code is not interrupted.
  static func number(_ number: Int, inside emphasis: Emphasis) -> Span? {
    number == Link.ownNumber
      ? nil
      : Span(marker(number), emphasis.intersection([.code, .deleted]).union(.linkNumber), link: number)
  }

  /// Returns the label that replaces a picture, with its description, or its file name if it has none:
  /// `[image: Castle]`.
  static func image(_ alt: String?, source: String) -> SafeText {
    if let alt, !alt.isEmpty { return "[image: \(untrusted: alt)]" }
    let path = source.hasPrefix("data:") ? "" : source.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(onBytes: "/").last ?? ""
    return name.contains(".") && name.count <= 40 ? "[image: \(untrusted: String(name))]" : "[image]"
  }
}
