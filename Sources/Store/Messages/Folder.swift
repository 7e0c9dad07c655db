import Basics

/// The folder of a source: names from the outermost to the innermost, separated by `/`.
package struct Folder: Hashable, Comparable, Sendable {
  /// The maximum number of levels below the top.
  package static let deepest = 16
  /// The maximum number of characters of one name.
  package static let longestName = 64

  /// The names joined by `/`; never empty.
  package let path: String

  /// Returns `nil` if there are no names or too many, or if one is too long. Spaces around a name are removed.
  package init?(_ text: String) {
    let names = Self.names(text)
    guard !names.isEmpty, names.count <= Self.deepest, names.allSatisfy({ $0.count <= Self.longestName })
    else { return nil }
    path = names.joined(separator: "/")
  }

  /// Creates a folder from its stored path.
  private init(path: String) { self.path = path }

  package var names: [String] { path.split(onBytes: "/").map(String.init) }

  /// The name of the innermost folder.
  package var name: String { path.split(onBytes: "/").last.map(String.init) ?? path }

  package var parent: Folder? {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { Folder(path: String(path[..<$0])) }
  }

  /// The folders from the outermost one to this one.
  package var chain: [Folder] { (parent?.chain ?? []) + [self] }

  /// Whether `other` is this folder or inside it.
  package func contains(_ other: Folder?) -> Bool {
    guard let other else { return false }
    return other == self || other.path.utf8.starts(with: (path + "/").utf8)
  }

  package static func < (a: Self, b: Self) -> Bool { a.path < b.path }

  /// Returns the names between the slashes, without spaces around them and without empty ones.
  private static func names(_ text: String) -> [String] {
    text.split(onBytes: "/").map { name in
      var name = name[...]
      while name.first?.isWhitespace == true { name.removeFirst() }
      while name.last?.isWhitespace == true { name.removeLast() }
      return String(name)
    }.filter { !$0.isEmpty }
  }
}
