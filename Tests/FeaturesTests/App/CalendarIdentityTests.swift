import Basics
import Calendars
import Foundation
import Messages
import Services
import Testing

@testable import Polling

/// The identity of events in a folder of calendars, and the missing information in a reading.
struct CalendarIdentityTests {
  /// A folder as a source. It is read, and its alarms are reported, at one moment after another.
  private final class Calendars {
    let folder: String
    var memory = CalendarRound.Memory()
    private let round = CalendarRound(
      words: CalendarWords(reader: .gmt, join: "Join"),
      default: DefaultAlarm(before: 600, dayStart: 9 * 3600),
      missedBefore: { "\($0) earlier" })

    init() throws {
      folder = NSTemporaryDirectory() + "calendars-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // Events that appear after this count as new.
      memory = round.run([], memory: memory, at: CalendarRoundTests.start).memory
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func write(_ events: String..., to file: String = "a.ics", cutTo length: Int = .max) throws {
      let text = "BEGIN:VCALENDAR\r\n\(events.joined())END:VCALENDAR\r\n"
      try Data(text.utf8.prefix(length)).write(to: URL(filePath: "\(folder)/\(file)"))
    }

    func remove(_ file: String = "a.ics") throws {
      try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
    }

    func poll(_ hour: Int, _ minute: Int) throws -> CalendarRound.Result {
      let reading = try CalendarReading.read(folder)
      let now = CalendarRoundTests.at(hour, minute)
      let result = round.run(reading.items, gaps: reading.gaps, memory: memory, at: now)
      memory = result.memory
      return result
    }
  }

  private static func event(
    _ uid: String, _ summary: String, _ time: String = "0900", _ lines: String...
  ) -> String {
    let all =
      ["BEGIN:VEVENT", "UID:\(uid)", "SUMMARY:\(summary)", "DTSTART:20261120T\(time)00Z"] + lines
      + ["END:VEVENT", ""]
    return all.joined(separator: "\r\n")
  }

  private static let tea = event("tea", "Tea")
  private static let talk = event("talk", "Talk")

  private let calendars: Calendars

  init() throws { calendars = try Calendars() }

  private func isQuiet(_ result: CalendarRound.Result) -> Bool {
    result.messages.isEmpty && result.endings.isEmpty
  }

  // MARK: What a reading does not say

  @Test func aCutDocumentEndsAndChangesNothing() throws {
    try calendars.write(Self.tea, Self.talk)
    #expect(try calendars.poll(8, 52).messages.map(\.title) == ["Tea", "Talk"])
    let changed = Self.event("tea", "Tea", "0900", "LOCATION:Garden")
    let length = "BEGIN:VCALENDAR\r\n\(changed)\(Self.talk)".utf8.count
    for cut in [0, 30, changed.utf8.count + 60, length - 20, length] {
      try calendars.write(changed, Self.talk, cutTo: cut)
      #expect(isQuiet(try calendars.poll(8, 53)), "\(cut) bytes")
    }
    try calendars.write(changed)
    let whole = try calendars.poll(8, 54)
    #expect(whole.messages.map(\.body) == ["2026-11-20 09:00\nGarden"])
    #expect(whole.endings.map(\.message.text) == ["event:talk@/default"])
  }

  @Test func aFileThatCannotBeReadEndsNothingOfItsEvents() throws {
    try calendars.write(Self.tea, to: "a.ics")
    try calendars.write(Self.talk, to: "b.ics")
    #expect(try calendars.poll(8, 52).messages.count == 2)
    try Data("<html>".utf8).write(to: URL(filePath: "\(calendars.folder)/b.ics"))
    #expect(isQuiet(try calendars.poll(8, 53)))
    try calendars.remove("b.ics")
    try FileManager.default.createDirectory(
      atPath: "\(calendars.folder)/b.ics", withIntermediateDirectories: false)
    #expect(isQuiet(try calendars.poll(8, 54)))
    // Messages of other files end if the files are removed.
    try calendars.remove("a.ics")
    #expect(try calendars.poll(8, 55).endings.map(\.message.text) == ["event:tea@/default"])
    try calendars.remove("b.ics")
    #expect(try calendars.poll(8, 56).endings.map(\.message.text) == ["event:talk@/default"])
  }

