import ArgumentParser
import Messages
import Platform
import Profile
import Words

/// `reddot remove`
struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Stop following a source.",
    discussion: """
      reddot undo restores the source with its settings and its messages, which stay stored meanwhile. \
      --forget deletes the messages; they cannot be restored.

      EXAMPLES:
        reddot remove team
        reddot remove team --forget
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The name of a source.", completion: .sourceNames) var name: String
  @Flag(help: "Delete its messages too; this cannot be undone.") var forget = false

  func run() throws {
    let profile = try Composition.profile(files)
    let source = try profile.source(named: name)
    let keepers =
      forget ? try profile.forget(source) : try profile.remove(source, called: source.name)
    _ = try profile.reopened()
    let name = SafeOutput.line(source.name)
    try Answer.print("removed \(name)\(forget ? " and its messages" : "")")
    if !keepers.isEmpty {
      let machines = keepers.map { SafeOutput.line($0) }.joined(separator: ", ")
      try Answer.print(
        "the settings of \(machines) keep it there; on each of them, run `reddot remove \(ShellWord.quoted(name))`"
      )
    }
  }
}
