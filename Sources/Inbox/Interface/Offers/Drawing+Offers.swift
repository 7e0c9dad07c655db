import Screen
import Words

extension Drawing {
  mutating func draw(_ page: OffersPage, in area: Rect) {
    let title = StyledText(words(.offersTitle), style: Palette.heading)
    frame.write(
      title.truncated(to: area.size.columns - 1, ellipsis: signs.ellipsis),
      at: Point(column: area.origin.column + 1, row: area.origin.row), in: area)
    let list = area.splitTop(OffersPage.headRows).rest
    let first = state.dialog.scroll
    for row in 0..<list.size.rows where first + row < page.count {
      let line = line(first + row, of: page)
      frame.write(
        line.truncated(to: list.size.columns - 2, ellipsis: signs.ellipsis),
        at: Point(column: list.origin.column + 2, row: list.origin.row + row), in: list)
      if first + row == page.selected { drawSelection(list.row(row), isFocused: true) }
    }
  }

  private func line(_ index: Int, of page: OffersPage) -> StyledText {
    let isSelected = signs.areWords && index == page.selected
    var line = isSelected ? StyledText(words(.stateSelected) + ", ") : .empty
    guard page.offers.indices.contains(index) else {
      line.append(words(.offerAddress))
      return line
    }
    let offer = page.offers[index]
    line.append(words.title(of: offer))
    switch page.phases[offer] {
    case .asking: line.append(signs.ellipsis, style: Palette.quiet)
    case .added: line.append("  " + words(.offerAdded), style: Palette.accent)
    case nil: break
    }
    return line
  }
}
