import Foundation
import Platform

/// Questions to the user at the terminal.
enum TerminalQuestion {
  static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks for a confirmation, after the output so far is written. Any answer other than yes is a no.
  static func isConfirmed(_ question: String) throws(OutputFailure) -> Bool {
    try Answer.flush()
    ErrorOutput.write("\(question) [y/N] ")
    let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    return ["y", "yes"].contains(answer)
  }
}
