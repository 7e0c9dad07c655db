import Basics
import Foundation

/// A word of a line for a POSIX shell, in which nothing has a meaning.
package enum ShellWord {
  /// In single quotes, unless it means itself without them.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_./-+@%,:=".utf8.contains($0) }
    return isPlain ? word : "'" + word.replacing(exactly: "'", with: "'\\''") + "'"
  }

  package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}
