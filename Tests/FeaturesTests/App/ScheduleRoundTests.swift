import Basics
import Formats
import Foundation
import Messages
import Testing

@testable import Polling

struct ScheduleRoundTests {
  /// Saturday.
  static let start = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21T00:00:00Z

  private let round = ScheduleRound(
    application: "reddot", zone: .gmt, installed: start, missedBefore: { "\($0) earlier" })

  private func file(_ text: String) throws -> ScheduleFile { try ScheduleFile.read(Data(text.utf8)) }

  private static let daily =
    #"[{"id": 1, "time": "09:00", "repeat": "daily", "title": "Tea", "msg": "{{%s}} says tea"}]"#

  @Test func aFiringIsDeliveredAtItsSecondAndOnce() throws {
    let file = try file(Self.daily)
    var result = round.run(file, memory: .init(), at: Self.start)
    #expect(result.messages.isEmpty)
    #expect(result.next == Self.start.addingTimeInterval(9 * 3600))
    result = round.run(file, memory: result.memory, at: Self.start.addingTimeInterval(9 * 3600 - 1))
    #expect(result.messages.isEmpty)
    result = round.run(file, memory: result.memory, at: Self.start.addingTimeInterval(9 * 3600))
    #expect(result.messages.map(\.title) == ["Tea"])
    #expect(result.messages.first?.body == "reddot says tea")
    #expect(result.messages.first?.published == Self.start.addingTimeInterval(9 * 3600))
    result = round.run(file, memory: result.memory, at: Self.start.addingTimeInterval(9 * 3600 + 1))
    #expect(result.messages.isEmpty)
  }

  @Test func whatWasMissedArrivesAsTheLatestWithTheNumberBeforeIt() throws {
    let file = try file(Self.daily)
    var result = round.run(file, memory: .init(), at: Self.start)
    result = round.run(file, memory: result.memory, at: Self.start.addingTimeInterval(5 * 86400))
    #expect(result.messages.count == 1)
    #expect(result.messages.first?.published == Self.start.addingTimeInterval(4 * 86400 + 9 * 3600))
    #expect(result.messages.first?.body == "reddot says tea\n\n4 earlier")
  }

  @Test func whatFiredBeforeTheEntryWasKnownIsNotMissed() throws {
    let text =
      #"{"id": 2, "data": {"start": "2020/01/01 06:00", "interval": "day", "translations": {"en": {"title": "T", "msg": "M"}}}}"#
    let result = round.run(try file(text), memory: .init(), at: Self.start)
    #expect(result.messages.isEmpty)
    #expect(result.next == Self.start.addingTimeInterval(6 * 3600))
  }

  @Test func anEntryKeepsItsCountWhenTheFileChangesAroundIt() throws {
    let first =
      #"[{"id": 7, "time": "09:00", "repeat": "daily", "endRepeat": {"repeatCount": 2}, "title": "A", "msg": ""}]"#
    let second =
      #"[{"id": 8, "time": "10:00", "repeat": "daily", "title": "B", "msg": ""}, {"id": 7, "time": "09:00", "repeat": "daily", "endRepeat": {"repeatCount": 2}, "title": "A, anew", "msg": ""}]"#
    var result = round.run(try file(first), memory: .init(), at: Self.start)
    result = round.run(try file(first), memory: result.memory, at: Self.start.addingTimeInterval(9 * 3600))
    #expect(result.messages.map(\.title) == ["A"])
    result = round.run(try file(second), memory: result.memory, at: Self.start.addingTimeInterval(30 * 3600))
    result = round.run(try file(second), memory: result.memory, at: Self.start.addingTimeInterval(34 * 3600))
    #expect(result.messages.map(\.title).sorted() == ["A, anew", "B"])
    result = round.run(try file(second), memory: result.memory, at: Self.start.addingTimeInterval(100 * 3600))
    #expect(result.messages.map(\.title) == ["B"])
  }

  /// An incomplete file, a misspelled entry, or one that is missing for a moment.
  private static let broken = [
    "[]", #"[{"id": 3, "time": "9:xx", "repeat": 2, "title": "Bins", "msg": ""}]"#,
    #"[{"id": 3, "time": "09:00", "interval": 2, "titel": "Bins"}]"#,
    #"[{"id": 9, "time": "07:00", "repeat": "daily", "title": "Other", "msg": ""}]"#,
  ]

  @Test(arguments: broken) func anEntryThatIsBrokenForAMomentKeepsItsMemory(text: String) throws {
    let whole =
      #"[{"id": 3, "time": "09:00", "interval": 2, "endRepeat": {"repeatCount": 2}, "title": "Bins", "msg": ""}]"#
    func at(_ hours: Double) -> Date { Self.start.addingTimeInterval(hours * 3600) }
    var result = round.run(try file(whole), memory: .init(), at: at(0))
    result = round.run(try file(whole), memory: result.memory, at: at(9))
    #expect(result.messages.map(\.title) == ["Bins"])
    for hours in [12.0, 13] {
      result = round.run(try file(text), memory: result.memory, at: at(hours))
      #expect(result.messages.isEmpty)
    }
    // Through its cursor, as in every poll.
    let memory = try #require(ScheduleRound.Memory(result.memory.cursor))
    result = round.run(try file(whole), memory: memory, at: at(14))
    #expect(result.messages.isEmpty)
    #expect(result.next == at(48 + 9), "the other day is its day")
    result = round.run(try file(whole), memory: result.memory, at: at(48 + 9))
    #expect(result.messages.map(\.title) == ["Bins"])
    #expect(result.next == nil, "twice was asked for")
  }

  @Test func longMissingEntriesAreForgottenAndTheMemoryIsBounded() throws {
    let entries = (1...1500).map {
      #"{"id": \#($0), "time": "09:00", "repeat": "daily", "title": "T", "msg": ""}"#
    }
    let all = try file("[\(entries.joined(separator: ","))]")
    var result = round.run(all, memory: .init(), at: Self.start)
    #expect(result.memory.entries.count == 1500)
    result = round.run(try file("[]"), memory: result.memory, at: Self.start.addingTimeInterval(60))
    #expect(result.memory.entries.count == Limits.missingScheduleEntries)
    result = round.run(try file("[]"), memory: result.memory, at: Self.start.addingTimeInterval(6 * 86400))
    #expect(result.memory.entries.count == Limits.missingScheduleEntries)
    result = round.run(try file("[]"), memory: result.memory, at: Self.start.addingTimeInterval(8 * 86400))
    #expect(result.memory.entries.isEmpty)
  }

  @Test func aClockThatWasSetBackRepeatsNoIdAndBlocksNothing() throws {
    let file = try file(Self.daily)
    var result = round.run(file, memory: .init(), at: Self.start.addingTimeInterval(10 * 86400))
    result = round.run(file, memory: result.memory, at: Self.start.addingTimeInterval(10 * 86400 + 9 * 3600))
    let late = try #require(result.messages.first?.remoteID)
    result = round.run(file, memory: result.memory, at: Self.start)
    #expect(result.messages.isEmpty)
    result = round.run(file, memory: result.memory, at: Self.start.addingTimeInterval(10 * 86400 + 9 * 3600))
    #expect(result.messages.first?.remoteID == late)
  }

  @Test func theMemoryIsTheSameAfterItsCursor() throws {
    let result = round.run(try file(Self.daily), memory: .init(), at: Self.start)
    #expect(ScheduleRound.Memory(result.memory.cursor) == result.memory)
    #expect(ScheduleRound.Memory(nil) == nil)
  }
}
