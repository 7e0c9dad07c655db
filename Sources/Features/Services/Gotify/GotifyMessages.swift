import Formats
import Messages

/// Converts a message of Gotify.
enum GotifyMessage {
  /// Returns the message, or `nil` if the element has no valid id, which `fields` reports.
  static func message(_ fields: inout JSONFields) -> IncomingMessage? {
    guard let id = fields.remoteID("id") else { return nil }
    guard Int(id.text) != nil else {
      fields.reportMismatch("id", expected: "an integer")
      return nil
    }
    let body = fields.text("message") ?? ""
    let given = ServiceText.oneLine(fields.text("title") ?? "")
    var message = IncomingMessage(
      remoteID: id, kind: .service,
      title: given.isEmpty ? ServiceText.oneLine(WebFeedMessages.beginning(of: body)) : given, body: body)
    message.published = fields.instant("date")
    message.priority = fields.integer("priority").map(priority) ?? .normal
    if let more = fields.object("extras") {
      if more["client::display"]?.object?["contentType"]?.text == "text/markdown" {
        message.extras = MessageExtras()
        message.extras?.format = .markdown
      }
      message.url = ServiceText.address(
        more["client::notification"]?.object?["click"]?.object?["url"]?.text)
    }
    return message
  }

  /// Converts a priority. Gotify's go from 0 to 10; its own app is silent for 0, quiet up to 3, and loud from 8.
  private static func priority(_ number: Int) -> Priority {
    switch number {
    case ...0: Priority(1)
    case 1...3: Priority(2)
    case 4...7: Priority(3)
    case 8...9: Priority(4)
    case _: Priority(5)
    }
  }
}
