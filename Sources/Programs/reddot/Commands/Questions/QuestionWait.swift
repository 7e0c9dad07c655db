import Basics
import Foundation
import Messages
import Platform
import Profile
import Storage

/// Waits for the answer to a question of this process. It sleeps until another process connects, answers or exits, or
/// until the question's time has passed.
struct QuestionWait {
  private let profile: Profile
  private let socket: WaitingSocket
  /// The name of the socket, which the stored question contains.
  let asker: String

  /// Creates the socket. This must happen before the question is stored, so that every process that finds the question
  /// can connect.
  ///
  /// - Throws: if the socket cannot be created in the folder of the locks.
  init(_ profile: Profile) throws {
    self.profile = profile
    guard let folder = profile.store.questions.folder else {
      throw Complaint("the database is in memory, so no inbox can answer")
    }
    asker = "ask-\(UUID().uuidString.lowercased())"
    do throws(POSIXError) {
      socket = try WaitingSocket(folder: folder, name: asker)
    } catch {
      throw Complaint(
        "cannot wait for an answer in \(folder): \(SystemReason.words(errno: error.code.rawValue)); check who may write there"
      )
    }
  }

  private var questions: StoreQuestions { profile.store.questions }
  private func now() -> Date { profile.environment.now() }

  /// Blocks the thread until the question has ended.
  ///
  /// - Parameters:
  ///   - needsInbox: whether the question is withdrawn when no inbox is open any more.
  ///   - interruption: an alarm that withdraws the question.
  /// - Returns: the ended question, or `nil` if its message was deleted.
  func end(of message: MessageID, needsInbox: Bool, _ interruption: Alarm?) throws(StoreFailure)
    -> ProgramQuestion?
  {
    var connections: [Int32] = []
    defer { for connection in connections { close(connection) } }
    // An open inbox needs a moment to connect.
    var wasChecked = !needsInbox
    while true {
      guard let question = try questions.find(message) else { return nil }
      if !question.isOpen { return question }
      let left = question.until.timeIntervalSince(now())
      if interruption?.hasRung == true {
        return try questions.end(message, .withdrawn, at: now()).question
      }
      if left <= 0 { return try questions.end(message, .timedOut, at: now()).question }
      var wait = min(Duration.seconds(left), Limits.longestQuestionWait)
      if connections.isEmpty, !wasChecked { wait = min(wait, Limits.inboxConnectionTime) }
      let descriptors = [socket.descriptor, interruption?.descriptor ?? -1] + connections
      let ready = Descriptors.readable(descriptors, within: wait)
      if ready.contains(socket.descriptor) {
        while let connection = socket.accept() { connections.append(connection) }
      }
      var hasLost = false
      for connection in ready where connections.contains(connection) && !Self.isOpen(connection) {
        close(connection)
        connections.removeAll { $0 == connection }
        hasLost = true
      }
      guard needsInbox, connections.isEmpty, hasLost || ready.isEmpty && !wasChecked else { continue }
      wasChecked = true
      guard !InboxPresence.isThere(folder: questions.folder) else { continue }
      return try questions.end(message, .withdrawn, at: now()).question
    }
  }

  /// Reads the bytes that woke this process.
  ///
  /// - Returns: whether the other end is still open.
  private static func isOpen(_ connection: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = recv(connection, &bytes, bytes.count, 0)
    return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
  }
}

/// Turns the signals that would end a command into an alarm that its wait observes.
enum Interruption {
  nonisolated(unsafe) private static var alarm: Alarm?

  /// Installs the handlers of the signals.
  ///
  /// - Returns: `nil` if the process has no descriptors left; then signals end it immediately.
  static func install() -> Alarm? {
    guard let alarm = try? Alarm() else { return nil }
    self.alarm = alarm
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let earlier: (@convention(c) (Int32) -> Void)? = signal(number) { _ in Interruption.alarm?.ring() }
      // A function pointer of 1 is SIG_IGN. Signals that nohup, or a shell without job control, ignores stay ignored.
      if unsafeBitCast(earlier, to: Int.self) == 1 { signal(number, SIG_IGN) }
    }
    return alarm
  }
}
