import Basics
import Foundation

/// The user's editor: `VISUAL`, otherwise `EDITOR`, otherwise vi.
package struct TextEditor {
  /// The command that starts the editor: a line for the shell.
  package let line: String

  /// The editors that accept a line number after a plus sign before the file (POSIX ex, and editors that follow it).
  private static let goToLine: Set<String> = [
    "vi", "vim", "nvim", "view", "ex", "nano", "pico", "emacs", "emacsclient", "mg", "micro", "joe", "jed",
    "ne",
    "kak", "vis", "nvi", "elvis", "gvim",
  ]

  package init(environment: [String: String]) {
    let named = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.allSatisfy(\.isWhitespace) }
    line = named ?? "vi"
  }

  private var name: String {
    let word = line.split(onBytes: " ").first.map(String.init) ?? line
    return (word as NSString).lastPathComponent
  }

  /// Returns the program that opens a file, with its arguments.
  ///
  /// - Parameter number: the line, counted from 1; 0 if it is not known.
  package func words(for file: String, at number: Int) -> [String] {
    let hasLine = number > 0 && Self.goToLine.contains(name)
    // The shell's code is the user's own; line and file are its arguments.
    return ["/bin/sh", "-c", line + " \"$@\"", "sh"] + (hasLine ? ["+\(number)"] : []) + [file]
  }
}
