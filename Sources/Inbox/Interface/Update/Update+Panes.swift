import Screen
import Words

extension AppState {
  /// The change of a pane's share with each press, in percent of the screen.
  private static let step = 2

  /// Makes the pane with the focus larger by a number of steps.
  mutating func resizePane(by steps: Int) -> [Effect] {
    let steps = min(max(steps, -100), 100)
    guard let new = layout.shares(giving: focus.pane, percent: steps * Self.step) else { return [] }
    let old = shares
    if new.list != old.list { return changeList { $0.share = new.list } }
    return changePreferences {
      if new.sources != old.sources { $0.shares.sources = new.sources }
      if new.timeline != old.timeline { $0.shares.timeline = new.timeline }
    }
  }
}
