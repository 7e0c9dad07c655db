/// On which line each key of a TOML text stands. Only messages about mistakes use it, so it follows the layout
/// that people write (one key a line) and falls back to the table's header.
struct SettingsLines {
  /// A `[table]` or `[[array]]` header and the lines up to the next one.
  struct Block: Equatable {
    var path: String
    /// 1-based, of the header; 0 for what stands before the first one.
    var header: Int
    /// The last line that is neither blank nor a comment.
    var last: Int
  }

  private var places: [String: Int] = [:]
  private(set) var blocks: [Block] = [Block(path: "", header: 0, last: 0)]

  init(_ text: String) {
    var counts: [String: Int] = [:]
    var path = ""
    var delimiter: String?
    for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = raw.drop { $0 == " " || $0 == "\t" }
      let number = index + 1
      if let open = delimiter {
        blocks[blocks.count - 1].last = number
        if line.contains(open) { delimiter = nil }
        continue
      }
      let text = String(line).trimmingSuffix()
      if text.isEmpty || text.hasPrefix("#") { continue }
      if text.hasPrefix("["), let name = Self.header(text) {
        if text.hasPrefix("[[") {
          let count = counts[name, default: 0]
          counts[name] = count + 1
          path = "\(name)[\(count)]"
        } else if let dot = name.firstIndex(of: "."), let count = counts[String(name[..<dot])] {
          // `[source.types]` belongs to the last `[[source]]`.
          path = "\(name[..<dot])[\(count - 1)]\(name[dot...])"
        } else {
          path = name
        }
        places[path] = number
        blocks.append(Block(path: path, header: number, last: number))
        continue
      }
      blocks[blocks.count - 1].last = number
      guard let equals = text.firstIndex(of: "=") else { continue }
      let key = Self.unquoted(String(text[..<equals]))
      let full = path.isEmpty ? key : "\(path).\(key)"
      if places[full] == nil { places[full] = number }
      for mark in ["\"\"\"", "'''"] where text.components(of: mark) % 2 == 1 { delimiter = mark }
    }
  }

  /// The line of a key, else of the nearest table around it, else 0.
  func line(of path: String) -> Int {
    var path = path
    while true {
      if let line = places[path] { return line }
      guard let dot = path.lastIndex(of: ".") else { return 0 }
      path = String(path[..<dot])
    }
  }

  private static func header(_ line: String) -> String? {
    let name = line.drop { $0 == "[" }.prefix { $0 != "]" }
    return name.isEmpty ? nil : unquoted(String(name))
  }

  private static func unquoted(_ key: String) -> String {
    key.filter { $0 != "\"" && $0 != "'" && $0 != " " && $0 != "\t" }
  }
}

extension String {
  fileprivate func trimmingSuffix() -> String {
    var text = Substring(self)
    while let last = text.last, last == " " || last == "\t" || last == "\r" { text.removeLast() }
    return String(text)
  }

  fileprivate func components(of mark: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
