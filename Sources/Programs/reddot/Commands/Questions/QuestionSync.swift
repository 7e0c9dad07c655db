import Messages
import Profile
import Settings
import Storage

/// Syncs while a question of a shared source waits, so that another machine can answer it without an inbox on this one.
///
/// Uses no processor time while nothing happens at the sync location.
struct QuestionSync {
  private let profile: Profile
  private let keeper: SyncKeeper
  private let task: Task<Void, Never>

  /// Starts syncing, or returns `nil` if there are no descriptors left: then another process receives the answer with
  /// its next sync.
  init?(_ profile: Profile) {
    guard let keeper = try? SyncKeeper(profile) else { return nil }
    (self.profile, self.keeper) = (profile, keeper)
    // Failures are shown by `sync status`.
    task = Task.detached { await keeper.run { _ in } }
  }

  /// Stops, and sends the end of the question. If that fails, the next sync sends it.
  func end() async {
    keeper.stop()
    await task.value
    try? await Synchroniser(profile).sendNow(anywhere: true)
  }
}

extension Profile {
  /// Whether other machines get the message.
  func shares(_ message: Message) -> Bool {
    settings.sync.place != nil
      && settings.sources.contains { $0.name == message.sourceName && $0.source.settings.isShared }
  }
}
