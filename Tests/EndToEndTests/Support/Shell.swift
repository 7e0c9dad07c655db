import Foundation
import TerminalHarness
import Testing

/// An interactive shell with the program's completions, in a terminal.
final class Shell {
  enum Name: String, CaseIterable, CustomTestStringConvertible {
    case bash, zsh, fish

    var path: String { "/usr/bin/\(rawValue)" }
    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }
    var testDescription: String { rawValue }

    fileprivate var arguments: [String] {
      switch self {
      case .bash: ["--norc", "-i"]
      case .zsh: ["-f", "-i"]
      case .fish: ["--no-config"]
      }
    }

    /// Installs the completions, and a prompt that is no text of a test.
    fileprivate func setUp(_ folder: String) -> String {
      switch self {
      case .bash: "PS1=; set -o histexpand; bind 'set bell-style none'; source '\(folder)/_reddot'"
      case .zsh: "PS1=; fpath=('\(folder)' $fpath); autoload -U compinit; compinit -u -D"
      case .fish: "function fish_prompt; end; source '\(folder)/_reddot'"
      }
    }

    fileprivate var status: String { self == .fish ? "$status" : "$?" }
  }

  private let name: Name
  private let terminal: PseudoTerminal
  private var lines = 0

  /// - Parameter program: the program that the shell starts as `reddot`.
  init(
    _ name: Name, _ household: Household, program: String = BuiltProduct.path("reddot")
  ) throws {
    self.name = name
    let folder = "\(household.home)/completions"
    let script = try household.run("--generate-completion-script", name.rawValue)
    try #require(script.exit == .status(0))
    try household.write("\(folder)/_reddot", script.output)
    terminal = try PseudoTerminal(columns: 200, rows: 50)
    var environment = household.environment
    environment["PATH"] = "\((program as NSString).deletingLastPathComponent):/usr/bin:/bin"
    try terminal.start(name.path, name.arguments, environment: environment, keeping: household)
    #expect(try status(after: "cd '\(household.home)'\r" + name.setUp(folder)) == 0)
  }

  /// Types a line and Enter.
  /// - Returns: the exit status of its last command.
  func status(after line: String) throws -> Int? {
    lines += 1
    let mark = "status-\(lines)-is-"
    // The typed text is echoed, but not with the number.
    let before = terminal.bytes.count
    terminal.send("\(line)\recho '\(mark)'\(name.status)'.'\r")
    var status: Int?
    try terminal.wait(for: mark) { terminal in
      let text = String(decoding: terminal.bytes[before...], as: UTF8.self)
      guard let found = text.range(of: "\(mark)[0-9]+[.]", options: .regularExpression) else { return false }
      status = Int(text[found].dropFirst(mark.count).dropLast())
      return true
    }
    return status
  }
}
