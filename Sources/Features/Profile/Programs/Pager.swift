package import Foundation
package import Platform

/// The user's program for long texts: `PAGER`, else `EDITOR`, else less or more.
package struct Pager {
  /// How the program gets a text.
  enum Way: Hashable {
    /// A line for the shell that reads it from standard input (environ(7)).
    case standardInput(String)
    /// A line for the shell that gets the name of a file as its last argument.
    case file(String)
  }

  let way: Way
  let environment: [String: String]

  package init(environment: [String: String]) {
    func line(_ variable: String) -> String? {
      environment[variable].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
    var environment = environment
    if let pager = line("PAGER") {
      way = .standardInput(pager)
    } else if let editor = line("EDITOR") {
      way = .file(editor)
    } else {
      let hasLess = ProgramRunner.isInstalled("less", path: environment["PATH"])
      way = .standardInput(hasLess ? "less" : "more")
    }
    // With -F less ends at once if all fits on the screen, and reddot would overwrite its output.
    if let options = environment["LESS"], options.contains("F") { environment["LESS"] = options + " -+F" }
    self.environment = environment
  }

  /// Its name for messages.
  package var name: String {
    switch way {
    case .standardInput(let line), .file(let line): line
    }
  }

  /// Starts the program; the caller has released the terminal.
  ///
  /// - Parameter file: the file for the text, if the program needs one.
  package func start(_ text: [UInt8], file: URL) throws -> StartedProgram {
    switch way {
    case .standardInput(let line):
      return try StartedProgram(["/bin/sh", "-c", line], environment: environment, .terminal(input: text))
    case .file(let line):
      // The folder is readable only by the user.
      try Data(text).write(to: file, options: .withoutOverwriting)
      // The shell's text is from the user's environment; the file's name is its argument.
      return try StartedProgram(
        ["/bin/sh", "-c", line + " \"$1\"", "sh", file.path], environment: environment,
        .terminal(input: nil))
    }
  }
}
