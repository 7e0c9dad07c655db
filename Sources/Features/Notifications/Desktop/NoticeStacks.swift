import Basics
import Messages

/// The ids of notices that their programs stack: each of a stack is the same message.
struct NoticeStacks {
  /// The id of a stack by that of its newest notice.
  private var stacks: [RemoteID: RemoteID] = [:]

  /// The id under which a notice is stored.
  ///
  /// - Parameter own: the id that the daemon gave this one.
  mutating func id(of notice: ProgramNotice, _ own: RemoteID, bus: String) -> RemoteID {
    guard let stack = notice.stack else {
      stacks[own] = nil
      return own
    }
    let id = RemoteID("\(bus)/\(notice.program)/stack/\(stack)")
    // The daemon gives each of a stack its own number, or the same one.
    stacks = stacks.filter { $0.value != id }
    if stacks.count < Limits.caughtCalls { stacks[own] = id }
    return id
  }

  /// The id of a notice that was closed.
  func id(ofClosed own: RemoteID) -> RemoteID { stacks[own] ?? own }
}
