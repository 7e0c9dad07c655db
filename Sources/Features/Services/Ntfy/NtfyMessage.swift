import Basics
import Formats
import Foundation
import Messages

/// The messages and marks that result from events, applied in order.
struct NtfyState {
  private(set) var list = ServiceMessages()
  private(set) var upstream = UpstreamState()

  /// Computes the result of events in the order of their times.
  ///
  /// - Parameter filter: the filter that messages must pass.
  init(_ events: [NtfyEvent], filter: NtfyFilter) {
    // A message is made only of its last event, because a response may have many events of one message.
    var last: [String: Int] = [:]
    var marks: [RemoteID: UpstreamMarks] = [:]
    for (place, event) in events.enumerated() {
      let id = RemoteID(event.sequence)
      switch event.kind {
      case .message:
        guard filter.takes(event) else { continue }
        last[event.sequence] = place
        marks[id] = nil
      case .clear: marks[id, default: UpstreamMarks()].isRead = true
      case .delete:
        marks[id, default: UpstreamMarks()].isDone = true
        // The message may have come with an earlier poll; then the mark applies to it.
        last[event.sequence] = nil
      }
    }
    for (place, event) in events.enumerated() where last[event.sequence] == place {
      var event = event
      list.append(NtfyMessage.message(&event))
      event.fields.problems.forEach { list.note($0) }
    }
    let ids = marks.keys.sorted { $0.text < $1.text }
    upstream.marks = ids.compactMap { id in marks[id].map { UpstreamState.Mark(id, $0) } }
  }
}

/// Converts an event of an ntfy server to a message.
enum NtfyMessage {
  /// Returns the message of an event of the kind `message`.
  static func message(_ event: inout NtfyEvent) -> IncomingMessage {
    let tags = (event.fields.elements("tags") ?? []).compactMap(\.text)
    let signs = tags.compactMap { NtfyEmoji.signs[$0] }
    var body = event.fields.text("message") ?? ""
    if event.fields.text("encoding") == "base64", let bytes = Data(base64Encoded: body) {
      body = String(decoding: bytes, as: UTF8.self)
    }
    let given = ServiceText.oneLine(event.fields.text("title") ?? "")
    let title = given.isEmpty ? ServiceText.oneLine(WebFeedMessages.beginning(of: body)) : given
    var message = IncomingMessage(
      remoteID: RemoteID(event.sequence), kind: .service,
      title: (signs + [title]).filter { !$0.isEmpty }.joined(separator: " "), body: body)
    message.url = ServiceText.address(event.fields.text("click"))
    message.published = Date(timeIntervalSince1970: Double(event.time))
    message.priority = event.fields.integer("priority").map(Priority.init) ?? .normal
    message.tags = ServiceText.tags(tags.filter { NtfyEmoji.signs[$0] == nil })
    if !event.topic.isEmpty { message.channel = event.topic }
    var extras = MessageExtras()
    extras.occasion = event.id
    if !event.topic.isEmpty { extras.handle = event.topic + "/" + event.sequence }
    if event.fields.text("content_type") == "text/markdown" { extras.format = .markdown }
    extras.actions = actions(&event.fields)
    if var attachment = event.fields.inner("attachment") {
      if let url = ServiceText.address(attachment.text("url")) {
        extras.enclosures = [
          Enclosure(
            url: url, type: attachment.text("type"), length: attachment.integer("size", in: 0...Int.max))
        ]
        let name = ServiceText.oneLine(attachment.text("name") ?? "")
        extras.actions.append(MessageAction(label: name.isEmpty ? "Attachment" : name, url: url))
      }
      event.fields.adopt(attachment.problems)
    }
    message.extras = extras
    return message
  }

  /// Returns the buttons of a message: links, and requests that the user can send. Android broadcasts are left out,
  /// because they are only for phones.
  private static func actions(_ fields: inout JSONFields) -> [MessageAction] {
    var actions: [MessageAction] = []
    let given = fields.elements("actions") ?? []
    for (index, element) in given.prefix(Limits.actions).enumerated() {
      guard let object = element.object else { continue }
      var inner = JSONFields(
        object, at: JSONPath.index(index, under: JSONPath.key("actions", under: fields.path)), lenient: true)
      let label = ServiceText.oneLine(inner.text("label") ?? "")
      if let url = ServiceText.address(inner.text("url")) {
        switch inner.text("action") {
        case "view"?: actions.append(MessageAction(label: label.isEmpty ? url : label, url: url))
        case "http"?:
          var headers: [String: String] = [:]
          for member in inner.object("headers")?.members ?? [] { headers[member.key] = member.value.text }
          let request = ActionRequest(
            method: inner.text("method")?.uppercased() ?? "POST", headers: headers, body: inner.text("body"))
          actions.append(MessageAction(label: label.isEmpty ? url : label, url: url, request: request))
        case _: break
        }
      }
      fields.adopt(inner.problems)
    }
    return actions
  }
}
