import Basics
package import Foundation
package import Platform

/// The user's program for long text: `PAGER`, otherwise `EDITOR`, otherwise less or more.
package struct Pager {
  /// The way in which the program gets the text.
  enum Way: Hashable {
    /// A line for the shell; the program reads from standard input (environ(7)).
    case standardInput(String)
    /// A line for the shell; the program gets the name of a file as its last argument.
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
    // With -R, less shows styles; without it, less shows the bytes of the escape sequences.
    environment["LESS"] = "-R" + (environment["LESS"].map { " \(Self.dashed($0))" } ?? "")
    // With -F, less exits immediately if everything fits on the screen, and reddot would overwrite its output.
    if let options = environment["LESS"], options.contains("F") { environment["LESS"] = options + " -+F" }
    self.environment = environment
  }

  /// Returns the options of `LESS` with a dash in front, which the variable's first option may lack.
  private static func dashed(_ options: String) -> String {
    options.hasPrefix("-") || options.isEmpty ? options : "-" + options
  }

  /// Whether the program shows the styles of lines (ECMA-48, SGR). Others may show the bytes of the escape sequences.
  package var showsStyles: Bool {
    guard case .standardInput(let line) = way, let word = line.split(onBytes: " ").first else { return false }
    return ["less", "more", "cat"].contains((String(word) as NSString).lastPathComponent)
  }

  /// The program's name, for messages.
  package var name: String {
    switch way {
    case .standardInput(let line), .file(let line): line
    }
  }

  /// Starts the program with the text; the caller has released the terminal before.
  ///
  /// - Parameter file: the file for the text, if the program needs one.
  package func start(_ text: [UInt8], file: URL) throws -> StartedProgram {
    switch way {
    case .standardInput(let line):
      return try StartedProgram(["/bin/sh", "-c", line], environment: environment, .terminal(input: text))
    case .file(let line):
      // The folder is readable only by the user.
      try Data(text).write(to: file, options: .withoutOverwriting)
      // The shell's code is from the user's environment; the file's name is its argument.
      return try StartedProgram(
        ["/bin/sh", "-c", line + " \"$1\"", "sh", file.path], environment: environment,
        .terminal(input: nil))
    }
  }
}
