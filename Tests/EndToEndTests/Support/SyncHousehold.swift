import Foundation
import TerminalHarness

/// Machines of one user, which follow a feed of the same messages.
extension Household {
  static let messagesOfMachine = 12

  /// - Parameter name: of the machine.
  static func ofMachine(_ name: String) throws -> Household {
    let household = try Household()
    try household.write("news.xml", rss("News", (1...messagesOfMachine).map { item($0, "Message \($0)") }))
    try household.settings(
      "[sync]\nname = \"\(name)\"\n",
      sources: [("news", "\(household.home)/news.xml", "sync_as = \"news\"")])
    guard try household.run("poll").exit == .status(0) else {
      throw HouseholdFailure("the first poll failed")
    }
    return household
  }

  func syncKey() throws -> String {
    try run("sync", "key").output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the values of all messages, including hidden ones, that must be equal on all machines, keyed by remote id.
  func everything() throws -> [String: String] {
    var messages: [String: String] = [:]
    for var object in try self.messages("--query", "in:all", "--limit", "1000") {
      // These values differ on each machine.
      for name in ["id", "received"] { object[name] = nil }
      let text = try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
      messages["\(object["remote_id"] ?? "")", default: ""] += String(decoding: text, as: UTF8.self)
    }
    return messages
  }
}
