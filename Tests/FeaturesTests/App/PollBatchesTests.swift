import Foundation
import Messages
import Storage
import Testing

@testable import Polling

/// Polls that begin or end while the store is busy.
@Suite struct PollBatchesTests {
  private let directory: URL
  private let store: Store
  private let sources: [Source]

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    store = try Store(path: directory.appending(path: "a.sqlite").path, now: noon)
    let configured = (0..<6).map {
      ConfiguredSource(name: "s\($0)", kind: .feed, address: "https://s\($0).example/")
    }
    sources = try store.sources.register(configured, at: noon)
  }

  /// Makes the requests while the store's thread is blocked, so that all of them wait together.
  private func together<Answer: Sendable>(
    _ requests: [@Sendable (PollBatches) async -> Answer]
  ) async -> [Answer] {
    let batches = PollBatches(store)
    let gate = DispatchSemaphore(value: 0)
    store.later { _ in gate.wait() }
    let tasks = requests.map { request in Task { await request(batches) } }
    while batches.count < requests.count { await Task.yield() }
    gate.signal()
    var answers: [Answer] = []
    for task in tasks { answers.append(await task.value) }
    return answers
  }

  private func poll(_ source: SourceID, _ titles: [String], hold: String? = nil) -> PollReport {
    let messages = titles.map { IncomingMessage(remoteID: RemoteID($0), kind: .feed, title: $0) }
    var content = PollContent(messages: messages)
    content.position.cursor = Cursor("after \(titles.last ?? "")")
    return PollReport(
      source: source, trigger: .periodic, start: noon, end: noon + 1,
      outcome: .content(content, PollHints()), state: PollState(),
      hold: hold.map { HostHold(host: $0, until: noon + 60) })
  }

  private func recording(
    _ polls: [PollReport]
  ) -> [@Sendable (PollBatches) async -> Result<RecordedPoll, StoreFailure>] {
    polls.map { poll in
      { batches in
        do throws(StoreFailure) { return .success(try await batches.record(poll)) } catch {
          return .failure(error)
        }
      }
    }
  }

  private func titles() throws -> [String] {
    try store.lists.snapshot(InboxQuery(), InboxWindow()).rows.map(\.title).sorted()
  }

  @Test func pollsThatEndTogetherAreEachStored() async throws {
    let polls = sources.enumerated().map { poll($1.id, ["a\($0)", "b\($0)"], hold: "host\($0)") }
    let results = await together(recording(polls))
    #expect(try results.map { try $0.get().new } == [2, 2, 2, 2, 2, 2])
    #expect(try titles() == (0..<6).flatMap { ["a\($0)", "b\($0)"] }.sorted())
    for (number, source) in sources.enumerated() {
      #expect(try store.polls.position(of: source.id).cursor == Cursor("after b\(number)"))
      #expect(
        try store.polls.attempts(of: source.id, limit: 9).map(\.result) == [.new(count: 2, updated: 0)])
    }
    #expect(try store.polls.holds().keys.sorted() == (0..<6).map { "host\($0)" })
  }

  @Test func aPollThatCannotBeStoredTakesNoOtherWithIt() async throws {
    let gone = SourceID(77)
    let results = await together(
      recording([poll(sources[0].id, ["a"]), poll(gone, ["b"]), poll(sources[1].id, ["c"])]))
    #expect(try results[0].get().new == 1)
    #expect(try results[2].get().new == 1)
    #expect(throws: StoreFailure.unknownSource(gone)) { try results[1].get() }
    #expect(try titles() == ["a", "c"])
  }

  private func asking(
    _ sources: [SourceID]
  ) -> [@Sendable (PollBatches) async -> Result<PollTurn?, StoreFailure>] {
    sources.map { source in
      { batches in
        do throws(StoreFailure) { return .success(try await batches.turn(of: source)) } catch {
          return .failure(error)
        }
      }
    }
  }

  @Test func turnsThatAreAskedForTogetherAreEachTheirOwn() async throws {
    try store.polls.record(poll(sources[1].id, ["a"]))
    // As another process would.
    let other = try Store(path: directory.appending(path: "a.sqlite").path, now: noon)
    let held = try #require(try other.tryLock(.poll(sources[0].id)))
    let gone = SourceID(77)
    let turns = await together(
      asking([sources[0].id, sources[1].id, gone, sources[2].id, sources[2].id]))
    let first = try turns[0].get()
    #expect(first == nil)
    #expect(try turns[1].get()?.position.cursor == Cursor("after a"))
    #expect(throws: StoreFailure.self) { try turns[2].get() }
    // One of the two for the same source.
    #expect(try [turns[3].get(), turns[4].get()].count { $0 != nil } == 1)
    // A failed source is free, a source with a turn isn't.
    #expect(try other.tryLock(.poll(gone)) != nil)
    #expect(try other.tryLock(.poll(sources[1].id)) == nil)
    for turn in turns { await (try? turn.get())??.lease.release() }
    #expect(try other.tryLock(.poll(sources[1].id)) != nil)
    held.release()
  }
}

private let noon = Date(timeIntervalSince1970: 1_800_000_000)
