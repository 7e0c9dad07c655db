import Messages
import Storage
import Testing

@testable import Settings

struct CalendarSettingsTests {
  private func source(_ lines: String) throws -> SourceEntry {
    let reader = SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false)
    let text = "[[source]]\nname = \"team\"\nkind = \"calendar\"\n\(lines)\n"
    return try #require(try reader.read(text).sources.first)
  }

  @Test func aCalendarRemindsTenMinutesBeforeAndAtNine() throws {
    let settings = try source("url = \"~/calendars/work\"").source.settings
    #expect(settings.address == "file:///home/ada/calendars/work")
    #expect(settings.reminder == .before(seconds: 600))
    #expect(settings.dayStartMinutes == 540)
  }

  @Test func whenItRemindsIsASetting() throws {
    let entry = try source("url = \"/cal.ics\"\nremind = \"1h30m\"\nday_start = \"7:15\"")
    #expect(entry.source.settings.reminder == .before(seconds: 5400))
    #expect(entry.source.settings.dayStartMinutes == 435)
    #expect(entry.lines().contains("remind = \"1h30m\""))
    #expect(entry.lines().contains("day_start = \"07:15\""))
    #expect(try source("url = \"/cal.ics\"\nremind = \"off\"").source.settings.reminder == .off)
    #expect(try source("url = \"/cal.ics\"\nremind = 0").source.settings.reminder == .before(seconds: 0))
  }

  @Test(arguments: ["remind = \"never\"", "remind = \"-10m\"", "remind = \"500d\"", "day_start = \"25:00\""])
  func otherValuesAreMistakes(line: String) {
    #expect(throws: SettingsMistakes.self) { try source("url = \"/cal.ics\"\n\(line)") }
  }

  @Test(arguments: [
    ("webcal://cal.example/a.ics?key=1", "https://cal.example/a.ics?key=1"),
    ("WEBCALS://cal.example/a.ics", "https://cal.example/a.ics"),
  ])
  func webcalIsHTTPS(url: String, address: String) throws {
    #expect(try source("url = \"\(url)\"").source.address == address)
  }
}
