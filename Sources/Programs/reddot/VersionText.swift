import Profile
import Terminal

/// The output of `reddot --version`: the program's version, the commit that was built, and the libraries in use.
enum VersionText {
  static var text: String {
    (["reddot \(Composition.version), commit \(EmbeddedText.named("commit") ?? "unknown")"]
      + LibraryVersions.lines
      + [CursesLibrary.nameAndVersion]).joined(separator: "\n")
  }
}
