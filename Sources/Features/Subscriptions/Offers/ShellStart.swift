import Basics
import Foundation
import Platform

/// The file that a shell reads when it starts, and the line in it that reports long commands to reddot.
struct ShellStart {
  let path: String
  private let name: String

  /// Finds the file of a shell, or returns `nil` if reddot has no hook for the shell.
  init?(_ name: String, _ environment: Environment) {
    func folder(_ variable: String, _ fallback: String) -> String {
      environment.variables[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? fallback
    }
    let home = environment.home
    switch name {
    case "bash": path = home + "/.bashrc"
    case "zsh": path = folder("ZDOTDIR", home) + "/.zshrc"
    case "fish": path = folder("XDG_CONFIG_HOME", home + "/.config") + "/fish/config.fish"
    case _: return nil
    }
    self.name = name
  }

  /// Whether the text of the file already contains reddot's line.
  func hasHook(_ text: String) -> Bool { text.contains("hooks \(name)") && text.contains("reddot") }

  /// Returns the line for the file.
  ///
  /// - Parameter program: this program with its arguments.
  private func line(_ program: [String]) -> String {
    let command = ShellWord.line(program)
    return name == "fish" ? "\(command) | source" : "eval \"$(\(command))\""
  }

  /// Adds the line at the end of the file, unless the file already contains it.
  ///
  /// - Throws: `ReplacedFile.Failure`
  func install(_ program: [String]) throws {
    let folder = ReplacedFile.folder(of: path)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try ReplacedFile(path: path).edit { before in
      let text = String(decoding: before ?? Data(), as: UTF8.self)
      if hasHook(text) { return nil }
      let end = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
      return (before ?? Data())
        + Data("\(end)# Long commands become messages of reddot.\n\(line(program))\n".utf8)
    }
  }
}
