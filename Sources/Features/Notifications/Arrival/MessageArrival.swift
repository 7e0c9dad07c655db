import Foundation
package import Messages
import Platform
package import Profile
package import Storage

/// Stores messages that arrive. `Profile.arrival` passes a value to its closure, and afterwards does the work that new
/// messages require: it runs the programs of rules, starts the notifications, and sends changes to other machines.
package final class MessageArrival: Sendable {
  package let profile: Profile
  /// A closure that is called after each change of the database.
  private let stored: @Sendable () -> Void

  fileprivate init(_ profile: Profile, stored: @escaping @Sendable () -> Void = {}) {
    (self.profile, self.stored) = (profile, stored)
  }

  private var store: Store { profile.store }
  private var panes: Panes { Panes(profile.environment) }
  private var now: Date { profile.environment.now() }

  // MARK: - Storing

  /// Stores a script's message in a local source, which is created if it does not exist.
  ///
  /// The message's pane in tmux is marked as having unread messages before the message is stored. If the user
  /// goes to the pane in between, tmux's hook reports that because of the mark, and the report is stored
  /// after the message.
  ///
  /// - Parameter unsaid: fields that keep their old values if the message is pushed again.
  @discardableResult
  package func push(
    _ message: IncomingMessage, into name: String? = nil, unsaid: Set<UnsaidField> = []
  ) async throws -> Message {
    let now = now
    if let pane = message.extras?.pane, !message.isQuiet, message.visibleFrom ?? now <= now {
      await panes.mark(pane, unread: true)
    }
    let result = try store.pushes.add(message, into: profile.localSource(name), unsaid: unsaid, at: now)
    stored()
    return result
  }

  /// Stores a program's question in a local source, in the same way as `push` stores a script's message.
  ///
  /// - Returns: the message, or `nil` if too many questions wait already.
  package func ask(
    _ message: IncomingMessage, _ question: ProgramQuestion, into name: String? = nil
  ) async throws -> Message? {
    if let pane = message.extras?.pane, !message.isQuiet { await panes.mark(pane, unread: true) }
    let result = try store.questions.ask(message, question, into: profile.localSource(name), at: now)
    stored()
    return result
  }

  /// Sets the badge, which is a number, of a local source; 0 removes it.
  package func setBadge(_ badge: Int, into name: String?) throws {
    try store.pushes.setBadge(badge, into: profile.localSource(name))
    stored()
  }

  /// Stores the notifications that other programs showed or closed on the desktop.
  package func add(_ changes: [DesktopChange], into source: SourceID) throws(StoreFailure) {
    try store.pushes.add(changes, into: source, at: now)
    stored()
  }

  /// Marks the messages of a pane as read, since the user is looking at the pane.
  package func looked(at pane: TerminalPane) async throws(StoreFailure) {
    try store.messages.readAll(ofPane: pane.key, at: now)
    await panes.mark(pane, unread: false)
    stored()
  }

  /// Marks a message of the local sources as read, since its subject has ended or was seen.
  package func read(_ id: RemoteID) throws(StoreFailure) {
    try store.messages.readLocal(id, at: now)
    stored()
  }

  /// Stores messages that the poller did not read: the articles of another reader's database.
  package func record(_ poll: PollReport) throws(StoreFailure) -> RecordedPoll {
    defer { stored() }
    return try store.polls.record(poll)
  }

  // MARK: - What follows

  /// Does the work that new messages require. A failed step does not stop the next ones.
  fileprivate func follow(_ trouble: (String) -> Void) async {
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
  /// Runs a closure that stores messages, and then does the work that new messages require, once. This happens even if
  /// the closure fails, since it may have stored messages before.
  ///
  /// - Parameter trouble: gets a sentence for each step that failed.
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

  /// Runs a closure that stores messages repeatedly. While the closure runs, the work that new messages require is done
  /// after each change.
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

  /// The arrival for an inbox. The inbox observes its database and does the work that new messages require after each
  /// change, whichever process made the change.
  package var observedArrival: MessageArrival { MessageArrival(self) }
}