  @Test func anEventThatIsLeftOutKeepsItsMessage() throws {
    try calendars.write(Self.tea, Self.talk)
    #expect(try calendars.poll(8, 52).messages.count == 2)
    try calendars.write(Self.tea.replacing("20261120T", with: "2026T"))
    #expect(try calendars.poll(8, 53).endings.map(\.message.text) == ["event:talk@/default"])
    // Without its UID, the event may be any event of the file.
    try calendars.write(Self.tea.replacing("20261120T", with: "2026T").replacing("UID:tea\r\n", with: ""))
    #expect(isQuiet(try calendars.poll(8, 54)))
    try calendars.write()
    #expect(try calendars.poll(8, 55).endings.map(\.message.text) == ["event:tea@/default"])
  }

  @Test func aProblemThatLeavesNothingOutEndsNothingLess() throws {
    try calendars.write(Self.tea, Self.talk)
    #expect(try calendars.poll(8, 52).messages.count == 2)
    try calendars.write(
      Self.event("tea", "Tea", "0900", "DURATION:long", "DTEND;TZID=Middle Earth:20261120T1"))
    #expect(try calendars.poll(8, 53).endings.map(\.message.text) == ["event:talk@/default"])
  }

  @Test func aRuleThatCannotBeReadEndsNoOccurrence() throws {
    func series(_ rule: String) -> String {
      "BEGIN:VEVENT\r\nUID:tea\r\nSUMMARY:Tea\r\nDTSTART:20261113T090000Z\r\nRRULE:\(rule)\r\nEND:VEVENT\r\n"
    }
    try calendars.write(series("FREQ=WEEKLY"))
    #expect(try calendars.poll(8, 52).messages.map(\.title) == ["Tea"])
    try calendars.write(series("FREQ=FORTNIGHTLY"))
    #expect(isQuiet(try calendars.poll(8, 53)))
    try calendars.write(series("FREQ=MONTHLY"))
    #expect(try calendars.poll(8, 54).endings.count == 1)
  }

  @Test func theMemoryOfAnEarlierVersionIsThatOfAnyFile() throws {
    try calendars.write(Self.tea, Self.talk)
    #expect(try calendars.poll(8, 52).messages.count == 2)
    for place in calendars.memory.known.indices {
      (calendars.memory.known[place].file, calendars.memory.known[place].mark) = (nil, nil)
    }
    try calendars.write(Self.tea, Self.talk, cutTo: 40)
    try calendars.write(Self.event("other", "Other", "1500"), to: "b.ics")
    #expect(isQuiet(try calendars.poll(8, 53)))
    try calendars.write(Self.tea)
    #expect(try calendars.poll(8, 54).endings.map(\.message.text) == ["event:talk@/default"])
  }

  // MARK: Which event is which

  @Test func aConflictCopyWithAnOlderVersionChangesNothing() throws {
    try calendars.write(Self.event("tea", "Tea at nine", "0900", "LAST-MODIFIED:20261119T080000Z"))
    let told = try calendars.poll(8, 52)
    #expect(told.messages.map(\.title) == ["Tea at nine"])
    try calendars.write(
      Self.event("tea", "Tea", "0930", "LAST-MODIFIED:20261119T090000Z"),
      to: "a.sync-conflict-20261101-101500-ABCDEFG.ics")
    #expect(isQuiet(try calendars.poll(8, 53)))
    #expect(isQuiet(try calendars.poll(9, 25)))
    // Now it is the only event of the folder, and it is still the same event.
    try calendars.remove()
    #expect(try calendars.poll(9, 26).messages.map(\.remoteID) == told.messages.map(\.remoteID))
  }

  private static let three = [event("1", "Birds"), event("1", "Boats", "0901"), event("1", "Bread", "0902")]

