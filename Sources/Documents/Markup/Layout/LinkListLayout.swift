import Screen

// Lays out the list of links at the end: number, text and whole URL, since a link's text may differ from its URL.
extension BlockLayout {
  mutating func write(_ links: [Link]) {
    let widest = links.last.map { LinkCollector.marker($0.number).columns + 1 } ?? 0
    for link in links where !writer.isFull {
      let marker = LinkCollector.marker(link.number)
      writer.push(
        first: .spaces(widest - 1 - marker.columns) + marker + " ", rest: .spaces(widest),
        style: theme.linkNumber)
      let address = StyledText(SafeText(untrusted: link.url), style: theme.link, link: link.number)
      if link.isAction {
        // An action has no URL; its effect is shown before it runs.
        for part in StyledText(link.label, style: theme.link, link: link.number).wrapped(to: writer.columns) {
          writer.write(part)
        }
      } else if link.label.isEmpty || link.label.text == link.url || "mailto:" + link.label.text == link.url {
        write(cut: address)
      } else {
        var line = StyledText(
          link.label.truncated(to: 3 * writer.columns, ellipsis: theme.marks.ellipsis), style: theme.text,
          link: link.number)
        if line.columns + 2 + address.columns <= writer.columns {
          line.append("  ")
          write(cut: line + address)
        } else {
          for part in line.wrapped(to: writer.columns) { writer.write(part) }
          write(cut: address)
        }
      }
      writer.pop()
    }
  }

  /// Writes text that is cut at the width instead of wrapped at words.
  private mutating func write(cut text: StyledText) {
    for part in text.cut(to: writer.columns) { writer.write(part) }
  }
}
