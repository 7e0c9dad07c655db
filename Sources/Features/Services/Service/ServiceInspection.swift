package import Messages

extension Inspection {
  /// Creates an inspection from the result of one poll of a service.
  package init(of content: PollContent, kind: SourceKind) {
    self.init(
      format: kind.rawValue, kind: kind, title: content.title, link: content.link, messages: content.messages,
      problems: content.problems)
  }
}
