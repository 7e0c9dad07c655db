import Foundation
import Messages
import Testing

@testable import Banners
@testable import Storage
@testable import Workspace

struct BannerResetTests {
  private func workspace() throws -> Workspace {
    let harness = try BannerStageHarness(sources: [
      BannerStageHarness.source("a"), BannerStageHarness.source("b"),
    ])
    for name in ["a", "b"] {
      try harness.workspace.store.banners.countLaunch(
        of: ["update", "tip\u{1b}"], in: try harness.id(name), at: Date())
    }
    return harness.workspace
  }

  @Test func itReportsWhatWasDeleted() throws {
    let reset = BannerReset(try workspace())
    #expect(try reset.run(name: "update", source: "b") == ["forgot update of b"])
    #expect(try reset.run(name: nil, source: "a") == ["forgot tip\u{FFFD} of a", "forgot update of a"])
    #expect(try reset.run(name: nil, source: nil) == ["forgot tip\u{FFFD} of b"])
    #expect(try reset.run(name: nil, source: nil) == ["nothing was remembered"])
  }

  @Test func anUnknownNameIsAMistakeAndNothingIsDeleted() throws {
    let workspace = try workspace()
    let unknown = #expect(throws: BannerReset.Unknown.self) {
      try BannerReset(workspace).run(name: "updat", source: "a")
    }
    #expect(
      unknown?.sentence
        == "nothing is remembered of a banner \"updat\" of a; there are tip\u{1b}, update")
    #expect(throws: SourceLookup.Failure.self) { try BannerReset(workspace).run(name: nil, source: "c") }
    #expect(try workspace.store.banners.all(of: try workspace.source(named: "a").id).count == 2)
  }
}
