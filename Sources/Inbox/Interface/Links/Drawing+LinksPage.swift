import Markup
import Screen
import Words

extension Drawing {
  /// Draws number, label and URL of each link.
  mutating func draw(_ page: LinksPage, in area: Rect) {
    frame.write(
      words(.linksTitle), at: Point(column: area.origin.column + 1, row: area.origin.row), in: area,
      style: Palette.heading)
    let list = area.splitTop(ChoicesPage.headRows).rest
    let first = state.dialog.scroll
    let width = String(page.links.compactMap(\.number).max() ?? 1).count
    for row in 0..<list.size.rows where page.links.indices.contains(first + row) {
      let link = page.links[first + row]
      let number = link.number.map { String($0) } ?? ""
      var line = StyledText(" ")
      if signs.areWords, first + row == page.selected { line.append(words(.stateSelected) + ", ") }
      let gap = String(repeating: " ", count: max(0, width - number.count))
      line.append(SafeText(untrusted: gap + number) + "  ", style: Palette.key)
      let label = link.number == nil ? words(.linksOwn) : link.label
      if !label.isEmpty { line.append(label + "  ") }
      // The URL of an action is not shown.
      if !link.address.hasPrefix("reddot:") {
        line.append(SafeText(untrusted: link.address), style: Palette.quiet, link: first + row)
      }
      write(
        line.truncated(to: list.size.columns - 1, ellipsis: signs.ellipsis),
        at: Point(column: list.origin.column + 1, row: list.origin.row + row), in: list, owner: "links",
        address: { _ in link.address })
      if first + row == page.selected { drawSelection(list.row(row), isFocused: true) }
    }
  }
}
