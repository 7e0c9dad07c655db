import Basics
import Screen

/// Numbers the links of a document in the order of their first occurrence. A link's label is its
/// text there.
struct LinkCollector {
  private struct Entry {
    var url: String
    var label: [UInt8] = []
    var isNamed = false
  }

  private var entries: [Entry] = []
  private var numbers: [String: Int] = [:]
  /// Read where an address is relative; in most documents none is.
  private lazy var base = LinkAddress(base: page)
  private let page: String?
  /// The address of the message itself.
  private let own: String?

  /// False where the text alone is wanted.
  private let isNumbering: Bool

  /// - Parameters:
  ///   - own: the address of the message itself, which is shown and opened without a number.
  ///   - isNumbering: false gives no link a number.
  init(base: String?, own: String? = nil, isNumbering: Bool = true) {
    self.isNumbering = isNumbering
    page = base
    self.own = own.flatMap { LinkAddress.resolve($0, base: nil) }
  }

  /// `<base href>`: resolved against the document's address.
  mutating func rebase(_ reference: String) {
    base = LinkAddress(base: LinkAddress.resolve(reference, base: base)) ?? base
  }

  /// The number for an address; ``Link/ownNumber`` for that of the message itself; nil if it may not be opened.
  mutating func number(for reference: String) -> Int? {
    guard isNumbering, let url = LinkAddress.resolve(reference, base: base) else { return nil }
    if url == own { return Link.ownNumber }
    if let known = numbers[url] { return known }
    guard entries.count < Limits.links else { return nil }
    entries.append(Entry(url: url))
    numbers[url] = entries.count
    return entries.count
  }

  mutating func canOpen(_ reference: String) -> Bool { LinkAddress.resolve(reference, base: base) != nil }

  /// The absolute address of a picture; nil unless it is http or https.
  mutating func webAddress(of reference: String) -> String? {
    guard let address = LinkAddress.resolve(reference, base: base), LinkScheme(of: address)?.isWeb == true
    else { return nil }
    return address
  }

  /// Adds text to a link's label, until that is finished.
  mutating func addLabel(_ text: some Sequence<UInt8>, to number: Int) {
    guard number != Link.ownNumber, !entries[number - 1].isNamed,
      entries[number - 1].label.count < Limits.labelBytes
    else { return }
    entries[number - 1].label += text.prefix(Limits.labelBytes)
  }

  mutating func finishLabel(_ number: Int) {
    if number != Link.ownNumber { entries[number - 1].isNamed = true }
  }

  /// Removes a link without visible text, if it is the newest one.
  mutating func discard(_ number: Int) {
    guard number == entries.count, let last = entries.last, !last.isNamed else { return }
    numbers[last.url] = nil
    entries.removeLast()
  }

  var links: [Link] {
    entries.enumerated().map { index, entry in
      let words = String(decoding: entry.label, as: UTF8.self).split { $0.isWhitespace }
      return Link(number: index + 1, label: SafeText(untrusted: words.joined(separator: " ")), url: entry.url)
    }
  }

  static func marker(_ number: Int) -> SafeText { "[\(number)]" }

  /// The number after a link's text; nil for that of the message itself. It has the emphasis around it, so that code is
  /// not interrupted.
  static func number(_ number: Int, inside emphasis: Emphasis) -> Span? {
    number == Link.ownNumber
      ? nil
      : Span(marker(number), emphasis.intersection([.code, .deleted]).union(.linkNumber), link: number)
  }

  /// The label of a picture: its description, else its file's name if it has one.
  static func image(_ alt: String?, source: String) -> SafeText {
    if let alt, !alt.isEmpty { return "[image: \(untrusted: alt)]" }
    let path = source.hasPrefix("data:") ? "" : source.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(exactly: "/").last ?? ""
    return name.contains(".") && name.count <= 40 ? "[image: \(untrusted: String(name))]" : "[image]"
  }
}
