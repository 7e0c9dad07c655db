import Foundation
import Messages
import Testing

@testable import Profile
@testable import Storage
@testable import reddot

struct BannerResetTests {
  private func profile() throws -> Profile {
    let harness = try BannerStageHarness(sources: [
      BannerStageHarness.source("a"), BannerStageHarness.source("b"),
    ])
    for name in ["a", "b"] {
      try harness.profile.store.banners.countLaunch(
        of: ["update", "tip\u{1b}"], in: try harness.id(name), at: Date())
    }
    return harness.profile
  }

  @Test func itReportsWhatWasDeleted() throws {
    let reset = BannerReset(try profile())
    #expect(try reset.run(name: "update", source: "b") == ["forgot update of b"])
    #expect(try reset.run(name: nil, source: "a") == ["forgot tip\u{FFFD} of a", "forgot update of a"])
    #expect(try reset.run(name: nil, source: nil) == ["forgot tip\u{FFFD} of b"])
    #expect(try reset.run(name: nil, source: nil) == ["no state was stored"])
  }

  @Test func anUnknownNameIsAMistakeAndNothingIsDeleted() throws {
    let profile = try profile()
    let unknown = #expect(throws: BannerReset.Unknown.self) {
      try BannerReset(profile).run(name: "updat", source: "a")
    }
    #expect(
      unknown?.sentence
        == "no state of a banner named \"updat\" of a; banners: tip\u{1b}, update")
    #expect(throws: SourceLookup.Failure.self) { try BannerReset(profile).run(name: nil, source: "c") }
    #expect(try profile.store.banners.all(of: try profile.source(named: "a").id).count == 2)
  }
}
