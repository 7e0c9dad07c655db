import Basics
import Foundation
import Messages
import Testing

@testable import Storage

@Suite struct BannerTests {
  let store: Store
  let source: SourceID
  let other: SourceID

  init() throws {
    store = try Store.fresh()
    let ids = try store.follow(configured("a", kind: .banners), configured("b", kind: .banners))
    (source, other) = (ids[0], ids[1])
  }

  @Test func aLaunchCountsForEveryBannerOfTheFileAndNoOther() throws {
    #expect(try store.banners.countLaunch(of: ["x", "y"], in: source, at: noon)["x"]?.launches == 1)
    let banners = try store.banners.countLaunch(of: ["y", "z"], in: source, at: noon)
    #expect(banners.mapValues(\.launches) == ["x": 1, "y": 2, "z": 1])
    #expect(try store.banners.all(of: source) == banners)
    #expect(try store.banners.all(of: other).isEmpty)
  }

  @Test func aDisplayIsStoredAndLaunchesAreReset() throws {
    try store.banners.countLaunch(of: ["x"], in: source, at: noon)
    try store.banners.recordDisplay("x", of: source, at: noon.addingTimeInterval(0.125))
    let memory = try #require(try store.banners.all(of: source)["x"])
    #expect(memory.isDisplayed && memory.launches == 0)
    #expect(memory.lastDisplay == noon.addingTimeInterval(0.125))
    try store.banners.recordDisplay("never seen", of: other, at: noon)
    #expect(try store.banners.all(of: other)["never seen"]?.isDisplayed == true)
  }

  @Test func flagsAreSetInOrderAndBelongToOneBanner() throws {
    try store.banners.setFlags([("never", true), ("later", true), ("later", false)], of: "x", in: source)
    try store.banners.setFlags([("never", true), ("é", true), ("e\u{301}", true)], of: "y", in: source)
    #expect(try store.banners.all(of: source)["x"]?.flags == ["never": true, "later": false])
    #expect(try store.banners.all(of: other).isEmpty)
    try store.banners.countLaunch(of: ["x"], in: source, at: noon)
    try store.banners.recordDisplay("x", of: source, at: noon)
    #expect(try store.banners.all(of: source)["x"]?.flags["never"] == true)
  }

  @Test func aBannerHasNoMoreFlagsThanAreKept() throws {
    let flags = (0..<Limits.flagsOfABanner + 2).map { (name: "\($0)", isSet: true) }
    #expect(try store.banners.setFlags(flags, of: "x", in: source) == ["200", "201"])
    #expect(try store.banners.setFlags([("0", false)], of: "x", in: source) == [])
    #expect(try store.banners.all(of: source)["x"]?.flags.count == Limits.flagsOfABanner)
  }

  @Test func forgettingTakesOneBannerOrThoseOfASourceOrAll() throws {
    for source in [source, other] { try store.banners.countLaunch(of: ["x", "y"], in: source, at: noon) }
    let one = try store.banners.forget(named: "x", of: source)
    #expect(one == [ForgottenBanner(source: source, sourceName: "a", name: "x")])
    #expect(try store.banners.forget(named: "x", of: source).isEmpty)
    #expect(try store.banners.forget(named: "x").map(\.sourceName) == ["b"])
    #expect(try store.banners.forget(of: source).map(\.name) == ["y"])
    #expect(try store.banners.forget().map(\.name) == ["y"])
    #expect(try store.banners.forget().isEmpty)
  }

  @Test func statesAreDeletedWithTheirSourceAndEmptyForAnUnknownOne() throws {
    try store.banners.countLaunch(of: ["x"], in: source, at: noon)
    try store.sources.forget(source)
    #expect(try store.banners.all(of: source).isEmpty)
    let unknown = SourceID(99)
    #expect(throws: StoreFailure.unknownSource(unknown)) {
      try store.banners.countLaunch(of: ["x"], in: unknown, at: noon)
    }
    #expect(throws: StoreFailure.unknownSource(unknown)) {
      try store.banners.recordDisplay("x", of: unknown, at: noon)
    }
    #expect(throws: StoreFailure.unknownSource(unknown)) {
      try store.banners.setFlags([], of: "x", in: unknown)
    }
  }
}
