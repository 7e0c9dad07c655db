import App
import ArgumentParser
import Foundation
import Messages

/// `reddot push`
struct Push: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put a message into the inbox, from a script.",
    discussion: """
      With --id the same message is updated instead of repeated. One that was read or dismissed is news again. Link, \
      priority and tags that are not named stay as they were.

      EXAMPLES:
        reddot push "Backup done" --body "$(du -sh /backup)" --tag backup
        df -h / | reddot push "Disk" --body - --priority 4
        reddot run -- make test                      how a program ended, and its last lines
        reddot push "Disk at $use %" --id disk-use
        reddot apns make --title Deployed --badge 1 | reddot push --apns -
      """)

  @OptionGroup var files: FileOptions
  @Argument(help: "The title.") var title: String?
  @Option(help: ArgumentHelp("The text; - reads it from standard input.", valueName: "text")) var body:
    String?
  @Option(help: ArgumentHelp("A link to open.", valueName: "url")) var url: String?
  @Option(help: ArgumentHelp("1 (lowest) to 5 (urgent); 3 otherwise.", valueName: "n")) var priority: Int?
  @Option(help: ArgumentHelp("A tag; may be given several times.", valueName: "tag")) var tag: [String] = []
  @Option(help: ArgumentHelp("Updates the message that was pushed with this id before.", valueName: "id"))
  var id: String?
  @Option(help: ArgumentHelp("The local source to put it into.", valueName: "name")) var source: String?
  @Option(help: ArgumentHelp("An APNs payload instead of a title; - is standard input.", valueName: "file"))
  var apns: String?
  @Option(help: ArgumentHelp("With --apns: the folder of its <language>.lproj folders.", valueName: "dir"))
  var strings: String?
  @Flag(help: "Print the message's JSON.") var json = false

  func validate() throws {
    if apns != nil {
      if title != nil || body != nil || url != nil || !tag.isEmpty || priority != nil {
        throw ValidationError("--apns brings its own text; leave the title and its options out")
      }
      return
    }
    if strings != nil { throw ValidationError("--strings goes with --apns") }
    guard let title else { throw ValidationError("give a title, or a payload with --apns") }
    if title.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("the title must not be empty")
    }
    if let priority, !(1...5).contains(priority) { throw ValidationError("--priority must be 1 to 5") }
    if let url, !LinkOpener.isAllowed(url) {
      throw ValidationError("--url must be an http, https or mailto link")
    }
  }

  func run() throws {
    let workspace = try Composition.workspace(files)
    if let apns { return try push(payload: apns, into: workspace) }
    let text =
      body == "-" ? String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self) : body
    var message = IncomingMessage(
      remoteID: RemoteID(id ?? UUID().uuidString.lowercased()), kind: .local, title: title ?? "",
      body: (text ?? "").trimmingCharacters(in: .newlines))
    message.url = url
    if let priority { message.priority = Priority(priority) }
    message.tags = tag
    var unsaid: Set<UnsaidField> = []
    if url == nil { unsaid.insert(.url) }
    if priority == nil { unsaid.insert(.priority) }
    if tag.isEmpty { unsaid.insert(.tags) }
    let stored = try workspace.push(message, into: source, unsaid: unsaid)
    if json { try Answer.print(MessagePrinter(workspace).json(stored)) }
  }

  private func push(payload: String, into workspace: Workspace) throws {
    let pushed = try workspace.pushAPNs(
      file: payload, id: id, newID: UUID().uuidString.lowercased(), strings: strings, into: source)
    for note in pushed.notes { Complaint.print(note) }
    if json, let message = pushed.message { try Answer.print(MessagePrinter(workspace).json(message)) }
  }
}
