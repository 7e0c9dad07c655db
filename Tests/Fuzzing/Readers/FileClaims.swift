import Banners
import Basics
import Calendars
import Foundation
import Messages
import Polling
import Settings

@testable import Formats

/// Control files: banners in the order of the file, judged one by one, at most one shown.
enum ControlFileClaims {
  static func check(_ bytes: Data) throws(Violation) {
    guard let file = try? ControlFileReader.read(bytes) else { return }
    let names = (try? JSONReader.parse(bytes))?.object?.members.map(\.key) ?? []
    try claimEqual(file.banners.map(\.name), names, "the order of banners")
    try claimBounded(file.banners.textBytes + file.problems.textBytes, by: bytes.count, times: 32, "banners")
    let environment = BannerEnvironment(
      now: Date(timeIntervalSince1970: 1_795_000_000), isOnWifi: true, appVersion: "4.1.7", osVersion: "12.9",
      features: ["dark-mode"])
    let displayed = BannerState().displayed(at: Date(timeIntervalSince1970: 1_794_999_000)).launched()
    let states = Dictionary(names.prefix(3).map { ($0, displayed) }, uniquingKeysWith: { first, _ in first })
    let (shown, verdicts) = BannerJudge.judge(file, states: states, in: environment)
    try claimEqual(verdicts.map(\.name), names, "the order of verdicts")
    guard let shown else { return }
    let first = zip(file.banners, verdicts).first { $1.holds && $0.entry.flatMap($0.view) != nil }
    try claimEqual(shown, first?.0.name ?? "", "the banner that is shown")
    for view in first?.0.views ?? [] {
      try claim((view.height ?? 1) > 0 && (view.height ?? 1).isFinite, "a height of \(view.height ?? 0)")
    }
  }
}

/// Schedule files: an entry either has a problem or fires at increasing instants within the calendar.
enum ScheduleClaims {
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)
  private static let zones = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"].compactMap {
    ZoneClock(named: $0)
  }

  static func check(_ bytes: Data) throws(Violation) {
    guard let file = try? ScheduleFile.read(bytes) else { return }
    try claimBounded(file.entries.textBytes, by: bytes.count, times: 32, "entries")
    try claimEqual(Set(file.entries.map(\.identity)).count, file.entries.count, "identities")
    for (place, entry) in file.entries.prefix(20).enumerated() {
      guard let schedule = entry.schedule else {
        try claim(!entry.problems.isEmpty, "an entry was rejected without a reason")
        continue
      }
      try check(Firings(Recurrence(schedule), zone: zones[place % zones.count], reference: now), schedule)
    }
  }

  private static func check(_ firings: Firings, _ schedule: WallSchedule) throws(Violation) {
    for start in [Date.distantPast, now, Date(timeIntervalSince1970: 250_000_000_000)] {
      var last = start
      var index = -1
      for _ in 0..<4 {
        guard let firing = firings.next(after: last) else { break }
        try claim(firing.instant > last, "\(schedule) fires at \(firing.instant) after \(last)")
        try claim(firing.index > index, "\(schedule) has the firing \(firing.index) after \(index)")
        try claimWritable(firing.instant, "a firing")
        try claimEqual(firings.next(from: firing.instant), firing, "the firing at or after its instant")
        try claimEqual(firings.last(through: firing.instant), firing, "the firing at or before its instant")
        last = firing.instant
        index = firing.index
      }
    }
  }
}

/// Settings: every text can be read or has errors; quoted strings are read back.
enum SettingsClaims {
  static func check(_ bytes: Data) throws(Violation) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = ByteCountText.parse(text).map { $0 + 1 }
    if let duration = DurationText.parse(text) { _ = DurationText.format(duration) }
    let reader = SettingsReader(file: "config.toml", home: "/home/nobody", isReadableByOthers: false)
    switch Self.read(text, reader) {
    case .success(let settings):
      let names = settings.sources.map(\.name)
      try claimEqual(Set(names).count, names.count, "names of sources")
      for source in settings.sources {
        try claim(source.line > 0, "the source \(source.name) stands on no line")
      }
      try appended(to: text, reader, settings)
    case .failure(let mistakes):
      try claim(!mistakes.mistakes.isEmpty, "settings were refused without a reason")
      let lines = text.utf8.count { $0 == 0x0A } + 1
      for mistake in mistakes.mistakes {
        try claim((0...lines).contains(mistake.line), "a mistake on line \(mistake.line) of \(lines)")
      }
    }
    // No setting may hold U+0000; names with control characters are refused before anything is written.
    guard !text.utf8.contains(0) else { return }
    let quoted = "language = \(TOMLText.quoted(text))"
    guard let again = try? reader.read(quoted) else {
      throw Violation(description: "does not read: \(quoted)")
    }
    try claimEqual(again.language, text, "a text quoted and read")
  }

  /// An appended source is read after the others.
  private static func appended(to text: String, _ reader: SettingsReader, _ settings: Settings)
    throws(Violation)
  {
    let name = "appended by the fuzzer"
    guard !settings.sources.contains(where: { $0.name == name }) else { return }
    let table = "\n[[source]]\nname = \(TOMLText.quoted(name))\nurl = \"https://example.org/\"\n"
    // `source = []` cannot be appended to; this is reported before anything is written.
    guard case .success(let again) = Self.read(text + table, reader) else { return }
    try claimEqual(
      again.sources.map(\.name), settings.sources.map(\.name) + [name], "sources after one was appended")
  }

  private static func read(_ text: String, _ reader: SettingsReader) -> Result<Settings, SettingsMistakes> {
    do throws(SettingsMistakes) { return .success(try reader.read(text)) } catch { return .failure(error) }
  }
}
