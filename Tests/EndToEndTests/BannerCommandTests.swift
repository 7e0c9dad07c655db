import Foundation
import Messages
import Storage
import TerminalHarness
import Testing

/// Control files as sources, and the publisher's commands, with the built program.
@Suite struct BannerCommandTests {
  private static let control = """
    {"update": {"entry": "v", "views": {"v": {"file": "http://127.0.0.1:9/update.html", "height": 64}}},
     "tip": {"entry": "gone", "views": {}}}
    """

  @Test func aControlFileIsAddedPolledAndExplainedLikeEverySource() throws {
    let household = try Household()
    let file = try household.write("control.json", Self.control)
    try household.run("add", file, "--kind", "banners", "--name", "team")
      .expect("added team: file://\(file), 2 banners\n")
    #expect(try household.text(of: household.settingsFile).contains("kind = \"banners\""))
    // The file that was examined is the first poll.
    let sources = try household.run("sources").output
    #expect(sources.hasPrefix("  team  banners  polled "))
    let why = try household.run("why", "team")
    #expect(why.exit == .status(0))
    #expect(why.output.contains("$.tip.entry: names the view \"gone\", which views does not hold"))
    try household.run("list").expect("")
    try household.run("status").expect("")
    let inspected = try household.run("inspect", file).output
    #expect(inspected.hasPrefix("format: banners\nbanners: 2\n  update\n  tip\nproblem: $.tip.entry"))
  }

  @Test func brokenJSONAfterAGoodOneKeepsTheGoodCopyAndIsAFailure() throws {
    let household = try Household()
    let file = try household.write("control.json", Self.control)
    try household.settings(sources: [(name: "team", url: file, more: "kind = \"banners\"")])
    #expect(try household.run("poll", "--all").exit == .status(0))
    try household.write("control.json", "{\n\"update\": oops}")
    let failed = try household.run("poll", "--force")
    #expect(failed.exit == .status(1))
    #expect(failed.errors.contains("line 2"))
    let store = try Store(path: household.database, now: Date())
    let source = try #require(try store.sources.statuses().first)
    #expect(source.state.isFailing)
    #expect(try store.documents.goodCopy(of: source.source.id)?.bytes == Data(Self.control.utf8))
  }

  @Test(arguments: [
    ("<!doctype html><title>x</title>", "line 1, a control file is JSON, and this is a web page"),
    ("{\"a\": {},\n  \"b\" 7}", "line 2"), ("[1]", "line 1, a control file is an object"),
  ])
  func otherDocumentsThanControlFilesAreNotAdded(text: String, reason: String) throws {
    let household = try Household()
    let file = try household.write("control.json", text)
    let ran = try household.run("add", file, "--kind", "banners")
    #expect(ran.exit == .status(1) && ran.output == "")
    #expect(ran.errors.contains(reason), "\(ran.errors)")
    #expect(!FileManager.default.fileExists(atPath: household.settingsFile))
  }

  @Test func resetReportsWhatItDeletedAndRefusesUnknownNames() throws {
    let household = try Household()
    let file = try household.write("control.json", Self.control)
    try household.settings(sources: [(name: "team", url: file, more: "kind = \"banners\"")])
    try household.run("banner", "reset").expect("nothing was remembered\n")
    #expect(try household.run("poll", "--all").exit == .status(0))
    do {
      let store = try Store(path: household.database, now: Date())
      let source = try #require(try store.sources.statuses().first).source.id
      try store.banners.countLaunch(of: ["update", "tip"], in: source, at: Date())
      try store.close()
    }
    try household.run("banner", "reset", "updat")
      .expectFailure("nothing is remembered of a banner \"updat\"; there are tip, update")
    try household.run("banner", "reset", "update", "--source", "team").expect("forgot update of team\n")
    try household.run("banner", "reset").expect("forgot tip of team\n")
    try household.run("banner", "reset", "--source", "none")
      .expectFailure("no source is called \"none\"; there are team")
  }

  @Test func theHostOfScriptsIsNotInTheHelp() throws {
    let household = try Household()
    #expect(try !household.run("--help").output.contains("script-host"))
    // With nothing to read it ends at once.
    try household.run("script-host").expect("")
  }
}
