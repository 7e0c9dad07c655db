import ArgumentParser
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Subscriptions

/// The options of `push` and `remind` for a message, besides its title.
struct MessageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The text; - reads it from standard input.", valueName: "text")) var body:
    String?
  @Flag(help: "The text is Markdown.") var markdown = false
  @Option(help: ArgumentHelp("A link to open.", valueName: "url")) var url: String?
  @Option(
    help: ArgumentHelp(
      "A link besides the message's own; may be given several times.", valueName: "label=url"))
  var action: [MessageAction] = []
  @Option(help: ArgumentHelp("1 (lowest) to 5 (urgent); by default 3.", valueName: "n")) var priority: Int?
  @Option(help: ArgumentHelp("A tag; may be given several times.", valueName: "tag")) var tag: [String] = []
  @Option(help: ArgumentHelp("When it leaves the lists, such as 2h or \"fri 17:00\".", valueName: "when"))
  var until: String?
  @Option(help: ArgumentHelp("Updates the message that was pushed with this id before.", valueName: "id"))
  var id: String?
  @Option(
    help: ArgumentHelp(
      "Messages of one source and group, one below the other, are one row of the inbox with their number.",
      valueName: "name"))
  var group: String?
  @Option(help: ArgumentHelp("The local source to put it into.", valueName: "name"), completion: .sourceNames)
  var source: String?
  @Flag(help: "Print the message's JSON.") var json = false

  func validate() throws {
    if let priority, !(1...5).contains(priority) { throw ValidationError("--priority must be 1 to 5") }
    if let url, !LinkOpener.isAllowed(url) {
      throw ValidationError("--url must be an http, https or mailto link")
    }
    if let group, group.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("--group must not be empty")
    }
    for action in action where !LinkOpener.isAllowed(action.url) {
      throw ValidationError("--action \"\(action.label)\" must lead to an http, https or mailto link")
    }
  }

  /// Whether an option for the text is given.
  var isTextGiven: Bool {
    body != nil || markdown || url != nil || !action.isEmpty || priority != nil || !tag.isEmpty
      || until != nil || group != nil
  }

  /// Whether only a title and a text are said: a reminder that comes again and again has nothing else.
  private var isPlain: Bool {
    !markdown && url == nil && action.isEmpty && priority == nil && tag.isEmpty && until == nil && id == nil
      && group == nil && source == nil
  }

  func text() throws -> String? {
    body == "-" ? String(decoding: try GivenFile.read("-"), as: UTF8.self) : body
  }

  func validate(every repetition: String, title: String) throws {
    if !Reminders.isRepeatTime(repetition) {
      throw ValidationError(
        "\"\(repetition)\" isn't a time that repeats; write day 9:45, weekday 9:45, mon, thu 5pm, month 31 10:00 or 2 weeks 9:00"
      )
    }
    guard isPlain else {
      throw ValidationError("--every takes a title and --body, and nothing else of a message")
    }
    if title.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("the title must not be empty")
    }
  }

  /// Keeps a reminder, and prints its number and when it comes next.
  func remind(every repetition: String, title: String, in profile: Profile) async throws {
    let reminders = Reminders(profile)
    let added = try await reminders.add(
      every: repetition, title: title, body: (try text() ?? "").trimmingCharacters(in: .newlines),
      trouble: Complaint.print)
    try Answer.print(json ? Reminders.json(added) : reminders.lines([added])[0])
  }

  /// Stores a message.
  ///
  /// - Parameters:
  ///   - at: when it appears, as typed; nil is at once.
  ///   - place: the pane that it comes from; nobody is told of what happens where somebody looks.
  @discardableResult
  func push(
    title: String, at: String?, from place: (pane: TerminalPane?, isLookedAt: Bool) = (nil, false),
    by arrival: MessageArrival
  ) throws -> Message {
    let profile = arrival.profile
    if title.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("the title must not be empty")
    }
    var message = IncomingMessage(
      remoteID: RemoteID(id ?? UUID().uuidString.lowercased()), kind: .local, title: title,
      body: (try text() ?? "").trimmingCharacters(in: .newlines))
    message.url = url
    if let priority { message.priority = Priority(priority) }
    message.tags = tag
    message.visibleFrom = try at.map(profile.instant)
    message.published = message.visibleFrom
    message.expires = try until.map(profile.instant)
    if let from = message.visibleFrom, let to = message.expires, to <= from {
      throw Complaint("\"\(until ?? "")\" is before \"\(at ?? "")\": the message would never show")
    }
    message.isQuiet = place.isLookedAt
    let pane = place.pane
    if markdown || !action.isEmpty || group != nil || pane != nil {
      var extras = MessageExtras(pane: pane)
      extras.actions = action
      extras.group = group
      extras.format = markdown ? .markdown : nil
      message.extras = extras
    }
    var unsaid: Set<UnsaidField> = []
    if url == nil { unsaid.insert(.url) }
    if priority == nil { unsaid.insert(.priority) }
    if tag.isEmpty { unsaid.insert(.tags) }
    if group == nil { unsaid.insert(.group) }
    let stored = try arrival.push(message, into: source, unsaid: unsaid)
    if json { try Answer.print(MessagePrinter(profile).json(stored)) }
    return stored
  }
}

extension MessageAction: ExpressibleByArgument {
  /// `label=url`
  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
    let (label, url) = (argument[..<sign], argument[argument.index(after: sign)...])
    self.init(label: label.trimmingCharacters(in: .whitespaces), url: String(url))
  }
}
