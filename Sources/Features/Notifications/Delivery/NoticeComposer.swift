import Basics
import Foundation
import Messages
import Profile
import Screen
import Storage
import Words

/// Writes notifications in the user's language. Every string is sanitized as on the screen, for all channels.
struct NoticeComposer {
  private let profile: Profile
  private let words: Words
  private let titles: [SourceID: String]

  init(_ profile: Profile) throws(StoreFailure) {
    self.profile = profile
    let words = profile.words
    self.words = words
    titles = Dictionary(
      try profile.statuses().map { ($0.source.id, words.title(of: $0).text) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the content of a notification.
  ///
  /// - Parameters:
  ///   - notice: the notification, with all its messages.
  ///   - urgent: the messages that rules mark as urgent.
  func content(_ notice: StoredNotice, urgent: Set<MessageID>) throws(StoreFailure) -> NoticeContent {
    var content = NoticeContent(id: notice.id, form: notice.form, title: "", messages: notice.unread)
    content.isUrgent = notice.unread.contains(where: urgent.contains)
    content.buttons[.read] = words(.noticeRead).text
    content.buttons[.later] = words(.noticeLater).text
    // A single remaining message is shown with its content.
    if notice.unread.count == 1, let message = try message(notice.unread[0]) {
      content.title = line(message.content.title)
      if content.title.isEmpty { content.title = words(.untitled).text }
      content.body = [line(titles[message.source] ?? message.sourceName)] + excerpt(message.content.body)
      content.isUrgent = content.isUrgent || message.content.priority == Priority(5)
      addQuestion(of: message, to: &content)
      if message.content.url.map(LinkOpener.isAllowed) == true {
        content.buttons[.open] = words(.noticeOpen).text
      }
      return content
    }
    switch notice.form {
    case .message, .source:
      let source = try notice.unread.first.flatMap { id throws(StoreFailure) in try message(id)?.source }
      let title = SafeText(untrusted: source.flatMap { titles[$0] } ?? "")
      content.title = words.count(.noticeOfSource, notice.unread.count, title).text
      for id in notice.unread.suffix(Limits.singleNotices).reversed() {
        if let message = try message(id) { content.body.append(line(message.content.title)) }
      }
    case .digest:
      content.title = words.count(.noticeOfAll, notice.unread.count).text
      content.body = [try sources(notice.unread)]
    }
    return content
  }

  /// Adds the answers of a question as buttons, if the notification shows the whole question. A permission has no such
  /// buttons, since it is given where the user can see all of it.
  private func addQuestion(of message: Message, to content: inout NoticeContent) {
    guard let question = message.question, question.isOpen else { return }
    content.buttons = [:]
    if question.isPermission || question.answers.isEmpty {
      if message.content.extras?.pane != nil { content.buttons[.show] = words(.noticeShow).text }
    } else if question.isTitleWhole, message.content.title.count <= Limits.noticeTitleCharacters {
      content.answers = question.answers.map(line)
    }
  }

  private func message(_ id: MessageID) throws(StoreFailure) -> Message? {
    try profile.store.messages.find(id).map(profile.presented)
  }

  /// Returns the sources of messages with their numbers of messages, such as "Build server 5, News 3, …". The
  /// largest numbers come first, and only a few sources are named.
  private func sources(_ messages: [MessageID]) throws(StoreFailure) -> String {
    var counts: [SourceID: Int] = [:]
    for id in messages { if let source = try message(id)?.source { counts[source, default: 0] += 1 } }
    let ordered = counts.map { (title: titles[$0.key] ?? "", count: $0.value) }
      .sorted { ($1.count, $0.title) < ($0.count, $1.title) }
    let named = ordered.prefix(Limits.sourcesOfADigest).map { "\(line($0.title)) \($0.count)" }
    return (named + (ordered.count > named.count ? ["…"] : [])).joined(separator: ", ")
  }

  /// Returns sanitized text on one line, cut to the maximum length of a title.
  private func line(_ text: String) -> String {
    String(SafeText(untrusted: text).text.prefix(Limits.noticeTitleCharacters))
  }

  /// Returns the first four lines of a body that are not empty.
  private func excerpt(_ body: String) -> [String] {
    let lines = SafeText.lines(untrusted: String(body.prefix(Limits.noticeBodyCharacters))).map(\.text)
    return Array(lines.filter { !$0.allSatisfy(\.isWhitespace) }.prefix(4))
  }
}
