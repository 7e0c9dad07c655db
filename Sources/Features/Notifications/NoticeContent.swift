package import Messages

/// What a notice says, for any channel. Its texts come from publishers: whoever makes one filters them first.
package struct NoticeContent: Hashable, Sendable {
  package var id: NoticeID
  package var form: NoticeForm
  /// One line.
  package var title: String
  /// Lines.
  package var body: [String]
  package var isUrgent: Bool
  /// In what languages people read: the labels of its buttons.
  package var buttons: [NoticeButton: String]
  /// All messages that it tells of, oldest first.
  package var messages: [MessageID]

  package init(
    id: NoticeID, form: NoticeForm, title: String, body: [String] = [], isUrgent: Bool = false,
    buttons: [NoticeButton: String] = [:], messages: [MessageID] = []
  ) {
    (self.id, self.form, self.title, self.body) = (id, form, title, body)
    (self.isUrgent, self.buttons, self.messages) = (isUrgent, buttons, messages)
  }
}

/// What a person can do with a notice.
package enum NoticeButton: String, Hashable, Sendable, CaseIterable {
  case open
  case read = "mark-read"
  /// In an hour.
  case later
}
