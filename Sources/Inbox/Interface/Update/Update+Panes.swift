import Screen

extension AppState {
  /// How much one press changes a pane's share, in percent of the screen.
  private static let step = 2

  /// Makes the pane with the keys that many steps larger.
  mutating func resizePane(by steps: Int) -> [Effect] {
    let steps = min(max(steps, -100), 100)
    guard let shares = layout.shares(giving: focus.pane, percent: steps * Self.step) else { return [] }
    return changePreferences { $0.shares = shares }
  }
}
