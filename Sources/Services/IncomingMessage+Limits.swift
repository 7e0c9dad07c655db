import Limits
import Messages

extension IncomingMessage {
  /// Cuts long texts while messages wait to be stored, so that none takes too much memory. More is kept than
  /// the store keeps: the store cuts each field to its own limit and reports it.
  mutating func keepWithinLimits() {
    title = title.cut(toBytes: Limits.titleBytes)
    body = body.cut(toBytes: 2 * Limits.bodyBytes)
    html = html?.cut(toBytes: 2 * Limits.bodyBytes)
    author = author?.cut(toBytes: Limits.nameBytes)
    channel = channel?.cut(toBytes: Limits.nameBytes)
    for index in tags.indices { tags[index] = tags[index].cut(toBytes: Limits.nameBytes) }
  }

  /// About how many bytes its texts have.
  var textBytes: Int { title.utf8.count + body.utf8.count + (html?.utf8.count ?? 0) }
}
