import Limits
import Messages

extension IncomingMessage {
  /// Cuts what is longer than anything of its kind that means something, so that no field of a message costs more
  /// than its share later. Titles and bodies keep more than is stored of them: the store cuts those, and says so.
  mutating func keepWithinLimits() {
    title = title.cut(toBytes: Limits.titleBytes)
    body = body.cut(toBytes: 2 * Limits.bodyBytes)
    html = html?.cut(toBytes: 2 * Limits.bodyBytes)
    author = author?.cut(toBytes: Limits.nameBytes)
    channel = channel?.cut(toBytes: Limits.nameBytes)
    if let text = url, text.utf8.count > Limits.addressBytes { url = nil }
    if let text = language, text.utf8.count > Limits.languageBytes { language = nil }
    if tags.count > Limits.tags { tags.removeSubrange(Limits.tags...) }
    for index in tags.indices { tags[index] = tags[index].cut(toBytes: Limits.nameBytes) }
    guard var extras else { return }
    if extras.actions.count > Limits.actions { extras.actions.removeSubrange(Limits.actions...) }
    extras.actions.removeAll { $0.url.utf8.count > Limits.addressBytes }
    for index in extras.actions.indices {
      extras.actions[index].label = extras.actions[index].label.cut(toBytes: Limits.nameBytes)
    }
    if let poster = extras.poster, poster.utf8.count > Limits.addressBytes { extras.poster = nil }
    self.extras = extras
  }

  /// About how many bytes its texts take.
  var textBytes: Int { title.utf8.count + body.utf8.count + (html?.utf8.count ?? 0) }
}
