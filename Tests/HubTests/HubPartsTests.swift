import Foundation
import Synchronization
import TestBasics
import Testing

@testable import Hub

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct FeedWatchTests {
  private let watch = FeedWatch(waitingLimit: 10)

  init() { watch.replace([HubFeed(name: HubPremises.ops, title: "Ops", lastID: 3)]) }

  /// Waits until the given number of readers are waiting.
  private func waitForReaders(_ count: Int) async {
    while watch.waiting != count { await Task.yield() }
  }

  @Test func aReaderWaitsForAGreaterId() async {
    let watch = watch
    // There is already a newer item.
    await watch.wait(for: .feed(HubPremises.ops), past: 2, until: .now + .seconds(300))
    let waiting = Task { await watch.wait(for: .feed(HubPremises.ops), past: 3, until: .now + .seconds(300)) }
    await waitForReaders(1)
    watch.grew([.feed(HubPremises.ops): 3])
    #expect(watch.waiting == 1)
    watch.grew([.feed(HubPremises.ops): 4])
    await waiting.value
    #expect(watch.waiting == 0 && watch.feed(HubPremises.ops)?.lastID == 4)
    // The store was read before that.
    watch.replace([HubFeed(name: HubPremises.ops, title: "Ops", lastID: 3)])
    #expect(watch.feed(HubPremises.ops)?.lastID == 4)
  }

  @Test func theTimeEndsIt() async {
    let watch = watch
    let end = ContinuousClock.now + .seconds(300)
    let waiting = Task { await watch.wait(for: .feed(HubPremises.ops), past: 3, until: end) }
    await waitForReaders(1)
    watch.endOverdue(at: end - .seconds(1))
    #expect(watch.waiting == 1)
    watch.endOverdue(at: end)
    await waiting.value
    #expect(watch.waiting == 0)
  }

  @Test func theEndOfTheHubAndOfTheFeedEndIt() async {
    let watch = watch
    let waiting = Task { await watch.wait(for: .feed(HubPremises.ops), past: 3, until: .now + .seconds(300)) }
    await waitForReaders(1)
    watch.replace([])
    await waiting.value
    watch.stop()
    await watch.wait(for: .feed(HubPremises.ops), past: 3, until: .now + .seconds(300))
    #expect(watch.isStopping && watch.waiting == 0)
  }
}

struct RateLimitsTests {
  private let start = Date(timeIntervalSince1970: 1_764_200_000)

  @Test func twiceAMinutesRateMayComeAtOnce() {
    var rates = HubOptions.Rates()
    rates.publish = 60
    let limits = RateLimits(rates)
    for _ in 0..<120 { #expect(limits.spend(.publish, "a", now: start) == nil) }
    #expect(limits.spend(.publish, "a", now: start) == 1)
    #expect(limits.spend(.publish, "b", now: start) == nil)
    #expect(limits.spend(.publish, "a", now: start.addingTimeInterval(1)) == nil)
    // A clock that is set back adds nothing.
    #expect(limits.spend(.publish, "a", now: start.addingTimeInterval(-1000)) == 1)
  }
}

struct AddressRangeTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("10.1.2.3", "10.1.2.3", true),
    ("10.1.2.3", "10.1.2.4", false), ("192.168.0.0/23", "192.168.1.9", true),
    ("192.168.0.0/23", "192.168.2.9", false), ("::1", "::1", true), ("fd00::/8", "fd12::1", true),
    ("0.0.0.0/0", "::1", false), ("0.0.0.0/0", "8.8.8.8", true), ("10.0.0.0/8", "host", false),
  ])
  func itHas(_ range: String, _ address: String, _ has: Bool) {
    #expect(AddressRange(range)?.contains(address) == has)
  }

  @Test(arguments: ["", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/-1", "10.0.0.0/", "hub.example"])
  func itIsNone(_ text: String) { #expect(AddressRange(text) == nil) }

  @Test func onlyTrustedProxiesSayWhoAsks() throws {
    let trusted = [try #require(AddressRange("10.0.0.0/8"))]
    func client(_ peer: String?, _ forwarded: String?) -> String? {
      AddressRange.client(peer: peer, forwarded: forwarded, trusted: trusted)
    }
    #expect(client("8.8.8.8", "1.1.1.1") == "8.8.8.8")
    #expect(client("10.0.0.1", "6.6.6.6, 1.1.1.1, 10.0.0.2") == "1.1.1.1")
    #expect(client("10.0.0.1", "nonsense") == "10.0.0.1")
    #expect(client("10.0.0.1", nil) == "10.0.0.1")
    #expect(client(nil, "1.1.1.1") == "1.1.1.1")
  }
}

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct WaitedPageTests {
  /// A store that records its requests.
  private final class Asked: Sendable {
    private let page = WaitedPage()
    private let ids = Mutex<[Int64]>([])

    var lastIDs: [Int64] { ids.withLock { $0 } }

    func page(since: Int64, last: Int64) async throws -> HubPage {
      try await page.page(of: HubPremises.ops, since: since, limit: 100, last: last) { [self] in
        ids.withLock { $0.append(last) }
        return HubPage(items: ["{}"], hasMore: false, lastID: last)
      }
    }
  }

  @Test func theStoreIsAskedOnceForAllWhoWaitedForTheSame() async throws {
    let store = Asked()
    let ids = try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<100 { group.addTask { try await store.page(since: 3, last: 4).lastID } }
      return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
    }
    #expect(ids == [4])
    #expect(store.lastIDs == [4])
    // A reader who waits from another position, or knows of a later change, gets another page.
    #expect(try await store.page(since: 2, last: 4).lastID == 4)
    #expect(try await store.page(since: 2, last: 5).lastID == 5)
    #expect(store.lastIDs == [4, 4, 5])
  }
}
