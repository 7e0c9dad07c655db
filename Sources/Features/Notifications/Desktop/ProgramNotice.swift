import Basics
package import Messages

/// A notification of another program: a call of `Notify` (Desktop Notifications Specification 1.2).
package struct ProgramNotice: Hashable, Sendable {
  /// The program's name for itself, or its desktop entry if it has none; may be empty.
  package var program: String
  package var desktopEntry: String?
  /// The id of the earlier notification that this one replaces; 0 for none.
  var replaces: UInt32
  var summary: String
  /// The body as the program wrote it: text with the markup of the specification.
  var body: String
  /// The labels of the buttons.
  var labels: [String]
  /// The urgency: 0 low, 1 normal, 2 critical.
  var urgency: UInt32?
  var category: String?
  var picture: NoticePicture?
  /// Whether the notification is not meant to be kept.
  var isTransient: Bool
  /// The tag of a stack: notifications of one program with the same tag are one notification, for example the volume,
  /// which changes with each key.
  var stack: String?

  /// - Returns: `nil` if the arguments aren't those of `Notify`. Hints may be missing in a truncated message.
  init?(_ arguments: [BusValue]) {
    guard arguments.count >= 5, let program = arguments[0].text, let replaces = arguments[1].number,
      let summary = arguments[3].text, let body = arguments[4].text
    else { return nil }
    var hints: [String: BusValue] = [:]
    if arguments.count > 6, case .array(_, let entries) = arguments[6] {
      for case .entry(.string(let name), .variant(let value)) in entries { hints[name] = value }
    }
    desktopEntry = hints["desktop-entry"]?.text.map { $0.cut(toBytes: Limits.nameBytes) }
    self.program = (program.isEmpty ? desktopEntry ?? "" : program).cut(toBytes: Limits.nameBytes)
    self.replaces = replaces
    self.summary = summary.cut(toBytes: Limits.titleBytes)
    self.body = body.cut(toBytes: Limits.caughtBodyBytes)
    // Key and label alternate; `default` is a click on the notification.
    let actions = arguments.count > 5 ? arguments[5].texts.prefix(2 * Limits.caughtButtons) : []
    labels = stride(from: 0, to: actions.count - 1, by: 2).compactMap { place in
      let label = Self.line(actions[place + 1].cut(toBytes: Limits.nameBytes))
      return actions[place] == "default" || label.isEmpty ? nil : label
    }
    urgency = hints["urgency"]?.count
    category = hints["category"]?.text.map { Self.line($0.cut(toBytes: Limits.nameBytes)) }
    picture = ["image-data", "image_data", "icon_data"].lazy.compactMap { hints[$0] }.first
      .flatMap(NoticePicture.init)
    isTransient = hints["transient"]?.isOn ?? false
    stack = ["x-dunst-stack-tag", "x-canonical-private-synchronous"].lazy
      .compactMap { hints[$0]?.text }.first { !$0.isEmpty }.map { $0.cut(toBytes: Limits.nameBytes) }
  }

  /// Whether the notification is one of reddot's own.
  package var isOwn: Bool { program == "reddot" && desktopEntry == "reddot" }

  /// Whether the notification is stored: it is not reddot's own, and meant to be kept.
  package var isKept: Bool { !isOwn && !isTransient }

  /// Whether a name in the settings is that of the notification's program, ignoring case.
  package func isOf(_ name: String) -> Bool {
    let name = name.lowercased()
    return program.lowercased() == name || desktopEntry?.lowercased() == name
  }

  /// Returns the message to store.
  package func message(_ id: RemoteID) -> IncomingMessage {
    var (text, link) = NotificationMarkup.text(of: body)
    var title = Self.line(summary)
    if title.isEmpty {
      let lines = text.split(onBytes: "\n", maxSplits: 1)
      title = lines.first.map { Self.line(String($0)) } ?? program
      text = lines.count > 1 ? String(lines[1]) : ""
    }
    let buttons = labels.map { "[\($0)]" }.joined(separator: " ")
    let parts = [text, buttons].filter { !$0.isEmpty }
    var message = IncomingMessage(
      remoteID: id, kind: .desktop, title: title, body: parts.joined(separator: "\n\n"))
    message.url = link
    message.channel = program.isEmpty ? nil : Self.line(program)
    message.tags = category.map { $0.isEmpty ? [] : [$0] } ?? []
    message.priority = urgency == 0 ? Priority(2) : urgency == 2 ? Priority(5) : .normal
    if let picture {
      var extras = MessageExtras()
      extras.poster = PictureData(png: picture.png).address
      message.extras = extras
    }
    return message
  }

  /// Returns the text without line ends, and without spaces at its ends.
  private static func line(_ text: String) -> String {
    text.split { $0.isNewline || $0 == "\t" || $0 == " " }.joined(separator: " ")
  }
}

extension BusValue {
  /// The value as a number that is not negative. Programs write hints with other types of integers than those in the
  /// specification.
  fileprivate var count: UInt32? {
    switch self {
    case .byte(let number): UInt32(number)
    case .int16(let number): UInt32(exactly: number)
    case .uint16(let number): UInt32(number)
    case .int32(let number): UInt32(exactly: number)
    case .uint32(let number): number
    case .int64(let number): UInt32(exactly: number)
    case .uint64(let number): UInt32(exactly: number)
    case .boolean, .double, .string, .objectPath, .signature, .bytes, .array, .structure, .entry, .variant:
      nil
    }
  }

  /// The value as a Boolean, which some programs write as a number.
  fileprivate var isOn: Bool {
    if case .boolean(let isOn) = self { isOn } else { count.map { $0 > 0 } ?? false }
  }
}
