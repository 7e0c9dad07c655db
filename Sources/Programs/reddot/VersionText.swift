import Profile
import Terminal

/// What `reddot --version` prints: the program's version, the commit that was built, and the libraries that are in use.
enum VersionText {
  static var text: String {
    (["reddot \(Composition.version), commit \(EmbeddedText.named("commit") ?? "unknown")"]
      + LibraryVersions.lines
      + [CursesLibrary.nameAndVersion]).joined(separator: "\n")
  }
}
