import Basics

/// Writes OPML 2.0, indented by two spaces per level, in linear time.
struct OPMLWriter {
  /// A folder with its entries in order. A folder's position is that of its first feed.
  private struct Folder {
    /// A feed or a subfolder, given by its index.
    enum Entry {
      case feed(Int)
      case folder(Int)
    }

    var name: String
    var entries: [Entry] = []
    /// The indices of the subfolders, keyed by name.
    var folders: [String: Int] = [:]
  }

  private var output = ""
  /// The folders; the first one is the root.
  private var folders = [Folder(name: "")]

  mutating func write(_ document: OPMLDocument) -> String {
    for (index, feed) in document.feeds.enumerated() {
      for names in [feed.folders] + feed.alsoIn { folders[place(of: names)].entries.append(.feed(index)) }
    }
    output = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n  <head>\n"
    if let title = document.title { output += "    <title>\(XMLText.escaped(title))</title>\n" }
    output += "  </head>\n  <body>\n"
    write(0, of: document, depth: 0)
    output += "  </body>\n</opml>\n"
    return output
  }

  /// Returns the index of a folder, which is added if it is new.
  ///
  /// - Parameter names: the names of the folder and those around it, outermost first.
  private mutating func place(of names: [String]) -> Int {
    var place = 0
    // Our own reader does not read more levels.
    for name in names.prefix(Limits.opmlDepth) {
      if let known = folders[place].folders[name] {
        place = known
        continue
      }
      let new = folders.count
      folders.append(Folder(name: name))
      folders[place].folders[name] = new
      folders[place].entries.append(.folder(new))
      place = new
    }
    return place
  }

  /// Writes the outlines of a folder's feeds and subfolders.
  private mutating func write(_ folder: Int, of document: OPMLDocument, depth: Int) {
    let indentation = String(repeating: "  ", count: depth + 2)
    for entry in folders[folder].entries {
      switch entry {
      case .feed(let index):
        let feed = document.feeds[index]
        let title = XMLText.escaped(feed.title)
        output += "\(indentation)<outline type=\"rss\" text=\"\(title)\""
        output += " title=\"\(title)\" xmlUrl=\"\(XMLText.escaped(feed.url))\""
        if let page = feed.page { output += " htmlUrl=\"\(XMLText.escaped(page))\"" }
        output += "/>\n"
      case .folder(let inner):
        let name = XMLText.escaped(folders[inner].name)
        output += "\(indentation)<outline text=\"\(name)\" title=\"\(name)\">\n"
        write(inner, of: document, depth: depth + 1)
        output += "\(indentation)</outline>\n"
      }
    }
  }
}
