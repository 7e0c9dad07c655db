import ArgumentParser
import Foundation
import Platform
import Profile
import Settings
import Words

/// `reddot config`
struct ConfigCommand: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Open the settings file in your editor, and check it.",
    discussion: """
      The editor is VISUAL, otherwise EDITOR, otherwise vi. Afterwards the file is checked: errors are printed with file, line \
      and key, and you can open it again. If there is no file, one is made. reddot help config lists all settings.

      --print replaces tokens, passwords and credentials in addresses by ***. A file with errors is not printed.

      Exits with 1 if the settings have errors.

      EXAMPLES:
        reddot config
        EDITOR=nano reddot config
        reddot config --print
        cd "$(dirname "$(reddot config --path)")"
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Print the settings without tokens and passwords.") var print = false
  @Flag(help: "Print the path of the settings file.") var path = false

  func validate() throws {
    if print, path { throw ValidationError("give only one of --print and --path") }
  }

  func run() async throws {
    let environment = Composition.environment()
    let file = SettingsFile(
      path: files.config ?? environment.directories.settingsFile, home: environment.home)
    if path { return try Answer.print(SafeOutput.line(file.path)) }
    if print {
      let text = SafeOutput.lines(try file.textWithoutSecrets())
      return try text.isEmpty ? () : Answer.print(text)
    }
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Complaint("the editor needs a terminal; run reddot config --path to print the path of the file")
    }
    try file.create()
    var line = 0
    repeat {
      try await edit(file.path, at: line, environment)
      let mistakes = Self.mistakes(in: file)
      for mistake in mistakes { Complaint.print(mistake.sentence) }
      guard let first = mistakes.first else {
        return try Answer.print("\(SafeOutput.line(file.path)): no errors")
      }
      line = first.file == file.path ? first.line : 0
    } while try TerminalQuestion.isConfirmed("Open it again?")
    throw ExitCode.failure
  }

  private static func mistakes(in file: SettingsFile) -> [SettingsMistake] {
    do {
      let settings = try file.load()
      return settings.problems + settings.leftOut
    } catch let error as SettingsMistakes {
      return error.mistakes
    } catch {
      return [
        SettingsMistake(file: file.path, line: 0, key: "", problem: Complaint.sentence(error) ?? "\(error)")
      ]
    }
  }

  /// Runs the editor until it exits.
  ///
  /// - Parameter line: the line at which the editor begins, from 1; 0 for the beginning.
  private func edit(_ path: String, at line: Int, _ environment: Environment) async throws {
    let editor = TextEditor(environment: environment.variables)
    let program = try StartedProgram(
      editor.words(for: path, at: line), environment: environment.variables, .terminal(input: nil))
    // These signals are for the editor, which uses the terminal until it exits.
    let signals = [SIGINT, SIGQUIT]
    for signal in signals { Foundation.signal(signal, SIG_IGN) }
    defer { for signal in signals { Foundation.signal(signal, SIG_DFL) } }
    if let failure = await program.ending().failure() {
      throw Complaint("the editor \(editor.line) \(failure.words); set EDITOR to another")
    }
  }
}
