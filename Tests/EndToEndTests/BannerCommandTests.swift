import Foundation
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
    #expect(why.output.contains("$.tip.entry: names the view \"gone\", which is not in views"))
    try household.run("list").expect("")
    try household.run("status").expect("")
    let inspected = try household.run("inspect", file).output
    #expect(inspected.hasPrefix("format: banners\nbanners: 2\n  update\n  tip\nproblem: $.tip.entry"))
  }

  @Test func otherDocumentsThanControlFilesAreNotAdded() throws {
    let household = try Household()
    let file = try household.write("control.json", "<!doctype html><title>x</title>")
    let ran = try household.run("add", file, "--kind", "banners")
    #expect(ran.exit == .status(1) && ran.output == "")
    #expect(ran.errors.contains("line 1, a control file is JSON, and this is a web page"), "\(ran.errors)")
    #expect(!FileManager.default.fileExists(atPath: household.settingsFile))
  }

  @Test func theHostOfScriptsIsNotInTheHelp() throws {
    let household = try Household()
    #expect(try !household.run("--help").output.contains("script-host"))
    // Without input it ends immediately.
    try household.run("script-host").expect("")
  }
}
