/// The meaning of a request in ntfy's form, from its method and the path after the name of the webhook: nothing,
/// `TOPIC`, `TOPIC/SEQUENCE`, `TOPIC/SEQUENCE/clear`, or `TOPIC/publish` for a message in the query.
package struct NtfyAddress: Hashable, Sendable {
  enum Order { case publish, clear, withdraw }

  /// The topic, or `nil` if the body is JSON that contains it.
  package private(set) var topic: String?
  /// The name of a message that later ones update.
  package private(set) var sequence: String?
  let order: Order

  /// Returns `nil` for a path that ntfy does not have, or not with this method.
  package init?(_ path: [String], method: String) {
    guard path.count <= 3 else { return nil }
    topic = path.first
    let isSent = method == "POST" || method == "PUT"
    switch (path.count, method) {
    case (2, "GET") where Self.publishing.contains(path[1]): order = .publish
    case (2, "DELETE"): (sequence, order) = (path[1], .withdraw)
    case (2, _) where isSent: (sequence, order) = (path[1], .publish)
    case (3, _) where isSent && Self.clearing.contains(path[2]): (sequence, order) = (path[1], .clear)
    case (0, _) where isSent, (1, _) where isSent: order = .publish
    case _: return nil
    }
  }

  /// Returns the methods for a path.
  package static func methods(_ path: [String]) -> [String] {
    ["GET", "POST", "PUT", "DELETE"].filter { NtfyAddress(path, method: $0) != nil }
  }

  private static let publishing: Set<String> = ["publish", "send", "trigger"]
  private static let clearing: Set<String> = ["clear", "read"]
}
