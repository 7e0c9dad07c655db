import Foundation
import Messages
import Screen
import Words

extension MessageID {
  /// Whether this is a welcome message. These messages aren't in the store; their ids are below 0.
  var isWelcome: Bool { rawValue < 0 }
}

/// The messages that explain reddot while there are no sources and no messages.
struct Welcome {
  let options: InterfaceOptions
  let now: Date

  private var words: Words { options.words }

  func rows(read: Set<MessageID>) -> [MessageRow] {
    pages.map { message in
      var row = MessageRow(message)
      row.isUnread = !read.contains(row.id)
      return row
    }
  }

  func message(_ id: MessageID, read: Set<MessageID>) -> Message? {
    guard var message = pages.first(where: { $0.id == id }) else { return nil }
    message.isUnread = !read.contains(id)
    return message
  }

  private var pages: [Message] {
    let keymap = options.keymap
    return [
      page(
        -1, .welcome,
        words.page(
          .welcomeBody, keymap.name(of: .addSource), keymap.name(of: .importFeeds), keymap.name(of: .demo),
          keymap.name(of: .help), keymap.name(of: .quit))),
      page(
        -2, .welcomeKeys,
        words.page(
          .welcomeKeysBody, keymap.name(of: .readOn), keymap.name(of: .down), keymap.name(of: .up),
          keymap.name(of: .open), keymap.name(of: .back), keymap.name(of: .toggleStar),
          keymap.name(of: .dismiss), keymap.name(of: .readAll), keymap.name(of: .undo))),
      page(-3, .welcomeScripts, words.page(.welcomeScriptsBody)),
    ]
  }

  private func page(_ id: Int64, _ title: Phrase, _ body: String) -> Message {
    let content = IncomingMessage(
      remoteID: RemoteID("welcome\(id)"), kind: .local, title: words(title).text, body: body)
    return Message(
      id: MessageID(id), source: SourceID(-1), sourceName: "reddot", content: content, received: now,
      isUnread: true, isStarred: false, isDismissed: false)
  }
}
