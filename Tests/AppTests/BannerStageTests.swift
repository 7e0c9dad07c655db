import Foundation
import HangLimit
import Messages
import Programs
import Testing
import Transport

@testable import App
@testable import Storage

/// Which banner goes up, when, and what is remembered of it.
@Suite(.timeLimit(.minutes(HangLimit.minutes)))
struct BannerStageTests {
  private static let page = "http://banners.example/v.html"

  private static func banner(
    _ conditions: String = "{}", entry: String = "v", height: String = "64", file: String = page
  ) -> String {
    #"{"entry":"\#(entry)","conditions":\#(conditions),"views":{"v":{"file":"\#(file)","height":\#(height)}}}"#
  }

  private func theatre(
    sources: [ConfiguredSource] = [BannerTheatre.source("team")], versionCommand: [String] = [],
    settings: Settings = Settings(), store: Store? = nil
  ) throws -> BannerTheatre {
    try BannerTheatre(
      sources: sources, pages: [Self.page: "<h1>Hello</h1>"], settings: settings,
      versionCommand: versionCommand, store: store)
  }

  @Test func aBannerGoesUpWithItsPageAndIsRemembered() async throws {
    let theatre = try theatre()
    try theatre.read(#"{"hello":\#(Self.banner())}"#)
    #expect(try await theatre.events(until: "page") == ["raised team/hello/v 4 bottom", "page"])
    let memory = try theatre.memory("hello")
    #expect(memory?.isDisplayed == true && memory?.lastDisplay == BannerTheatre.now && memory?.launches == 0)
    #expect(await theatre.end() == [])
    // No script: the engine's process was never needed.
    #expect(theatre.web.asked.map(\.url) == [Self.page])
    #expect(theatre.web.asked[0].responseLimit == 1 << 20)
    #expect(theatre.web.asked[0].headers.first { $0.name == "Accept" }?.value.hasPrefix("text/html") == true)
  }

  @Test(arguments: [("1", "1"), ("16", "1"), ("17", "2"), ("64", "4"), ("1e300", "10000"), ("null", "full")])
  func aRowIsSixteenPoints(height: String, rows: String) async throws {
    let theatre = try theatre()
    try theatre.read(#"{"b":\#(Self.banner(height: height))}"#)
    #expect(try await theatre.events(until: "page").first == "raised team/b/v \(rows) bottom")
    _ = await theatre.end()
  }

  @Test func theStateIsWrittenBeforeTheHTMLArrives() async throws {
    let theatre = try theatre()
    theatre.web.serve([:])
    try theatre.read(#"{"b":\#(Self.banner())}"#)
    let failed = "failed the view \"v\" cannot be shown: banners.example refused the connection on port 80."
    let told = try await theatre.events(until: failed)
    #expect(told == ["raised team/b/v 4 bottom", failed])
    #expect(try theatre.memory("b")?.isDisplayed == true)
    // It stays up until the reader closes it.
    #expect(await theatre.end() == [])
  }

  @Test(arguments: [
    (0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), (1, [2, 4, 6, 8, 10]), (2, [3, 6, 9]), (3, [4, 8]),
  ])
  func launchesCountOverTenSessions(minimum: Int, shownAt: [Int]) async throws {
    let store = try Store.inMemory(now: BannerTheatre.now)
    var shown: [Int] = []
    for launch in 1...10 {
      let theatre = try theatre(store: store)
      let text =
        #"{"b":\#(Self.banner(#"{"all":{"lastDisplayMinimumLaunches":\#(minimum)}}"#)),"z":\#(Self.banner())}"#
      try theatre.read(text)
      let first = try await theatre.events(until: "page").first
      if first == "raised team/b/v 4 bottom" { shown.append(launch) }
      _ = await theatre.end()
    }
    #expect(shown == shownAt)
  }

  @Test func onlyTheFirstGoodReadOfASessionCounts() async throws {
    let theatre = try theatre()
    let text = #"{"b":\#(Self.banner(#"{"all":{"onWifi":true}}"#))}"#
    try theatre.read(text)
    try theatre.read(text)
    let source = try theatre.workspace.source(named: "team")
    try theatre.record(.notModified(PollPosition(), PollHints()), of: source)
    await theatre.settle()
    #expect(try theatre.memory("b")?.launches == 1)
    #expect(await theatre.end() == [])
  }

  @Test func withoutAGoodCopyNoLaunchIsCountedAndALaterReadIsTheFirst() async throws {
    let theatre = try theatre()
    let source = try theatre.workspace.source(named: "team")
    try theatre.record(.failed(.refused(host: "team.example", port: 80), PollHints()), of: source)
    await theatre.settle()
    #expect(try theatre.workspace.store.banners(of: source.id).isEmpty)
    try theatre.read(#"{"b":\#(Self.banner())}"#)
    #expect(try await theatre.events(until: "page").count == 2)
    _ = await theatre.end()
  }

  @Test func a304JudgesTheGoodCopyOfAnEarlierSession() async throws {
    let store = try Store.inMemory(now: BannerTheatre.now)
    let earlier = try theatre(store: store)
    try earlier.read(#"{"b":\#(Self.banner(#"{"all":{"lastDisplayMinimumLaunches":1}}"#))}"#)
    await earlier.settle()
    _ = await earlier.end()
    let theatre = try theatre(store: store)
    let source = try theatre.workspace.source(named: "team")
    // Broken JSON after the good one left the copy alone.
    try theatre.workspace.store.record(
      .failed(.malformed(line: 1, reason: ""), PollHints()), for: source.id, attempt: .soft,
      start: BannerTheatre.now, end: BannerTheatre.now, state: PollState())
    try theatre.record(.notModified(PollPosition(), PollHints()), of: source)
    #expect(try await theatre.events(until: "page").first == "raised team/b/v 4 bottom")
    _ = await theatre.end()
  }

  @Test func sourcesOfOneNameInTwoFilesHaveStatesOfTheirOwn() async throws {
    let theatre = try theatre(sources: [BannerTheatre.source("a"), BannerTheatre.source("b")])
    let text = #"{"same":\#(Self.banner(#"{"all":{"neverDisplayed":true}}"#))}"#
    try theatre.read(text, from: "a")
    #expect(try await theatre.events(until: "page").first == "raised a/same/v 4 bottom")
    try theatre.read(text, from: "b")
    await theatre.settle()
    // Judged already, it waits for its turn, and only then counts as displayed.
    #expect(try theatre.memory("same", of: "b")?.isDisplayed == false)
    theatre.stage.dismissed()
    #expect(
      try await theatre.events(until: "page") == ["closed", "raised b/same/v 4 bottom", "page"])
    #expect(try theatre.memory("same", of: "b")?.isDisplayed == true)
    _ = await theatre.end()
  }

  @Test func ofTenBannersTheFirstInTheDocumentThatHoldsGoesUp() async throws {
    let theatre = try theatre()
    let members = (1...10).map { number in
      let conditions = number < 4 ? #"{"all":{"onWifi":true}}"# : "{}"
      return #""b\#(number)":\#(Self.banner(conditions, entry: number == 4 ? "gone" : "v"))"#
    }
    try theatre.read("{\(members.joined(separator: ","))}")
    #expect(try await theatre.events(until: "page").first == "raised team/b5/v 4 bottom")
    #expect(try theatre.memory("b10")?.launches == 1)
    _ = await theatre.end()
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
    let theatre = try theatre(versionCommand: command)
    // reddot's own is 0.1.0: below 1.0 and below 2.0.
    let old = Self.banner(#"{"all":{"appVersionLessThan":"2.0"}}"#)
    try theatre.read(#"{"old":\#(old),"other":\#(Self.banner())}"#)
    let told = try await theatre.events(until: "page")
    let failures = told.filter { $0.hasPrefix("failed") }
    #expect(
      failures
        == (reason.map { ["failed team: app_version_command \($0); reddot's own version is used"] } ?? []))
    let shown = told.contains("raised team/old/v 4 bottom")
    #expect(shown == (reason != nil || command != ["echo", "2.0"]))
    _ = await theatre.end()
  }

  @Test func aCommandThatHangsDoesNotKeepTheInboxOpen() async throws {
    let ready = FileManager.default.temporaryDirectory.appending(path: "reddot-\(UUID().uuidString)").path
    #expect(mkfifo(ready, 0o600) == 0)
    defer { unlink(ready) }
    let theatre = try theatre(versionCommand: ["sh", "-c", "echo > \(ready); sleep 600"])
    try theatre.read(#"{"b":\#(Self.banner())}"#)
    let told = Program(
      ["cat", ready], environment: ["PATH": "/usr/bin:/bin"], outputLimit: 10,
      deadline: HangLimit.duration)
    #expect(try await ProgramRunner().run(told) == [10])
    // It is ended, not waited for: it may take an hour here.
    #expect(await theatre.end().filter { $0.hasPrefix("raised") } == [])
  }

  @Test func theSettingsVersionsAndTheFeaturesAreAsked() async throws {
    var settings = Settings()
    settings.osVersion = "9"
    let theatre = try theatre(sources: [BannerTheatre.source("team", version: "4.1")], settings: settings)
    let wanted = #"{"all":{"appVersionLessThan":"4.2","osVersionLessThan":"9.1","featureEnabled":"dark"}}"#
    var content = PollContent(messages: [])
    content.features = [FeatureNotice(remoteID: RemoteID("1"), names: ["dark"], isEnabled: true)]
    try theatre.record(.content(content, PollHints()), of: theatre.workspace.source(named: "team"))
    try theatre.read(
      #"{"no":\#(Self.banner(#"{"all":{"appVersionLessThan":"4.1"}}"#)),"yes":\#(Self.banner(wanted))}"#)
    #expect(try await theatre.events(until: "page").first == "raised team/yes/v 4 bottom")
    _ = await theatre.end()
  }

  // MARK: - Views that are not to be had

  @Test func offlineTheCopyOfAViewStandsIn() async throws {
    let store = try Store.inMemory(now: BannerTheatre.now)
    for isOnline in [true, true, false] {
      let theatre = try theatre(store: store)
      if !isOnline { theatre.web.serve([:]) }
      try theatre.read(#"{"b":\#(Self.banner())}"#)
      #expect(try await theatre.events(until: "page") == ["raised team/b/v 4 bottom", "page"])
      _ = await theatre.end()
    }
    #expect(try store.document(at: Self.page)?.validators.etag == "\"14\"")
  }

  @Test(arguments: [
    (ScriptedWeb.Page(html: "x", type: "image/png"), "What came cannot be read: image/png is not HTML."),
    (
      ScriptedWeb.Page(html: String(repeating: "x", count: 1 << 20 | 1)),
      "The answer is larger than 1 MiB."
    ),
  ])
  func whatIsNoPageIsSaid(page: ScriptedWeb.Page, reason: String) async throws {
    let theatre = try theatre()
    theatre.web.serve([Self.page: page])
    try theatre.read(#"{"b":\#(Self.banner())}"#)
    let told = try await theatre.events(matching: { $0.hasPrefix("failed") })
    #expect(told.last?.hasPrefix("failed the view \"v\" cannot be shown: ") == true, "\(told)")
    _ = await theatre.end()
  }

  @Test func aStoreThatTakesNothingShowsNothing() async throws {
    let theatre = try theatre()
    try theatre.read(#"{"b":\#(Self.banner())}"#)
    _ = try await theatre.events(until: "page")
    theatre.stage.dismissed()
    _ = try await theatre.events(until: "closed")
    try theatre.workspace.store.close()
    theatre.stage.controlFileRead(theatre.workspace.sources[0].id)
    #expect(await theatre.end().filter { $0.hasPrefix("raised") } == [])
  }
}
