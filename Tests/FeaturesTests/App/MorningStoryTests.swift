import Basics
import Foundation
import Interface
import Messages
import Platform
import Profile
import Screen
import Storage
import TestBasics
import Testing
import Words

@testable import Session

/// The demo's story in a running inbox, with its server and its other machine. The test controls the clock.
@MainActor
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct MorningStoryTests {
  /// A screen that wakes a test when it shows the expected content.
  private final class WatchedScreen: InboxScreen {
    let size = Size(columns: 100, rows: 30)
    let pictureColors: PictureRenderer.Colors? = nil
    let allowsMotion = false
    private(set) var lines: [String] = []
    private var listener: (@MainActor ([ScreenEvent]) -> Void)?
    private var waiting:
      (holds: @MainActor ([String]) -> Bool, continuation: CheckedContinuation<Void, Never>)?

    func listen(_ listener: (@MainActor ([ScreenEvent]) -> Void)?) { self.listener = listener }

    func present(_ frame: Frame) {
      lines = (0..<frame.size.rows).map { row in frame.row(row).map { "\($0.text)" }.joined() }
      guard let (holds, continuation) = waiting, holds(lines) else { return }
      waiting = nil
      continuation.resume()
    }

    func wait(until holds: @escaping @MainActor ([String]) -> Bool) async {
      if holds(lines) { return }
      await withCheckedContinuation { waiting = (holds, $0) }
    }

    func type(_ text: String) {
      listener?(text.map { .input(.key(KeyPress($0))) })
    }

    func redraw() {}
    func ringBell() {}
    func reportMouse(_ isReported: Bool) {}
    func copyToClipboard(_ text: String) -> Bool { false }
    func lend() {}
    func resume() {}
    func suspendProcess() {}
    func close() {}
  }

  private let clock = ManualClock()
  private let screen = WatchedScreen()

  /// Runs the demo while `body` observes it.
  private func watch(_ body: @MainActor (InboxSession) async throws -> Void) async throws {
    let folder = DemoFolder()
    try folder.make()
    defer { #expect(folder.remove() == nil) }
    let began = Date(timeIntervalSince1970: 1_795_686_060)
    let environment = Environment(
      variables: [:], home: folder.path, version: "0", now: { began }, clock: { .gmt }, random: { 0 })
    let server = MorningServer(began: began)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let serving = Task { try await server.run { port.yield($0) } }
    var iterator = ports.makeAsyncIterator()
    let morning = MorningProfile(
      in: folder, server, port: try #require(await iterator.next()), environment: environment)
    let profile = try await morning.open(synchronises: true)
    let session = InboxSession(
      profile: profile, screen: screen, options: InterfaceOptions(words: .inLanguage("en"), zone: .gmt))
    let director = MorningDirector(morning)
    session.follow(MorningStory.scenes(by: clock)) { session, scene in director.perform(scene, in: session) }
    let running = Task { await session.run() }
    try await body(session)
    session.end(nil)
    _ = await running.value
    await session.windDown()
    serving.cancel()
    try await serving.value
  }

  /// Lets the story's time pass up to a scene, and waits until it is explained.
  private func play(_ scene: MorningStory.Scene, _ line: String) async throws {
    let second = try #require(MorningStory.script.first { $0.step == scene }?.second)
    if second > 0 {
      await clock.sleeper(until: .seconds(second))
      clock.advance(to: .seconds(second))
    }
    await screen.wait { $0.last?.contains(line) == true }
  }

  private func row(_ title: String) -> String {
    screen.lines.first { $0.contains(title) } ?? ""
  }

  @Test func eachSceneIsSeenAndExplained() async throws {
    try await watch { session in
      try await play(.opening, "space reads on, n goes to the next unread message")
      #expect(screen.lines[0].contains("21 unread"))
      #expect(row("Mina: can you look").contains("▌"))

      try await play(.build, "n opens the build that just failed")
      await screen.wait { $0[3].contains("main #813 failed") }
      #expect(row("Mina: can you look").contains("▌"))
      #expect(!row("main #813 failed").contains("│▌"))

      #expect(row("Bump sqlite").contains("●"))
      try await play(.rule, "W makes a rule like this one: it hides 9 of the last month, you opened 0")
      await screen.wait { lines in !lines.contains { $0.contains("Bump") } }
      #expect(screen.lines[0].contains("13 unread"))
      #expect(row("Hidden").contains("9"))

      try await play(.ruleRemoved, "U undoes anything")
      // Five of nine are on the screen.
      await screen.wait { lines in lines.filter { $0.contains("Bump ") }.count == 5 }
      #expect(screen.lines.contains { $0.hasPrefix("   Updates") && $0.contains("9 │") })
      #expect(row("Bump sqlite").contains("●"))

      #expect(row("DiskSpaceLow").contains("●"))
      try await play(.alert, "The alert is resolved")
      await screen.wait { lines in lines.contains { $0.contains("DiskSpaceLow") && !$0.contains("●") } }

      for title in ["Linux 6.19", "Swift 6.4 builds", "A scheduler for small"] {
        #expect(row(title).contains("●"))
      }
      try await play(.laptop, "Three were read on the laptop")
      await screen.wait { lines in
        lines.filter { $0.contains("Linux 6.19") || $0.contains("Swift 6.4") || $0.contains("A scheduler") }
          .allSatisfy {
            !$0.contains("●")
          }
      }
      // Other messages are still unread.
      #expect(row("The long way to a smaller").contains("●"))
      #expect(screen.lines[0].contains("18 unread"))

      try await play(.search, "/ searches while you type: try invoice")
      screen.type("/invoice")
      await screen.wait { $0.last?.contains("1 of 3") == true }
      #expect(row("Invoice run of October") != "")
      try await clock.sleeper(until: .seconds(#require(MorningStory.script.last?.second)))
      clock.advance(to: .seconds(60))
      // The prompt stays.
      await screen.wait { $0.last?.contains("invoice") == true }
    }
  }

  @Test func theStoryContinuesWhateverTheUserDid() async throws {
    try await watch { session in
      try await play(.opening, "space reads on")
      // The help covers the list, while all scenes are due at the same time.
      screen.type("?")
      for scene in MorningStory.script.dropFirst() {
        await clock.sleeper(until: .seconds(scene.second))
        clock.advance(to: .seconds(scene.second))
      }
      await screen.wait { _ in session.state.statusLine.guide?.text.contains("lists all keys") == true }
      screen.type("?")
      await screen.wait { $0.last?.contains("? lists all keys, q quits") == true }
      #expect(session.state.statusLine.toast == nil)
      // The scenes were played in order, so the rule has been removed again.
      await screen.wait { $0[0].contains("18 unread") }
      #expect(screen.lines.filter { $0.contains("Bump ") }.count == 5)
    }
  }

  @Test func theScriptIsInOrderAndHasEachSceneOnce() {
    #expect(MorningStory.script.map(\.step) == MorningStory.Scene.allCases)
    let seconds = MorningStory.script.map(\.second)
    #expect(seconds == seconds.sorted() && seconds.last ?? 0 <= 60)
  }
}
