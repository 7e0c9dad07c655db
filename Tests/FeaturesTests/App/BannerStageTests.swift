import Foundation
import HTTP
import Messages
import Platform
import TestBasics
import Testing

@testable import Banners
@testable import Profile
@testable import Settings
@testable import Storage

/// The choice of the banner to show, the time of its display, and its stored state.
@Suite(.timeLimit(.minutes(HangLimit.minutes)))
struct BannerStageTests {
  private static let page = "http://banners.example/v.html"

  private static func banner(
    _ conditions: String = "{}", entry: String = "v", height: String = "64", file: String = page
  ) -> String {
    #"{"entry":"\#(entry)","conditions":\#(conditions),"views":{"v":{"file":"\#(file)","height":\#(height)}}}"#
  }

  private func harness(
    sources: [ConfiguredSource] = [BannerStageHarness.source("team")], versionCommand: [String] = [],
    settings: Settings = Settings(), store: Store? = nil
  ) throws -> BannerStageHarness {
    try BannerStageHarness(
      sources: sources, pages: [Self.page: "<h1>Hello</h1>"], settings: settings,
      versionCommand: versionCommand, store: store)
  }

  @Test func aBannerIsShownWithItsPageAndStored() async throws {
    let harness = try harness()
    try harness.read(#"{"hello":\#(Self.banner())}"#)
    #expect(try await harness.events(until: "page") == ["raised team/hello/v 4 bottom", "page"])
    let memory = try harness.memory("hello")
    #expect(
      memory?.isDisplayed == true && memory?.lastDisplay == BannerStageHarness.now && memory?.launches == 0)
    #expect(await harness.end() == [])
    // No script: the engine's process was never needed.
    #expect(harness.web.asked.map(\.url) == [Self.page])
    #expect(harness.web.asked[0].responseLimit == 1 << 20)
    #expect(harness.web.asked[0].headers.first { $0.name == "Accept" }?.value.hasPrefix("text/html") == true)
  }

