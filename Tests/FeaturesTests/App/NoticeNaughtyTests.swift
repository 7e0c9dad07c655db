import Foundation
import Messages
import Screen
import Storage
import TerminalHarness
import TestBasics
import Testing

@testable import Notifications
@testable import Profile
@testable import Settings

/// Strings that break programs, as notifications of the desktop and for programs.
struct NoticeNaughtyTests {
  @Test(.enabled(if: Corpora.naughtyStrings != nil)) func everyTextIsHarmlessOnEveryChannel() throws {
    let profile = try NoticeRoundTests.profile("")
    let texts = try Corpora.naughtyTexts()
    let source = try #require(profile.settings.sources.first)
    let composer = try NoticeComposer(profile)
    let command = NoticeCommand(profile)
    #expect(texts.count > 500)
    for (number, text) in texts.enumerated() {
      var message = IncomingMessage(remoteID: RemoteID("\(number)"), kind: .local, title: text, body: text)
      message.author = text
      let id = try profile.store.pushes.add(message, into: source.source, at: NoticeRoundTests.now).id
      let notice = StoredNotice(
        id: NoticeID(Int64(number)), form: .message, at: NoticeRoundTests.now, unread: [id])
      let content = try composer.content(notice, urgent: [])
      #expect(!content.title.isEmpty)
      for line in [content.title] + content.body {
        #expect(line.unicodeScalars.allSatisfy { !$0.isControl }, "\(text.debugDescription)")
        #expect(SafeText(untrusted: line).text == line)
      }
      // As bytes of D-Bus.
      var call = BusMessage(.call)
      (call.serial, call.path, call.member) = (1, "/x", "Notify")
      call.body = [.string(content.title), .string(content.body.joined(separator: "\n"))]
      #expect(BusMessage.read(call.bytes) == .message(call, length: call.bytes.count))
      // As JSON for a program.
      let line = try #require(String(validating: command.line(content), as: UTF8.self))
      #expect(line.dropLast().unicodeScalars.allSatisfy { !$0.isControl })
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let messages = try #require(object["messages"] as? [[String: Any]])
      let sent = try #require(messages.first?["body"] as? String)
      #expect(Array(sent.utf8) == Array(text.utf8))
    }
  }
}
