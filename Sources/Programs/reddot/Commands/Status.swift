import ArgumentParser
import Platform
import Profile

/// `reddot status`
struct Status: OneThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print a line for a prompt or a status bar.",
    discussion: """
      "● 3" if something unseen arrived and 3 messages are unread; "3" if everything was seen but 3 are \
      unread; otherwise nothing. In quiet hours, "quiet until 7:00" follows. With --check, exits with 10 if \
      something is unseen, otherwise with 0.

      --format writes for a bar: waybar (one JSON object), tmux, polybar, json, or a template with names in braces: {dot} \
      {unread} {starred} {total} {quiet} {waiting} {title} {source}, the last two of the newest unread message, {list:NAME} for the unread \
      messages of a saved list. The value of a name is plain text: with --for it is escaped for that bar, otherwise it \
      cannot control a terminal. For waybar that is Pango markup. For i3bar the line becomes a block of its \
      protocol, {"full_text": …}, whose text isn't markup. With --watch, it keeps running and prints a line \
      for each change, until the reader exits.

      EXAMPLES:
        PS1='$(reddot status) \\w $ '
        set -g status-right '#(reddot status --format tmux)'        in tmux.conf
        reddot status --format '{dot} {unread} {title}'
        set -g status-right '#(reddot status --for tmux --format "{unread} {title}")'
        "exec": "reddot status --format waybar --watch"              for waybar
        reddot status --check || notify
      """)

  @OptionGroup var files: FileOptions
  @Flag(help: "Exit with 10 if something is unseen.") var check = false
  @Flag(help: "Print a JSON object.") var json = false
  @Option(help: "waybar, tmux, polybar, json, or a template such as '{unread} {title}'.") var format: String?
  @Option(
    name: .customLong("for"), help: "The bar that reads such a template: tmux, polybar, waybar or i3bar.")
  var bar: StatusBar?
  @Flag(help: "Keep running, and print a line for each change.") var watch = false

  func validate() throws {
    if json, format != nil { throw ValidationError("give only one of --json and --format") }
    let parsed = format.map(StatusFormat.parse)
    if case .failure(let mistake)? = parsed { throw ValidationError(mistake.sentence) }
    if bar != nil, (try? parsed?.get())?.isTemplate != true {
      throw ValidationError("--for needs a template, such as --format '{unread} {title}'")
    }
    if check, watch { throw ValidationError("give only one of --check and --watch") }
  }

  var needsOneThread: Bool { !watch }

  func run() async throws {
    if watch {
      try Answer.endWithItsReader()
      let watch = StatusWatch(
        config: files.config, database: files.database, Composition.environment()
      ) {
        try Composition.profileToRead(files)
      }
      try await watch.run({ try line($0).text ?? "" }, complain: { Complaint.print($0.sentence) }) { line in
        try Answer.print(line)
        try Answer.flush()
      }
      return
    }
    let profile = try Composition.profileToRead(files)
    let (text, isUnseen) = try line(profile)
    if let text { try Answer.print(text) }
    if check && isUnseen { throw ExitCode(10) }
  }

  private func line(_ profile: Profile) throws -> (text: String?, isUnseen: Bool) {
    let isUTF8 = profile.environment.isUTF8
    if case .success(let format)? = format.map(StatusFormat.parse) {
      let report = try profile.report()
      return (format.line(report, dot: isUTF8 ? "●" : "*", for: bar), report.status.isUnseen)
    }
    let status = try profile.status()
    let text = json ? status.json : status.line(isUTF8: isUTF8).map(OutputStyles(profile).text)
    return (text, status.isUnseen)
  }
}

extension StatusBar: ExpressibleByArgument {}
