import Foundation
import Platform

/// A line that the user types invisibly, or that another program writes.
enum SecretInput {
  /// Reads a line, and prints the question before if the user is at a terminal.
  ///
  /// - Returns: the line; empty at the end of the input.
  static func line(asking question: String) -> String {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
    ErrorOutput.write(question)
    var before = termios()
    guard tcgetattr(STDIN_FILENO, &before) == 0 else { return readLine() ?? "" }
    var unseen = before
    unseen.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &unseen)
    // Otherwise the shell would continue without an echo.
    let signals = EndingSignals { [before] in
      var before = before
      tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }
    defer {
      tcsetattr(STDIN_FILENO, TCSANOW, &before)
      signals.cancel()
      ErrorOutput.write("\n")
    }
    return readLine() ?? ""
  }
}
