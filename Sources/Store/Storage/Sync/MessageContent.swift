import Basics
import Foundation
import Messages
import Sync

/// A message in the form that is sent to other machines, as JSON: `remote_id`, `kind`, its fields under their keys with
/// times in milliseconds since 1970, and `extras`. It also contains `unread` if a starred message was unread, and
/// `question` if a program asks the user. An absent field has its default value.
struct MessageContent: Codable {
  private var message: IncomingMessage
  private let isUnread: Bool
  private var question: Question?

  /// The question of a program in the form that is sent. Earlier versions ignore it, and show the message only.
  private struct Question: Codable {
    var answers: [String]
    /// Times in milliseconds since 1970.
    var asked: Milliseconds
    var until: Milliseconds
    /// Whether the title has the whole question.
    var whole: Bool

    init(_ question: ProgramQuestion) {
      answers = question.answers
      (asked, until) = (question.asked.milliseconds, question.until.milliseconds)
      whole = question.isTitleWhole
    }

    /// The question, or `nil` if its data is invalid, so that no user could answer it.
    var question: ProgramQuestion? {
      guard (1...ProgramQuestion.mostAnswers).contains(answers.count), Set(answers).count == answers.count,
        answers.allSatisfy({ !$0.isEmpty && $0.utf8.count <= Limits.answerBytes }),
        [asked, until].allSatisfy(Limits.contentTimes.contains)
      else { return nil }
      return ProgramQuestion(
        answers, isTitleWhole: whole, asked: Date(milliseconds: asked), until: Date(milliseconds: until))
    }
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private init(_ message: IncomingMessage, isUnread: Bool, _ question: ProgramQuestion?) {
    self.message = message
    self.isUnread = isUnread
    self.question = question.map(Question.init)
    // The pane belongs only to this machine.
    self.message.extras?.pane = nil
    if self.message.extras?.isEmpty == true { self.message.extras = nil }
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(message.remoteID.text, forKey: Key("remote_id"))
    try object.encode(message.kind, forKey: Key("kind"))
    for row in MessageField.rows {
      guard let value = row.read(message), value != row.assumed else { continue }
      let key = Key(row.field.rawValue)
      switch value {
      case .text(let text): try object.encode(text, forKey: key)
      case .texts(let texts): try object.encode(texts, forKey: key)
      case .date(let date): try object.encode(date.milliseconds, forKey: key)
      case .number(let number): try object.encode(number, forKey: key)
      case .flag(let flag): try object.encode(flag, forKey: key)
      }
    }
    try object.encodeIfPresent(message.extras, forKey: Key("extras"))
    if isUnread { try object.encode(true, forKey: Key("unread")) }
    try object.encodeIfPresent(question, forKey: Key("question"))
  }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Key.self)
    message = IncomingMessage(
      remoteID: RemoteID(try object.decode(String.self, forKey: Key("remote_id"))),
      kind: try object.decode(MessageKind.self, forKey: Key("kind")), title: "")
    for row in MessageField.rows {
      let key = Key(row.field.rawValue)
      let value: MessageField.Value? =
        switch row.type {
        case .text: try object.decodeIfPresent(String.self, forKey: key).map { .text($0) }
        case .texts: try object.decodeIfPresent([String].self, forKey: key).map { .texts($0) }
        case .date:
          try object.decodeIfPresent(Int64.self, forKey: key).flatMap {
            Limits.contentTimes.contains($0) ? .date(Date(milliseconds: $0)) : nil
          }
        case .number: try object.decodeIfPresent(Int.self, forKey: key).map { .number($0) }
        case .flag: try object.decodeIfPresent(Bool.self, forKey: key).map { .flag($0) }
        }
      if let value { row.write(&message, value) }
    }
    message.extras = try object.decodeIfPresent(MessageExtras.self, forKey: Key("extras"))
    message.extras?.pane = nil
    isUnread = try object.decodeIfPresent(Bool.self, forKey: Key("unread")) ?? false
    // In the form of a later version, it is a message without answers.
    question = try? object.decodeIfPresent(Question.self, forKey: Key("question"))
  }

  /// Returns the message as bytes. Parts that do not fit are left out: first the HTML and a contained picture, then
  /// most of the text, then fields that few messages have.
  ///
  /// - Returns: `nil` if that isn't enough.
  static func bytes(
    of message: IncomingMessage, _ question: ProgramQuestion? = nil, isUnread: Bool = false
  ) throws -> [UInt8]? {
    var message = message
    let cuts: [(inout IncomingMessage) -> Void] = [
      { _ in },
      {
        $0.html = nil
        $0.isCut(.html)
        if $0.extras?.poster.map(PictureData.isAddress) == true {
          $0.extras?.poster = nil
          $0.isCut(.poster)
        }
      },
      {
        $0.body = $0.body.prefix(bytes: Limits.contentBytes / 4)
        $0.isCut(.body)
      },
      {
        $0.body = ""
        $0.extras = nil
        $0.isCut(.body)
      },
    ]
    for cut in cuts {
      cut(&message)
      let bytes = try StoredJSON.bytes(MessageContent(message, isUnread: isUnread, question))
      if bytes.count <= Limits.contentBytes { return bytes }
    }
    return nil
  }

  /// Reads a message from bytes that another machine has sent.
  ///
  /// - Parameter key: the key of the message.
  /// - Returns: `nil` for data that cannot be read, or that is another message.
  static func message(
    _ bytes: [UInt8], key: UInt64
  ) -> (message: IncomingMessage, isUnread: Bool, question: ProgramQuestion?)? {
    guard bytes.count <= Limits.contentBytes,
      let content = try? JSONDecoder().decode(MessageContent.self, from: Data(bytes)),
      content.message.remoteID.text.utf8.count <= Limits.remoteIDBytes,
      Act.Target.key(ofRemoteID: content.message.remoteID.text) == key
    else { return nil }
    return (content.message, content.isUnread, content.question?.question)
  }
}

extension IncomingMessage {
  /// Records that a part of the message was cut.
  fileprivate mutating func isCut(_ part: MessagePart) {
    var extras = extras ?? MessageExtras()
    let parts = Set(extras.cut ?? []).union([part])
    extras.cut = MessagePart.allCases.filter(parts.contains)
    self.extras = extras
  }
}
