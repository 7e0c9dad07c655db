import Basics
import Foundation
import Testing

@testable import Calendars

struct CalendarTextTests {
  @Test func linesAreUnfoldedAndTextIsUnescaped() throws {
    let bytes = Data(
      "BEGIN:VCALENDAR\nX-WR-CALNAME:Team\\, all\nBEGIN:VEVENT\nUID:one\nDTSTART;X=\"a;b:c\":20261120\nSUMMARY:Lunch\\, wi\n th Ä\n da\\nand more\nEND:VEVENT\nEND:VCALENDAR"
        .utf8)
    let file = try #require(CalendarFile.read(bytes))
    #expect(file.title == "Team, all")
    #expect(file.items.map(\.summary) == ["Lunch, with Äda\nand more"])
    #expect(file.problems.isEmpty)
  }

  /// A character may be divided between two lines: lines are folded by bytes.
  @Test func aCharacterOverTwoLinesIsWhole() throws {
    var bytes = Data("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:one\r\nDTSTART:20261120\r\nSUMMARY:caf".utf8)
    bytes += [0xC3] + Data("\r\n ".utf8) + [0xA9] + Data("\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    #expect(CalendarFile.read(bytes)?.items.first?.summary == "café")
  }

  @Test func severalCalendarsInOneFileAreOne() throws {
    let one = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:%\nDTSTART:20261120\nEND:VEVENT\nEND:VCALENDAR\n"
    let file = try #require(CalendarFile.read(Data((one + one).utf8)))
    #expect(file.items.count == 2)
  }

  @Test func aCancellationCancelsAllThatItHas() throws {
    let sample = try CalendarSample("METHOD:CANCEL\nBEGIN:VEVENT\nUID:one\nDTSTART:20261120\nEND:VEVENT")
    #expect(sample.file.items.map(\.isCancelled) == [true])
  }
}
