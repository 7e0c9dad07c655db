import Foundation
import Interface
import Messages
import Platform
import Profile
import Storage

/// Keeps a connection to each process that asks a question, so that the end of the process ends the question, without
/// polling.
@MainActor
final class QuestionFollower {
  private let loop: InboxLoop
  private let store: StoreAccess
  /// The connections to the asking processes, keyed by the messages with their questions.
  private var watches: [MessageID: InputWatch] = [:]
  /// The number of times that the open questions were read. The results of earlier reads may arrive later, and are
  /// ignored.
  private var looks = 0
  /// The lock by which asking processes know that an inbox is open, in which the user can answer.
  private var presence: InboxPresence?

  init(_ loop: InboxLoop, _ store: StoreAccess) { (self.loop, self.store) = (loop, store) }

  func start() {
    presence = InboxPresence(folder: loop.profile.store.questions.folder)
    look()
  }

  func stop() {
    for watch in watches.values { watch.cancel() }
    watches = [:]
    presence = nil
  }

  /// Connects to the processes of new questions after a change of the store.
  func look() {
    guard presence != nil else { return }
    looks += 1
    let look = looks
    store.read({ store throws(StoreFailure) in try store.questions.open() }) { [weak self] open in
      if let self, look == looks { follow(open) }
    }
  }

  /// Connects to the processes of new questions, and disconnects from those of ended ones.
  private func follow(_ open: [OpenQuestion]) {
    guard presence != nil else { return }
    let messages = Set(open.map(\.message))
    for (message, watch) in watches where !messages.contains(message) {
      watch.cancel()
      watches[message] = nil
    }
    var isAbandoned = false
    for question in open where watches[question.message] == nil {
      switch loop.profile.store.questions.connect(to: question) {
      case .waits(let connection):
        watches[question.message] = InputWatch(connection) { [weak self] in
          self?.ended(question.message)
        } end: {
          close(connection)
        }
      case .gone: isAbandoned = true
      case .unknown: break
      }
    }
    if isAbandoned { endAbandoned() }
  }

  /// Ends the question of a process. Waiting processes write nothing, so a readable connection means that the process
  /// has ended.
  ///
  /// The system closes the files of a process one after the other. While its socket is still open, another connection
  /// is made, whose end is that of the socket.
  private func ended(_ message: MessageID) {
    watches.removeValue(forKey: message)?.cancel()
    look()
  }

  private func endAbandoned() {
    let now = loop.profile.environment.now()
    store.write(isAct: false, { store in try store.questions.endAbandoned(at: now) })
  }

  func perform(_ effect: QuestionEffect) {
    switch effect {
    case .answer(let message, let number):
      let now = loop.profile.environment.now()
      store.write(isAct: true) { store in
        try store.questions.answer(message, number, at: now)
      } then: { [loop] result in
        loop.happened(.questions(.answered(message, isGiven: result.isGiven, result.question)))
      }
    }
  }
}