  @Test func threeEventsWithOneUIDAreEachToldOfAndFollowed() throws {
    try calendars.write(Self.three.joined())
    let told = try calendars.poll(8, 55).messages
    #expect(told.map(\.title) == ["Birds", "Boats", "Bread"])
    #expect(Set(told.map(\.remoteID)).count == 3)
    #expect(told.first?.remoteID.text == "event:1@/default")
    #expect(
      try CalendarReading.read(calendars.folder).problems.map(\.message) == [
        "1: several events have this UID; each is used"
      ])
    // Only the event in the middle is changed.
    let pier = Self.event("1", "Boats", "0901", "LOCATION:Pier")
    try calendars.write(Self.three[2], pier, Self.three[0])
    let changed = try calendars.poll(8, 56)
    #expect(changed.messages.map(\.remoteID) == [told[1].remoteID] && changed.endings.isEmpty)
    // At another time it is another event.
    try calendars.write(Self.three[0], Self.event("1", "Boats", "0903"), Self.three[2])
    let moved = try calendars.poll(8, 57)
    #expect(moved.messages.map(\.title) == ["Boats"])
    #expect(!told.map(\.remoteID).contains(moved.messages[0].remoteID))
    #expect(moved.endings.filter(\.isOver).map(\.message) == [told[1].remoteID])
    #expect(isQuiet(try calendars.poll(8, 58)))
  }

  @Test func theMessageOfAnEventStaysWhenTheFirstWithItsUIDGoes() throws {
    try calendars.write(Self.three[0], Self.three[1])
    let told = try calendars.poll(8, 55).messages
    try calendars.write(Self.three[1])
    let left = try calendars.poll(8, 56)
    #expect(left.messages.isEmpty && left.endings.map(\.message) == [told[0].remoteID])
    try calendars.write(Self.event("1", "Boats", "0901", "LOCATION:Pier"))
    #expect(try calendars.poll(8, 57).messages.map(\.remoteID) == [told[1].remoteID])
  }

  @Test func theMessageOfAnEventStaysWhenAnEarlierOneWithItsUIDComes() throws {
    try calendars.write(Self.three[1])
    let told = try calendars.poll(8, 55).messages
    #expect(told.map(\.remoteID.text) == ["event:1@/default"])
    try calendars.write(Self.three[0], Self.three[1])
    let both = try calendars.poll(8, 56)
    #expect(both.messages.map(\.title) == ["Birds"])
    #expect(both.messages.map(\.remoteID) != told.map(\.remoteID) && both.endings.allSatisfy { !$0.isOver })
    #expect(isQuiet(try calendars.poll(8, 57)))
    try calendars.write(Self.event("1", "Boats", "0901", "LOCATION:Pier"))
    let left = try calendars.poll(8, 58)
    #expect(left.messages.map(\.remoteID) == told.map(\.remoteID))
    #expect(left.endings.map(\.message) == both.messages.map(\.remoteID))
  }

  @Test func aMessageOfAnEarlierVersionIsOfTheEventThatItFound() throws {
    // The earlier version found only the last event.
    try calendars.write(Self.three[2])
    let told = try calendars.poll(8, 55).messages
    calendars.memory.known[0].mark = nil
    try calendars.write(Self.three.joined())
    let result = try calendars.poll(8, 56)
    #expect(result.messages.map(\.title) == ["Birds", "Boats"] && result.endings.allSatisfy { !$0.isOver })
    #expect(!result.messages.map(\.remoteID).contains(told[0].remoteID))
    #expect(isQuiet(try calendars.poll(8, 57)))
  }

  @Test func anEventThatIsEditedInPlaceKeepsItsMessage() throws {
    try calendars.write(Self.tea)
    let told = try calendars.poll(8, 52).messages
    try calendars.write(Self.event("tea", "High tea", "0905"))
    #expect(try calendars.poll(8, 53).messages.map(\.remoteID) == told.map(\.remoteID))
  }
}
