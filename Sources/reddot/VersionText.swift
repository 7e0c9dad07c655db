import CWords
import Terminal
import Workspace

/// What `reddot --version` prints: the program's version, the commit that was built, and the libraries that are in use.
enum VersionText {
  static var text: String {
    (["reddot \(Composition.version), commit \(commit ?? "unknown")"] + LibraryVersions.lines
      + [CursesLibrary.nameAndVersion]).joined(separator: "\n")
  }

  /// Nil: the build was not given its name.
  private static var commit: String? {
    var count = 0
    guard let start = reddot_words("commit", &count) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
