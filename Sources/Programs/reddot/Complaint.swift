import ArgumentParser
import Foundation
import Platform
import Terminal
import Words

/// A failure of a command: one line on standard error, exit code 1.
struct Complaint: Error {
  var sentence: String

  init(_ sentence: String) { self.sentence = sentence }

  /// Returns the sentence of an error, or `nil` for results of the argument parser: help, version, wrong usage.
  static func sentence(_ error: any Error) -> String? {
    switch error {
    case let complaint as Complaint: complaint.sentence
    case let failure as any UserFacingError: failure.sentence
    case let failure as TerminalFailure: terminal(failure)
    case let failure as ThreadFailure: failure.sentence
    case is ValidationError, is CleanExit, is ExitCode: nil
    case _ where Reddot.exitCode(for: error) != .failure: nil
    case _: String(describing: error)
    }
  }

  static func print(_ sentence: String) {
    ErrorOutput.write("reddot: \(SafeOutput.line(sentence))\n")
  }

  private static func terminal(_ failure: TerminalFailure) -> String {
    switch failure {
    case .notATerminal(.input):
      "the inbox needs a terminal, but standard input is not a terminal; see reddot --help for commands"
    case .notATerminal(.output):
      "the inbox needs a terminal, but standard output is not a terminal; run reddot list to print messages"
    case .noTerminalType: "TERM is not set; set it to your terminal's type, such as xterm-256color"
    case .unknownTerminalType(let type):
      "the system does not know the terminal \"\(type)\"; install its description (ncurses-term), or set TERM to another"
    case .unusableTerminalType(let type):
      "the terminal \"\(type)\" cannot move its cursor; run reddot list to print messages"
    case .alreadyOpen: "the screen is already in use"
    case .system(let code): "the terminal cannot be used: \(SystemReason.words(errno: code))"
    }
  }
}
