import Basics
import Foundation
import Screen
import Storage
import TestBasics
import Testing
import Words

@testable import Interface
@testable import Platform
@testable import Profile
@testable import Session
@testable import Settings

/// A day that begins while nothing else happens.
@MainActor
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct DayChangeTests {
  @Test func aDayThatBeginsIsShown() async throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write("")
    // 08:00 in UTC: the day ends after 16 hours.
    let (timer, time) = (ManualClock(), EditedSettings.SetTime(Date(timeIntervalSince1970: 1_800_000_000)))
    let environment = Environment(
      variables: [:], home: folder.url.path, version: "0", now: { time.now }, clock: { .gmt }, random: { 0 },
      timer: timer)
    let profile = try Profile(
      settings: try folder.file.load(), file: folder.file, store: .inMemory(now: environment.now()),
      environment: environment)
    let loop = InboxLoop(
      profile: profile, screen: LiveSettingTests.StillScreen(), log: nil,
      state: AppState(
        options: InterfaceOptions(words: .inLanguage("en"), zone: .gmt), size: Size(columns: 160, rows: 45),
        now: time.now))
    let days = RepeatedLook(loop) { loop.showDay() }
    days.look()
    await timer.sleeper(until: .seconds(57_600))
    let first = WallTime(loop.state.now, in: .gmt).dayNumber
    time.pass(57_600)
    timer.advance(to: .seconds(57_600))
    // The next day ends a day later.
    await timer.sleeper(until: .seconds(57_600 + 86_400))
    #expect(WallTime(loop.state.now, in: .gmt).dayNumber == first + 1)
    await days.stop()
  }
}
