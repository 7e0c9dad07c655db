import ArgumentParser
import Foundation
import Platform

/// `reddot hooks json`
struct JSONHooksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "json",
    abstract: "Print the hooks for programs with a JSON settings file.",
    discussion: """
      For programs that keep their hooks in such a file: {"hooks": {"EVENT": [{"hooks": [{"type": "command", …}]}]}}. With \
      --install they are added to the file, or replaced there; everything else in it stays as it is, and FILE.before-reddot is a \
      copy of what it was. Permission requests are answered in the inbox if the settings have ask = true in [hooks].

      EXAMPLES:
        reddot hooks json
        reddot hooks json --install settings.json    again changes nothing
        reddot hooks json --remove settings.json
      """)

  @OptionGroup var files: FileOptions
  @Option(help: ArgumentHelp("Add them to this file.", valueName: "file"), completion: .file())
  var install: String?
  @Option(help: ArgumentHelp("Remove them from this file.", valueName: "file"), completion: .file())
  var remove: String?

  func validate() throws {
    if install != nil, remove != nil { throw ValidationError("give either --install or --remove") }
  }

  func run() throws {
    let hooks = JSONHooks(program: HookProgram.words(files))
    guard let path = install ?? remove else { return try Answer.print(hooks.text, terminator: "") }
    do {
      try ReplacedFile(path: path).edit { old in
        if old == nil, remove != nil { return nil }
        let before = Array(old ?? Data("{}\n".utf8))
        // `removing` recognises the hooks that `adding` adds.
        let after = Data(try install == nil ? hooks.removing(from: before) : hooks.adding(to: before))
        if after == old { return nil }
        if let old { try Self.keep(old, of: path) }
        return after
      }
    } catch let failure as JSONHooks.Failure {
      throw Complaint("cannot change \(path): \(failure.reason); nothing was changed")
    } catch let failure as ReplacedFile.Failure {
      throw Complaint("\(path) \(failure.reason)")
    }
  }

  /// Stores a copy of the file as it was. Only the user can read the copy: such a file may contain tokens.
  private static func keep(_ bytes: Data, of path: String) throws {
    let name = URL(fileURLWithPath: path).lastPathComponent + ".before-reddot"
    let copy = NewFile(below: ReplacedFile.folder(of: path), name)
    unlink(copy.path)
    do throws(NewFile.Obstacle) {
      try copy.write(bytes, isProgram: false)
    } catch {
      let reason = if case .failure(let clause) = error { clause } else { "cannot be written" }
      throw Complaint("the copy \(copy.path) \(reason); nothing was changed")
    }
  }
}
