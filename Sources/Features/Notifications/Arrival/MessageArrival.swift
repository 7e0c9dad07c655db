import Foundation
package import Messages
import Platform
package import Profile
package import Storage
import Synchronization

/// The right to store messages. `Profile.arrival` hands it over, and does what follows: the marks of panes, the programs of
/// rules, notifications, sending to other machines.
package final class MessageArrival: Sendable {
  package let profile: Profile
  /// The panes whose mark changes, by their key.
  private let panes = Mutex<[String: (pane: TerminalPane, isUnread: Bool)]>([:])
  private let stored: @Sendable () -> Void

  fileprivate init(_ profile: Profile, stored: @escaping @Sendable () -> Void = {}) {
    (self.profile, self.stored) = (profile, stored)
  }

  private var store: Store { profile.store }
  private var now: Date { profile.environment.now() }

  // MARK: - Storing

  /// Stores a script's message in a local source, which is created if it does not exist.
  ///
  /// - Parameter unsaid: fields that keep their old values if the message is pushed again.
  @discardableResult
  package func push(
    _ message: IncomingMessage, into name: String? = nil, unsaid: Set<UnsaidField> = []
  ) throws -> Message {
    let now = now
    let result = try store.pushes.add(message, into: profile.localSource(name), unsaid: unsaid, at: now)
    if let pane = message.extras?.pane, !message.isQuiet, message.visibleFrom ?? now <= now {
      panes.withLock { $0[pane.key] = (pane, true) }
    }
    stored()
    return result
  }

  /// Sets the number on a local source; 0 clears it.
  package func setBadge(_ badge: Int, into name: String?) throws {
    try store.pushes.setBadge(badge, into: profile.localSource(name))
    stored()
  }

  /// Stores what other programs showed on the desktop, and took away there.
  package func add(_ changes: [DesktopChange], into source: SourceID) throws(StoreFailure) {
    try store.pushes.add(changes, into: source, at: now)
    stored()
  }

  /// Makes the messages of a pane read, since the user went there.
  package func looked(at pane: TerminalPane) throws(StoreFailure) {
    try store.messages.readAll(ofPane: pane.key, at: now)
    panes.withLock { $0[pane.key] = (pane, false) }
    stored()
  }

  /// Makes a message of the local sources read, since what it is about has ended or was seen.
  package func read(_ id: RemoteID) throws(StoreFailure) {
    try store.messages.readLocal(id, at: now)
    stored()
  }

  /// Stores what was read without the poller: the articles of another reader's database.
  package func record(_ poll: PollReport) throws(StoreFailure) -> RecordedPoll {
    defer { stored() }
    return try store.polls.record(poll)
  }

  // MARK: - What follows

  /// One failure does not stop what comes after it.
  fileprivate func follow(_ trouble: (String) -> Void) async {
    let marked = panes.withLock { panes in
      defer { panes = [:] }
      return panes.values.sorted { $0.pane.key < $1.pane.key }
    }
    for (pane, isUnread) in marked { await Panes(profile.environment).mark(pane, unread: isUnread) }
    for sentence in await RulePrograms(profile).runWaiting(in: store) { trouble(sentence) }
    if let sentence = await profile.startNoticeHost() { trouble(sentence) }
    do throws(StoreFailure) {
      try await Synchroniser(profile).sendNow()
    } catch {
      trouble(error.sentence)
    }
  }
}

extension Profile {
  /// Hands over the right to store messages, and does what follows once, when the closure has ended, even if it failed: messages
  /// that it stored before are there.
  ///
  /// - Parameter trouble: gets a sentence for everything that could not follow.
  package func arrival<Value>(
    trouble: (String) -> Void, _ store: (MessageArrival) async throws -> Value
  ) async throws -> Value {
    let arrival = MessageArrival(self)
    let value: Value
    do {
      value = try await store(arrival)
    } catch {
      await arrival.follow(trouble)
      throw error
    }
    await arrival.follow(trouble)
    return value
  }

  /// Hands over the right to store messages to a closure that stores repeatedly, and does what follows each time, while it runs.
  package func arrivals(
    trouble: @escaping @Sendable (String) -> Void, _ store: (MessageArrival) async -> Void
  ) async {
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let arrival = MessageArrival(self) { change.yield() }
    let following = Task {
      for await _ in changes { await arrival.follow(trouble) }
    }
    await store(arrival)
    change.finish()
    await following.value
  }

  /// The right of an inbox, which observes its database: it does what follows after each change, of whichever process.
  package var observedArrival: MessageArrival { MessageArrival(self) }
}
