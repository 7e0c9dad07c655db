import Basics
import Messages

/// The ids of stacked notifications. All notifications of a stack are the same message.
struct NoticeStacks {
  /// The id of each stack, under which all its notifications are stored, keyed by the daemon's id of its
  /// newest notification.
  private var stacks: [RemoteID: RemoteID] = [:]

  /// Returns the id under which a notification is stored.
  ///
  /// - Parameter own: the id that the daemon gave to the notification.
  mutating func id(of notice: ProgramNotice, _ own: RemoteID, bus: String) -> RemoteID {
    guard let stack = notice.stack else {
      stacks[own] = nil
      return own
    }
    let id = RemoteID("\(bus)/\(notice.program)/stack/\(stack)")
    // The daemon gives each notification of a stack a separate number, or the same one.
    stacks = stacks.filter { $0.value != id }
    if stacks.count < Limits.caughtCalls { stacks[own] = id }
    return id
  }

  /// Returns the id under which a notification that is now closed was stored.
  func id(ofClosed own: RemoteID) -> RemoteID { stacks[own] ?? own }
}