  @Test(arguments: [("1", "1"), ("16", "1"), ("17", "2"), ("64", "4"), ("1e300", "10000"), ("null", "full")])
  func aRowIsSixteenPoints(height: String, rows: String) async throws {
    let harness = try harness()
    try harness.read(#"{"b":\#(Self.banner(height: height))}"#)
    #expect(try await harness.events(until: "page").first == "raised team/b/v \(rows) bottom")
    _ = await harness.end()
  }

  @Test func theStateIsWrittenBeforeTheHTMLArrives() async throws {
    let harness = try harness()
    harness.web.serve([:])
    try harness.read(#"{"b":\#(Self.banner())}"#)
    let failed = "failed the view \"v\" cannot be shown: banners.example refused the connection on port 80."
    let told = try await harness.events(until: failed)
    #expect(told == ["raised team/b/v 4 bottom", failed])
    #expect(try harness.memory("b")?.isDisplayed == true)
    // It stays until the user closes it.
    #expect(await harness.end() == [])
  }

  @Test(arguments: [
    (0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), (1, [2, 4, 6, 8, 10]), (2, [3, 6, 9]), (3, [4, 8]),
  ])
  func launchesCountOverTenSessions(minimum: Int, shownAt: [Int]) async throws {
    let store = try Store.inMemory(now: BannerStageHarness.now)
    var shown: [Int] = []
    for launch in 1...10 {
      let harness = try harness(store: store)
      let text =
        #"{"b":\#(Self.banner(#"{"all":{"lastDisplayMinimumLaunches":\#(minimum)}}"#)),"z":\#(Self.banner())}"#
      try harness.read(text)
      let first = try await harness.events(until: "page").first
      if first == "raised team/b/v 4 bottom" { shown.append(launch) }
      _ = await harness.end()
    }
    #expect(shown == shownAt)
  }

  @Test func onlyTheFirstGoodReadOfASessionCounts() async throws {
    let harness = try harness()
    let text = #"{"b":\#(Self.banner(#"{"all":{"onWifi":true}}"#))}"#
    try harness.read(text)
    try harness.read(text)
    let source = try harness.profile.source(named: "team")
    try harness.record(.notModified(PollPosition(), PollHints()), of: source)
    await harness.settle()
    #expect(try harness.memory("b")?.launches == 1)
    #expect(await harness.end() == [])
  }

  @Test func withoutAGoodCopyNoLaunchIsCountedAndALaterReadIsTheFirst() async throws {
    let harness = try harness()
    let source = try harness.profile.source(named: "team")
    try harness.record(.failed(.refused(host: "team.example", port: 80), PollHints()), of: source)
    await harness.settle()
    #expect(try harness.profile.store.banners.all(of: source.id).isEmpty)
    try harness.read(#"{"b":\#(Self.banner())}"#)
    #expect(try await harness.events(until: "page").count == 2)
    _ = await harness.end()
  }

  @Test func a304JudgesTheGoodCopyOfAnEarlierSession() async throws {
    let store = try Store.inMemory(now: BannerStageHarness.now)
    let earlier = try harness(store: store)
    try earlier.read(#"{"b":\#(Self.banner(#"{"all":{"lastDisplayMinimumLaunches":1}}"#))}"#)
    await earlier.settle()
    _ = await earlier.end()
    let harness = try harness(store: store)
    let source = try harness.profile.source(named: "team")
    // Broken JSON after a valid file does not change the copy.
    try harness.profile.store.polls.record(
      .failed(.malformed(line: 1, reason: ""), PollHints()), for: source.id, attempt: .soft,
      start: BannerStageHarness.now, end: BannerStageHarness.now, state: PollState())
    try harness.record(.notModified(PollPosition(), PollHints()), of: source)
    #expect(try await harness.events(until: "page").first == "raised team/b/v 4 bottom")
    _ = await harness.end()
  }

  @Test func sourcesOfOneNameInTwoFilesHaveStatesOfTheirOwn() async throws {
    let harness = try harness(sources: [BannerStageHarness.source("a"), BannerStageHarness.source("b")])
    let text = #"{"same":\#(Self.banner(#"{"all":{"neverDisplayed":true}}"#))}"#
    try harness.read(text, from: "a")
    #expect(try await harness.events(until: "page").first == "raised a/same/v 4 bottom")
    try harness.read(text, from: "b")
    await harness.settle()
    // Judged already, it waits, and counts as displayed only when it is shown.
    #expect(try harness.memory("same", of: "b")?.isDisplayed == false)
    harness.stage.dismissed()
    #expect(
      try await harness.events(until: "page") == ["closed", "raised b/same/v 4 bottom", "page"])
    #expect(try harness.memory("same", of: "b")?.isDisplayed == true)
    _ = await harness.end()
  }

  @Test func ofTenBannersTheFirstThatHoldsIsShown() async throws {
    let harness = try harness()
    let members = (1...10).map { number in
      let conditions = number < 4 ? #"{"all":{"onWifi":true}}"# : "{}"
      return #""b\#(number)":\#(Self.banner(conditions, entry: number == 4 ? "gone" : "v"))"#
    }
    try harness.read("{\(members.joined(separator: ","))}")
    #expect(try await harness.events(until: "page").first == "raised team/b5/v 4 bottom")
    #expect(try harness.memory("b10")?.launches == 1)
    _ = await harness.end()
  }

  @Test(
    arguments: [
      (["echo", "2.0"], true, nil), (["echo", "1.0"], false, nil),
      (["printf", "\\n  1.9.9 \\nx"], false, nil),
      (["false"], true, "ended with status 1"), (["true"], true, "printed nothing"),
      (["/nowhere/app"], true, "cannot be started: /nowhere/app is not installed"),
      (["yes"], true, "printed more than 4096 bytes"),
    ] as [([String], Bool, String?)])
  func theAppsVersionIsWhatItsCommandPrints(command: [String], isShown: Bool, reason: String?) async throws {
    let harness = try harness(versionCommand: command)
    // reddot's own is 0.1.0: below 1.0 and below 2.0.
    let old = Self.banner(#"{"all":{"appVersionLessThan":"2.0"}}"#)
    try harness.read(#"{"old":\#(old),"other":\#(Self.banner())}"#)
    let told = try await harness.events(until: "page")
    let failures = told.filter { $0.hasPrefix("failed") }
    #expect(
      failures
        == (reason.map { ["failed team: app_version_command \($0); reddot's own version is used"] } ?? []))
    let shown = told.contains("raised team/old/v 4 bottom")
    #expect(shown == (reason != nil || command != ["echo", "2.0"]))
    _ = await harness.end()
  }

  @Test func aCommandThatHangsDoesNotKeepTheInboxOpen() async throws {
    let ready = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)").path
    #expect(mkfifo(ready, 0o600) == 0)
    defer { unlink(ready) }
    let harness = try harness(versionCommand: ["sh", "-c", "echo > '\(ready)'; sleep 600"])
    try harness.read(#"{"b":\#(Self.banner())}"#)
    let told = Program(
      ["cat", ready], environment: ["PATH": "/usr/bin:/bin"], outputLimit: 10,
      deadline: HangLimit.duration)
    #expect(try await ProgramRunner().run(told) == [10])
    // The program, which may take an hour here, is ended instead of waited for.
    #expect(await harness.end().filter { $0.hasPrefix("raised") } == [])
  }

  @Test func theSettingsVersionsAndTheFeaturesAreUsed() async throws {
    var settings = Settings()
    settings.osVersion = "9"
    let harness = try harness(
      sources: [BannerStageHarness.source("team", version: "4.1")], settings: settings)
    let wanted = #"{"all":{"appVersionLessThan":"4.2","osVersionLessThan":"9.1","featureEnabled":"dark"}}"#
    var content = PollContent(messages: [])
    content.features = [FeatureNotice(remoteID: RemoteID("1"), names: ["dark"], isEnabled: true)]
    try harness.record(.content(content, PollHints()), of: harness.profile.source(named: "team"))
    try harness.read(
      #"{"no":\#(Self.banner(#"{"all":{"appVersionLessThan":"4.1"}}"#)),"yes":\#(Self.banner(wanted))}"#)
    #expect(try await harness.events(until: "page").first == "raised team/yes/v 4 bottom")
    _ = await harness.end()
  }

  // MARK: - Views that cannot be fetched

  @Test func offlineTheCopyOfAViewIsShown() async throws {
    let store = try Store.inMemory(now: BannerStageHarness.now)
    let failure = ScriptedWeb.Page(html: "<p>Not this</p>", status: 500)
    for pages in [nil, nil, [:], [Self.page: failure]] as [[String: ScriptedWeb.Page]?] {
      let harness = try harness(store: store)
      if let pages { harness.web.serve(pages) }
      try harness.read(#"{"b":\#(Self.banner())}"#)
      #expect(try await harness.events(until: "page") == ["raised team/b/v 4 bottom", "page"])
      _ = await harness.end()
    }
    #expect(try store.documents.find(at: Self.page)?.validators.etag == "\"14\"")
  }

  @Test(arguments: [
    (ScriptedWeb.Page(html: "x", type: "image/png"), "The response cannot be read: image/png is not HTML."),
    (
      ScriptedWeb.Page(html: String(repeating: "x", count: 1 << 20 | 1)),
      "The response is larger than the limit of 1 MiB."
    ),
  ])
  func otherDocumentsThanPagesAreReported(page: ScriptedWeb.Page, reason: String) async throws {
    let harness = try harness()
    harness.web.serve([Self.page: page])
    try harness.read(#"{"b":\#(Self.banner())}"#)
    let told = try await harness.events(matching: { $0.hasPrefix("failed") })
    #expect(told.last?.hasPrefix("failed the view \"v\" cannot be shown: ") == true, "\(told)")
    _ = await harness.end()
  }

  @Test func aStoreThatTakesNothingShowsNothing() async throws {
    let harness = try harness()
    try harness.read(#"{"b":\#(Self.banner())}"#)
    _ = try await harness.events(until: "page")
    harness.stage.dismissed()
    _ = try await harness.events(until: "closed")
    try harness.profile.store.close()
    harness.stage.controlFileRead(harness.profile.sources[0].id)
    #expect(await harness.end().filter { $0.hasPrefix("raised") } == [])
  }
}
