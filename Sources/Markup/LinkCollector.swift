import Limits
import Screen

/// Numbers the links of a document in the order of their first appearance, and names them by the
/// text that they had there.
struct LinkCollector {
  private struct Entry {
    var url: String
    var label: [UInt8] = []
    var isNamed = false
  }

  private var entries: [Entry] = []
  private var numbers: [String: Int] = [:]
  private var base: LinkAddress?

  init(base: String?) { self.base = LinkAddress(base: base) }

  /// `<base href>`: itself resolved against the address that the document came from.
  mutating func rebase(_ reference: String) {
    base = LinkAddress(base: LinkAddress.resolve(reference, base: base)) ?? base
  }

  /// The number for an address, nil where it is not offered.
  mutating func number(for reference: String) -> Int? {
    guard let url = LinkAddress.resolve(reference, base: base) else { return nil }
    if let known = numbers[url] { return known }
    guard entries.count < Limits.links else { return nil }
    entries.append(Entry(url: url))
    numbers[url] = entries.count
    return entries.count
  }

  /// Adds to what a link is called, until its name is finished.
  mutating func addLabel(_ text: some Sequence<UInt8>, to number: Int) {
    guard !entries[number - 1].isNamed, entries[number - 1].label.count < Limits.labelBytes else { return }
    entries[number - 1].label += text.prefix(Limits.labelBytes)
  }

  mutating func finishLabel(_ number: Int) { entries[number - 1].isNamed = true }

  /// Takes a link back that has nothing to show, if it is the newest one.
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

  /// The number behind a link's text. What goes on behind it, such as code, is not broken off for it.
  static func number(_ number: Int, inside emphasis: Emphasis) -> Span {
    Span(marker(number), emphasis.intersection([.code, .deleted]).union(.linkNumber), link: number)
  }

  /// What stands for a picture without a description: its file's name, where it has one.
  static func image(_ alt: String?, source: String) -> SafeText {
    if let alt, !alt.isEmpty { return "[image: \(untrusted: alt)]" }
    let path = source.hasPrefix("data:") ? "" : source.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(separator: "/").last ?? ""
    return name.contains(".") && name.count <= 40 ? "[image: \(untrusted: String(name))]" : "[image]"
  }
}
