import Basics
import Foundation

/// Quotes a word for the command line of a POSIX shell.
package enum ShellWord {
  /// Returns the word in single quotes, unless it needs none.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_./-+@%,:=".utf8.contains($0) }
    return isPlain ? word : "'" + word.replacingBytes("'", with: "'\\''") + "'"
  }

  package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }
}
