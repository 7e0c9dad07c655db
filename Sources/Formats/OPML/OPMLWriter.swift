/// Writes OPML 2.0 with two spaces a level.
struct OPMLWriter {
  private var output = ""

  mutating func write(_ document: OPMLDocument) -> String {
    output = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n  <head>\n"
    if let title = document.title { output += "    <title>\(Self.escaped(title))</title>\n" }
    output += "  </head>\n  <body>\n"
    write(document.feeds[...], under: 0)
    output += "  </body>\n</opml>\n"
    return output
  }

  private mutating func write(_ feeds: ArraySlice<OPMLDocument.Feed>, under depth: Int) {
    let indentation = String(repeating: "  ", count: depth + 2)
    var written: Set<String> = []
    for feed in feeds {
      guard feed.folders.count > depth else {
        output += "\(indentation)<outline type=\"rss\" text=\"\(Self.escaped(feed.title))\""
        output += " title=\"\(Self.escaped(feed.title))\" xmlUrl=\"\(Self.escaped(feed.url))\""
        if let page = feed.page { output += " htmlUrl=\"\(Self.escaped(page))\"" }
        output += "/>\n"
        continue
      }
      let folder = feed.folders[depth]
      guard written.insert(folder).inserted else { continue }
      let name = Self.escaped(folder)
      output += "\(indentation)<outline text=\"\(name)\" title=\"\(name)\">\n"
      write(feeds.filter { $0.folders.count > depth && $0.folders[depth] == folder }[...], under: depth + 1)
      output += "\(indentation)</outline>\n"
    }
  }

  /// Characters that XML forbids are left out; line ends in attributes would become spaces.
  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "\t", "\n", "\r": output += "&#\(scalar.value);"
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": continue
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}
