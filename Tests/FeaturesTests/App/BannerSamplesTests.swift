import Basics
import Formats
import Foundation
import Markup
import Messages
import Screen
import TestBasics
import Testing

@testable import Banners
@testable import Storage

/// The sample campaigns as installed: judged, shown and pressed.
@Suite(.timeLimit(.minutes(HangLimit.minutes)))
struct BannerSamplesTests {
  static let base = "http://127.0.0.1:8099/"
  static let folder = Project.folder.appending(path: "Resources/samples/banners")

  static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  private func file() throws -> ControlFile {
    try ControlFileReader.read(Data(try Self.text("control.json").utf8))
  }

  /// The samples on a server that serves their folder.
  private func harness(version: String? = nil, store: Store? = nil) throws -> BannerStageHarness {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let pages = try names.filter { $0.hasSuffix(".html") }.map { (Self.base + $0, try Self.text($0)) }
    let harness = try BannerStageHarness(
      sources: [BannerStageHarness.source("team", version: version)],
      pages: Dictionary(pages, uniquingKeysWith: { first, _ in first }), store: store)
    try harness.read(try Self.text("control.json"))
    return harness
  }

  /// Presses the control with this label in a page.
  private func press(_ label: String, in name: String, _ harness: BannerStageHarness) throws {
    let page = ViewPage(html: try Self.text(name), base: Self.base + name)
    let control = try #require(page.layout(width: 80).controls.first { $0.label.text.contains(label) })
    harness.stage.press(control.action)
  }

  @Test func theControlFileHasNoMistakesAndEveryViewIsThere() throws {
    let file = try file()
    #expect(file.banners.map(\.name) == ["update", "tour", "tip"])
    #expect(file.problems.isEmpty && file.banners.allSatisfy { $0.problems.isEmpty })
    for view in file.banners.flatMap(\.views) {
      #expect(view.file.hasPrefix(Self.base))
      #expect(!(try Self.text(String(view.file.dropFirst(Self.base.count)))).isEmpty)
    }
  }

  @Test(arguments: ["update.html", "tour-small.html", "tour.html", "tip.html"])
  func everyViewFitsItsRowsAtEightyColumns(name: String) throws {
    let page = ViewPage(html: try Self.text(name), base: Self.base + name)
    let layout = page.layout(width: 80)
    let view = try #require(try file().banners.flatMap(\.views).first { $0.file == Self.base + name })
    #expect(layout.lines.count <= Int((view.height ?? 24 * 16) / 16), "\(layout.lines.count) lines")
    #expect(!layout.controls.isEmpty)
  }

  @Test func theUpdateNoticeRequestsAnAddressAndCloses() async throws {
    let harness = try harness()
    #expect(try await harness.events(until: "page") == ["raised team/update/notice 6 top", "page"])
    harness.stage.laidOut(width: 640, height: 96)
    #expect(try await harness.events(until: "changed update clickable").count == 1)
    harness.stage.press(.click(element: "update"))
    #expect(
      try await harness.events(until: "closed") == ["open https://board.example/releases/4.2", "closed"])
    _ = await harness.end()
  }

  @Test func theSmallBannerOpensAFullScreenWithItsSize() async throws {
    let harness = try harness(version: "4.2")
    #expect(try await harness.events(until: "page") == ["raised team/tour/small 4 bottom", "page"])
    harness.stage.laidOut(width: 640, height: 64)
    try press("Show me", in: "tour-small.html", harness)
    #expect(try await harness.events(until: "page") == ["raised team/tour/full full bottom", "page"])
    harness.stage.laidOut(width: 640, height: 384)
    let size = "changed size=This page has 80 columns and 24 rows."
    #expect(try await harness.events(until: size) == [size])
    harness.stage.laidOut(width: 320, height: 160)
    let smaller = "changed size=This page has 40 columns and 10 rows."
    #expect(try await harness.events(until: smaller) == [smaller])
    try press("Begin", in: "tour.html", harness)
    #expect(try await harness.events(until: "closed") == ["closed"])
    _ = await harness.end()
  }

  @Test func theTipIsNeverShownAgainAfterItsButton() async throws {
    let store = try Store.inMemory(now: BannerStageHarness.now)
    var shown: [String] = []
    for launch in 1...6 {
      let harness = try harness(version: "4.2", store: store)
      await harness.stage.waitUntilIdle()
      harness.stage.laidOut(width: 640, height: 80)
      if launch == 4 { harness.stage.press(.click(element: "never")) }
      await harness.stage.waitUntilIdle()
      shown += await harness.end().filter { $0.hasPrefix("raised") }
    }
    #expect(
      shown == [
        "raised team/tour/small 4 bottom", "raised team/tip/tip 5 bottom", "raised team/tip/tip 5 bottom",
      ])
    #expect(
      try store.banners.all(of: try #require(store.sources.statuses().first).source.id)["tip"]?.flags == [
        "never": true
      ])
  }

  @Test func theTipsFollowEachOther() async throws {
    let harness = try BannerStageHarness(pages: [Self.base + "tip.html": try Self.text("tip.html")])
    harness.stage.present(try BannerShow(file(), banner: "tip", name: "control.json"))
    _ = try await harness.events(until: "page")
    harness.stage.laidOut(width: 640, height: 80)
    for number in [2, 3, 1] {
      harness.stage.press(.click(element: "next"))
      let told = try await harness.events(matching: { $0.hasPrefix("changed number=\(number), text=") })
      #expect(told.count <= 2)
    }
    _ = await harness.end()
  }
}
