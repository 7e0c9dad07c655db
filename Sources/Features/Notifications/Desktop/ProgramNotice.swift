import Basics
package import Messages

/// What another program asks the notification daemon to show: a call of `Notify` (Desktop Notifications Specification 1.2).
package struct ProgramNotice: Hashable, Sendable {
  /// What the program calls itself, else its desktop entry; may be empty.
  package var program: String
  package var desktopEntry: String?
  /// The id of the notice that it replaces; 0: none.
  var replaces: UInt32
  var summary: String
  /// As the program wrote it: text with the markup of the specification.
  var body: String
  /// Of its buttons.
  var labels: [String]
  /// 0 low, 1 normal, 2 critical.
  var urgency: UInt32?
  var category: String?
  var picture: NoticePicture?
  /// Not meant to be kept.
  var isTransient: Bool
  /// Notices of one program with the same one are one notice, for example the volume, which each key shows.
  var stack: String?

  /// - Returns: nil where the arguments aren't those of `Notify`. Hints may be missing where a message was cut.
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
    // Key and label, one after the other; `default` is a click on the notice.
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

  /// Whether it is one of reddot's own.
  package var isOwn: Bool { program == "reddot" && desktopEntry == "reddot" }

  /// Whether it is worth keeping.
  package var isKept: Bool { !isOwn && !isTransient }

  /// Whether a name in the settings is the program's, ignoring case.
  package func isOf(_ name: String) -> Bool {
    let name = name.lowercased()
    return program.lowercased() == name || desktopEntry?.lowercased() == name
  }

  /// As it is stored.
  package func message(_ id: RemoteID) -> IncomingMessage {
    var (text, link) = NotificationMarkup.text(of: body)
    var title = Self.line(summary)
    if title.isEmpty {
      let lines = text.split(exactly: "\n", maxSplits: 1)
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

  /// Without line ends, and without spaces at its ends.
  private static func line(_ text: String) -> String {
    text.split { $0.isNewline || $0 == "\t" || $0 == " " }.joined(separator: " ")
  }
}

extension BusValue {
  /// Programs write hints with other types of integers than the specification has.
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

  fileprivate var isOn: Bool {
    if case .boolean(let isOn) = self { isOn } else { count.map { $0 > 0 } ?? false }
  }
}
