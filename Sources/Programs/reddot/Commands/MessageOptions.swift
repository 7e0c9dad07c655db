import ArgumentParser
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Subscriptions

/// The options of `push` and `remind` for a message, in addition to its title.
struct MessageOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The text; - reads it from standard input.", valueName: "text")) var body:
    String?
  @Flag(help: "The text is Markdown.") var markdown = false
  @Option(help: ArgumentHelp("A link to open.", valueName: "url")) var url: String?
  @Option(
    help: ArgumentHelp(
      "A link in addition to the message's own. Can be repeated.", valueName: "label=url"))
  var action: [MessageAction] = []
  @Option(help: ArgumentHelp("1 (lowest) to 5 (urgent) (default: 3).", valueName: "n")) var priority: Int?
  @Option(help: ArgumentHelp("A tag. Can be repeated.", valueName: "tag")) var tag: [String] = []
  @Option(help: ArgumentHelp("When the message expires, for example 2h or \"fri 17:00\".", valueName: "when"))
  var until: String?
  @Option(help: ArgumentHelp("Update the message that was pushed with this id before.", valueName: "id"))
  var id: String?
  @Option(
    help: ArgumentHelp(
      "The group: consecutive messages of one source and group are one row of the inbox.",
      valueName: "name"))
  var group: String?
  @Option(help: ArgumentHelp("The local source of the message.", valueName: "name"), completion: .sourceNames)
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

  /// Whether an option for the content of the message is given.
  var isTextGiven: Bool {
    body != nil || markdown || url != nil || !action.isEmpty || priority != nil || !tag.isEmpty
      || until != nil || group != nil
  }

  /// Whether only a title and text are given: a recurring reminder has nothing else.
  private var isPlain: Bool {
    !markdown && url == nil && action.isEmpty && priority == nil && tag.isEmpty && until == nil && id == nil
      && group == nil && source == nil
  }

  func text() throws -> String? {
    body == "-" ? String(decoding: try GivenFile.read("-"), as: UTF8.self) : body
  }

  /// Checks the time and the options of a recurring reminder.
  func validate(every repetition: String, title: String) throws {
    if !Reminders.isRepeatTime(repetition) {
      throw ValidationError(
        "\"\(repetition)\" is not a time that repeats; write day 9:45, weekday 9:45, mon, thu 5pm, month 31 10:00 or 2 weeks 9:00"
      )
    }
    guard isPlain else {
      throw ValidationError("--every can only be combined with a title and --body")
    }
    if title.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty {
      throw ValidationError("the title must not be empty")
    }
  }

  /// Stores a recurring reminder, and prints its number and its next time.
  func remind(every repetition: String, title: String, in profile: Profile) async throws {
    let reminders = Reminders(profile)
    let added = try await reminders.add(
      every: repetition, title: title, body: (try text() ?? "").trimmingCharacters(in: .newlines),
      trouble: Complaint.print)
    try Answer.print(reminders.report([added]), json: json, OutputStyles(profile))
  }

  /// Stores a message.
  ///
  /// - Parameters:
  ///   - at: the time at which the message appears, as typed, or `nil` for now.
  ///   - place: the pane of the message. There is no notification if the user is looking at it.
  @discardableResult
  func push(
    title: String, at: String?, from place: (pane: TerminalPane?, isLookedAt: Bool) = (nil, false),
    by arrival: MessageArrival
  ) async throws -> Message {
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
    let stored = try await arrival.push(message, into: source, unsaid: unsaid)
    if json { try Answer.print(MessagePrinter(profile).json(stored)) }
    return stored
  }
}

extension MessageAction: ExpressibleByArgument {
  /// Creates an action from an argument in the form `label=url`.
  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
    let (label, url) = (argument[..<sign], argument[argument.index(after: sign)...])
    self.init(label: label.trimmingCharacters(in: .whitespaces), url: String(url))
  }
}
