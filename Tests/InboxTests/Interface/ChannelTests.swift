import Messages
import Testing

@testable import Interface
@testable import Words

/// Feeds, applications and topics of one service in its list.
struct ChannelTests {
  private static func stage(
    _ channels: [String?], scope: InboxQuery.Scope = .source(SourceID(2)), areWords: Bool = false
  ) -> Stage {
    var store = ModelStore()
    store.addSource("blog")
    store.addSource("push", title: "Push server")
    for (index, channel) in channels.enumerated() {
      store.add("Number \(index)", source: 2, age: Double(index) * 60) {
        $0.content = IncomingMessage(remoteID: $0.content.remoteID, kind: .service, title: $0.content.title)
        $0.content.channel = channel
      }
    }
    let signs = Signs.fitting(isASCII: false, areWords: areWords, words: .english)
    return Stage(
      store, columns: 120, rows: 24, scope: scope,
      options: InterfaceOptions(words: .english, signs: signs, zone: Stage.utc))
  }

  private func row(_ stage: Stage, _ title: String) -> String {
    stage.lines.first { $0.contains(title) } ?? "no row"
  }

  @Test func aRowNamesItsChannelWhereTheServiceHasSeveral() {
    let stage = Self.stage(["Backups", "CI", nil])
    #expect(row(stage, "Number 0").contains("Backups  "))
    #expect(row(stage, "Number 1").contains("CI  "))
  }

  @Test func oneChannelIsNotRepeatedInEachRow() {
    #expect(!row(Self.stage(["Backups", "Backups", nil]), "Number 0").contains("Backups"))
  }

  @Test func inAListOfSeveralSourcesARowNamesItsSource() {
    let row = row(Self.stage(["Backups", "CI"], scope: .all), "Number 0")
    #expect(row.contains("Push server") && !row.contains("Backups"))
  }

  @Test func aScreenReaderIsGivenBoth() {
    let row = row(Self.stage(["Backups", "CI"], scope: .all, areWords: true), "Number 0")
    #expect(row.contains("Number 0, Push server, Backups, "), "\(row)")
  }

  @Test func messagesOfOneTitleAndTwoChannelsAreTwoRows() {
    var store = ModelStore()
    store.addSource("push")
    for channel in ["Backups", "CI"] {
      store.add("Done", age: 60) {
        $0.content = IncomingMessage(remoteID: $0.content.remoteID, kind: .service, title: "Done")
        $0.content.channel = channel
      }
    }
    let stage = Stage(
      store, columns: 120, rows: 24, options: InterfaceOptions(words: .english, zone: Stage.utc))
    #expect(stage.lines.count { $0.contains("Done") } >= 2)
  }
}
