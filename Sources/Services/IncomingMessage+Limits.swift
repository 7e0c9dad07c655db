import Limits
import Messages

extension IncomingMessage {
  /// Cuts long texts before they are kept for the store, so that no message costs more than its share until then. They
  /// keep more than is stored of them: the store cuts every field, and says so.
  mutating func keepWithinLimits() {
    title = title.cut(toBytes: Limits.titleBytes)
    body = body.cut(toBytes: 2 * Limits.bodyBytes)
    html = html?.cut(toBytes: 2 * Limits.bodyBytes)
    author = author?.cut(toBytes: Limits.nameBytes)
    channel = channel?.cut(toBytes: Limits.nameBytes)
    for index in tags.indices { tags[index] = tags[index].cut(toBytes: Limits.nameBytes) }
  }

  /// About how many bytes its texts take.
  var textBytes: Int { title.utf8.count + body.utf8.count + (html?.utf8.count ?? 0) }
}
