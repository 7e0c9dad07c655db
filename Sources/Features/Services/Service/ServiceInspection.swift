package import Messages

extension Inspection {
  /// What one poll of a service brought.
  package init(of content: PollContent, kind: SourceKind) {
    self.init(
      format: kind.rawValue, kind: kind, title: content.title, link: content.link, messages: content.messages,
      problems: content.problems)
  }
}
