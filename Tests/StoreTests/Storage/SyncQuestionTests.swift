import Foundation
import GRDB
import Messages
import Sync
import Testing

@testable import Storage

/// Questions as other machines get them.
@Suite struct SyncQuestionTests {
  private func content(_ json: String) -> ProgramQuestion? {
    MessageContent.message(Array(json.utf8), key: Act.Target.key(ofRemoteID: "9"))?.question
  }

  private static let question = ProgramQuestion(
    ["yes", "no"], isTitleWhole: false, asked: noon, until: noon + 600, asker: "ask-1")

  @Test func theQuestionIsInTheContentOfItsMessage() throws {
    var message = message("9", "Deploy?")
    message.kind = .local
    let bytes = try #require(try MessageContent.bytes(of: message, Self.question))
    let read = try #require(MessageContent.message(bytes, key: Act.Target.key(ofRemoteID: "9")))
    var expected = Self.question
    // The process is on the other machine.
    expected.asker = nil
    #expect(read.question == expected && read.message == message)
    // Without one, the bytes are those of earlier versions.
    let plain = String(decoding: try #require(try MessageContent.bytes(of: message)), as: UTF8.self)
    #expect(plain == #"{"kind":"local","remote_id":"9","title":"Deploy?"}"#)
  }

  @Test(arguments: [
    #""answers":[],"asked":0,"until":1,"whole":true"#,
    #""answers":["a","a"],"asked":0,"until":1,"whole":true"#,
    #""answers":[""],"asked":0,"until":1,"whole":true"#,
    #""answers":["1","2","3","4","5","6","7","8","9","10"],"asked":0,"until":1,"whole":true"#,
    #""answers":["a"],"asked":9223372036854775807,"until":1,"whole":true"#,
    #""answers":["a"],"asked":0,"until":1"#,
    #""answers":"a","asked":0,"until":1,"whole":true"#,
  ])
  func aQuestionThatNobodyCouldAnswerIsAMessage(_ fields: String) {
    let start = #"{"remote_id":"9","kind":"local","title":"T","question":{"#
    #expect(content(start + fields + "}}") == nil)
    #expect(
      MessageContent.message(
        Array((start + fields + "}}").utf8), key: Act.Target.key(ofRemoteID: "9"))?.message.title == "T")
    #expect(content(start + #""answers":["a"],"asked":0,"until":1,"whole":true}}"#) != nil)
  }

  /// A version without questions left out what it did not know. Now it is read again.
  @Test func partlyReadObjectsAreReadAgain() throws {
    let directory = try Directory()
    try Store(path: directory.database, now: noon).close()
    let queue = try DatabaseQueue(path: directory.database)
    try queue.write { db in
      for number in 1...3 {
        let partial = number == 2 ? "x'0101'" : "x''"
        try db.execute(
          sql: """
            INSERT INTO device (id, uuid, known, partial) VALUES (\(number), randomblob(16), x'', \(partial));
            INSERT INTO object (device, first, last, digest, state, checked) VALUES (\(number), 1, 1, x'', 1, 0);
            """)
      }
      try db.execute(sql: "PRAGMA user_version = \(Schema.first + 4)")
    }
    try queue.close()
    try Store(path: directory.database, now: noon).close()
    let after = try DatabaseQueue(path: directory.database)
    defer { try? after.close() }
    let devices = try after.read { try Int.fetchAll($0, sql: "SELECT device FROM object ORDER BY 1") }
    #expect(devices == [1, 3])
    #expect(
      try after.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM device WHERE partial <> x''") } == 0)
  }
}
