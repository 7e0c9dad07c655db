import Basics

/// Collects the feeds of an OPML document's outlines.
final class OPMLSink: XMLSink {
  var document = OPMLDocument()
  /// Whether the document has an `opml` element.
  private(set) var isOPML = false
  /// Whether the root element was closed.
  private(set) var isComplete = false
  /// The name of the first element.
  private(set) var root: String?

  private let allowance: Allowance
  private let isRepaired: Bool
  /// The open elements.
  private var stack: [Frame] = []
  /// The number of open elements beyond the maximum depth.
  private var overflow = 0
  /// The numbers of feeds that are left out because they are nested too deeply or their URLs are too long.
  private var (tooDeep, tooLong) = (0, 0)
  /// The indices of the feeds, keyed by their URLs.
  private var seen: [String: Int] = [:]
  private var isInHead = false
  /// The text of the list's title while its element is open.
  private var headTitle: [UInt8]?

  /// An open element.
  private struct Frame {
    let local: String
    /// The folders of the outlines inside the element, outermost first. Its feeds share the array.
    let folders: [String]
  }

  init(allowance: Allowance, isRepaired: Bool = false) {
    self.allowance = allowance
    self.isRepaired = isRepaired
  }

  /// The problems for feeds that were left out, one for each reason.
  var leftOut: [FormatProblem] {
    let feeds = { (count: Int) in count == 1 ? "1 feed was" : "\(count) feeds were" }
    var problems: [FormatProblem] = []
    if tooDeep > 0 {
      let reason = "nested in more than \(Limits.opmlDepth) elements"
      problems.append(FormatProblem(at: "", message: "\(feeds(tooDeep)) left out: \(reason)"))
    }
    if tooLong > 0 {
      let reason = "with an address of more than \(Limits.addressBytes) bytes"
      problems.append(FormatProblem(at: "", message: "\(feeds(tooLong)) left out: \(reason)"))
    }
    return problems
  }

  func startElement(_ name: XMLName, _ attributes: XMLAttributes) {
    guard overflow == 0, stack.count < Limits.opmlDepth else {
      overflow += 1
      if attributes.text("xmlUrl") != nil { tooDeep += 1 }
      return
    }
    let local = String(cString: name.local).lowercased()
    if root == nil { root = local }
    var folder: String?
    switch local {
    case "opml": isOPML = true
    case "head": isInHead = true
    case "title": if isInHead, document.title == nil { headTitle = [] }
    case "outline": folder = outline(attributes)
    default: break
    }
    var folders = stack.last?.folders ?? []
    // The strings are shared, but each folder has its own array.
    if let folder, allowance.spend((folders.count + 1) * MemoryLayout<String>.stride) { folders += [folder] }
    stack.append(Frame(local: local, folders: folders))
  }

  func endElement(_ name: XMLName) {
    let local = String(cString: name.local).lowercased()
    if overflow > 0 {
      // In a repaired document, elements may still be open at the root's end.
      guard local == "opml", isRepaired else {
        overflow -= 1
        return
      }
      overflow = 0
    }
    guard let place = stack.lastIndex(where: { $0.local == local }) else { return }
    stack.removeSubrange(place...)
    if local == "opml" { isComplete = true }
    if local == "head" { isInHead = false }
    if local == "title", let bytes = headTitle {
      let title = AuthorName.collapsed(String(decoding: bytes, as: UTF8.self))
      if !title.isEmpty { document.title = title }
      headTitle = nil
    }
  }

  func characters(_ text: UnsafeBufferPointer<UInt8>) { headTitle?.append(contentsOf: text) }

  /// Reads an outline: adds it if it is a feed and returns `nil`, or returns its name if it is a folder.
  private func outline(_ attributes: XMLAttributes) -> String? {
    let name = [attributes.text("title"), attributes.text("text")].lazy
      .compactMap { $0.map(AuthorName.collapsed) }.first { !$0.isEmpty }
    guard let written = attributes.text("xmlUrl") ?? attributes.text("url"), attributes.text("type") != "link"
    else { return name }
    let url = LinkReference.resolve(written, against: nil)
    guard !url.isEmpty else { return nil }
    guard url.utf8.count <= Limits.addressBytes else {
      tooLong += 1
      return nil
    }
    guard allowance.spend(Limits.itemBytes) else { return nil }
    var places = [stack.last?.folders ?? []]
    if places == [[]], let categories = attributes.text("category") {
      places = Self.folders(categories)
      for _ in places { allowance.spend(Limits.itemBytes) }
    }
    let folders = places.first ?? []
    if let known = seen[url] {
      let feed = document.feeds[known]
      if feed.folders.isEmpty {
        // A feed that is listed both in a folder and outside of folders is in the folder.
        document.feeds[known].folders = folders
      } else if !folders.isEmpty, feed.folders != folders, !feed.alsoIn.contains(folders),
        feed.alsoIn.count < Limits.opmlDepth
      {
        document.feeds[known].alsoIn.append(folders)
      }
      return nil
    }
    seen[url] = document.feeds.count
    let page = attributes.text("htmlUrl").flatMap { $0.isEmpty ? nil : $0 }
    document.feeds.append(
      OPMLDocument.Feed(url: url, title: name ?? AuthorName.collapsed(url), page: page, folders: folders))
    document.feeds[document.feeds.count - 1].alsoIn = Array(places.dropFirst())
    return nil
  }

  /// Returns the folders in the attribute `category`, for example "/Tech/Linux,/News", without duplicates.
  private static func folders(_ categories: String) -> [[String]] {
    categories.split(onBytes: ",").prefix(Limits.opmlDepth).reduce(into: []) { places, category in
      let names = category.split(onBytes: "/").prefix(Limits.opmlDepth).map {
        AuthorName.collapsed(String($0))
      }
      .filter { !$0.isEmpty }
      if !names.isEmpty, !places.contains(names) { places.append(names) }
    }
  }
}
