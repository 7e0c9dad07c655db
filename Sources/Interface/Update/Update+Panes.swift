import Screen

extension AppState {
  /// What one press changes a pane's share by, in percent of the screen.
  private static let step = 2

  /// Gives the pane with the keys that many steps more room.
  mutating func resizePane(by steps: Int) -> [Effect] {
    let steps = min(max(steps, -100), 100)
    guard let shares = layout.shares(giving: focus.pane, percent: steps * Self.step) else { return [] }
    return keep(shares)
  }

  mutating func keep(_ shares: PaneShares) -> [Effect] {
    guard shares != self.shares else { return [] }
    self.shares = shares
    return [.keepShares(shares)]
  }
}
