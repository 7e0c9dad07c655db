import Messages
import TestBasics
import Testing

@testable import Notifications
@testable import Polling
@testable import Profile
@testable import Storage

/// The turns of several processes that poll a new source.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct StoreRecorderTests {
  private static let file = """
    [[source]]
    name = "jobs"
    kind = "local"
    """

  /// `reddot add` has the right to poll new sources, and another process may poll the source for a moment.
  @Test(arguments: [true, false])
  func theProcessThatAddsASourceDoesNotWaitForItself(isPolledElsewhere: Bool) async throws {
    let settings = try EditedSettings(Self.file)
    try await settings.push(1) { _ in "jobs" }
    let profile = try settings.open()
    let source = try #require(profile.store.sources.statuses().first?.source.id)
    let adding = try #require(try profile.store.tryLock(.adding))
    let poll = isPolledElsewhere ? try profile.store.tryLock(.poll(source)) : nil
    let recorder = StoreRecorder(profile.observedArrival, isAdding: true)
    if isPolledElsewhere { #expect(try await recorder.turn(of: source) == nil) }
    poll?.release()
    try await recorder.waitUntilFree(source)
    #expect(try await recorder.turn(of: source) != nil)
    // Others wait.
    #expect(try await StoreRecorder(profile.observedArrival).turn(of: source) == nil)
    adding.release()
  }
}
