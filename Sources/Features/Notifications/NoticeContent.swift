package import Messages

/// The content of a notification, for any channel. Its strings may be from publishers, and are sanitized
/// before they are stored here.
package struct NoticeContent: Hashable, Sendable {
  package var id: NoticeID
  package var form: NoticeForm
  /// The title, on one line.
  package var title: String
  /// The lines of the text.
  package var body: [String]
  package var isUrgent: Bool
  /// The labels of the buttons, in the user's language.
  package var buttons: [NoticeButton: String]
  /// The answers of a question, in their order, if the notification shows the whole question.
  package var answers: [String] = []
  /// All messages of the notification, oldest first.
  package var messages: [MessageID]

  package init(
    id: NoticeID, form: NoticeForm, title: String, body: [String] = [], isUrgent: Bool = false,
    buttons: [NoticeButton: String] = [:], messages: [MessageID] = []
  ) {
    (self.id, self.form, self.title, self.body) = (id, form, title, body)
    (self.isUrgent, self.buttons, self.messages) = (isUrgent, buttons, messages)
  }
}

/// A button of a notification.
package enum NoticeButton: String, Hashable, Sendable, CaseIterable {
  case open
  case read = "mark-read"
  /// Reminds the user in an hour.
  case later
  /// Shows the pane of a program that waits.
  case show
}
