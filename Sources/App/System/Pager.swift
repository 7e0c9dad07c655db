import Foundation
import Programs

/// The program in which a person reads long texts: `PAGER`, else `EDITOR`, else less or more.
struct Pager {
  /// What a text is given to.
  enum Way: Hashable {
    /// A line for the shell that reads it from standard input (environ(7)).
    case standardInput(String)
    /// A line for the shell that gets the name of a file behind it.
    case file(String)
  }

  let way: Way
  let environment: [String: String]

  init(environment: [String: String]) {
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
    // With -F less leaves at once where all fits on the screen, and reddot would cover what it printed.
    if let options = environment["LESS"], options.contains("F") { environment["LESS"] = options + " -+F" }
    self.environment = environment
  }

  /// What it is called in sentences.
  var name: String {
    switch way {
    case .standardInput(let line), .file(let line): line
    }
  }

  /// Starts it; the caller has given the terminal away.
  ///
  /// - Parameter file: where the text stands if the program wants a file.
  func start(_ text: [UInt8], file: URL) throws -> StartedProgram {
    switch way {
    case .standardInput(let line):
      return try StartedProgram(["/bin/sh", "-c", line], environment: environment, .terminal(input: text))
    case .file(let line):
      // Nobody else reads it.
      try Data(text).write(to: file, options: .withoutOverwriting)
      // The text is its owner's; the name of the file is an argument of it.
      return try StartedProgram(
        ["/bin/sh", "-c", line + " \"$1\"", "sh", file.path], environment: environment,
        .terminal(input: nil))
    }
  }
}
