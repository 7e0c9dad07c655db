package import Markup
package import Messages
package import Screen
import Words

/// The events of a banner, which shows a source's own page (its view) at the top or bottom edge of the screen, or over
/// the panes.
package enum BannerAction: Hashable, Sendable {
  /// A view is shown, and replaces the current one.
  case raised(BannerPlacement)
  /// The page of the view has been loaded.
  case loaded(ViewPage)
  /// The view's scripts have run for the first time, or never will: earlier presses take effect now.
  case ready
  /// The view's script has changed the page.
  case changed(ViewPage)
  /// The response to the `layOut` whose request has this number.
  case laidOut(Int, LaidOutView)
  case failed(BannerFailure)
  /// The view's script wants to open a URL. `afterPress` is whether the user pressed something before.
  case asked(address: String, afterPress: Bool)
  /// The view's script closed the view.
  case closed
  /// The response to `scheduleSlide`: this many times 40 ms have passed.
  case slid(steps: Int)
}

package enum BannerEffect: Hashable, Sendable {
  /// Requests a layout, for which the response is `laidOut`. A later request replaces an earlier one.
  indirect case layOut(ViewRequest)
  /// Passes the size of the view's text area, in columns and rows, to the view's scripts: the first time, and
  /// whenever it changes.
  case resized(Size)
  /// Performs what the user pressed: a button, or a link of a script.
  case press(ViewControl.Action)
  /// Ends the banner, since the user closed it.
  case close
  /// Requests one `slid` after about 40 ms, while a banner slides in.
  case scheduleSlide
}

extension AppState {
  mutating func reduce(_ action: BannerAction) -> [Effect] {
    switch action {
    case .raised(let placement): return raise(placement)
    case .loaded(let page): apply(page)
    case .ready: shown.banner?.scriptsRan()
    case .changed(let page): shown.banner?.change(to: page)
    case .laidOut(let number, let view): shown.banner?.apply(view, for: number)
    case .failed(let failure): apply(failure)
    case .asked(let address, let isAfterPress):
      return applyAsked(AskedAddress(address: address, isAfterPress: isAfterPress))
    case .closed:
      // The view's question stays.
      dialog.question = (shown.banner?.asked).map { .bannerLink($0) } ?? dialog.question
      shown.banner = nil
    case .slid(let steps):
      shown.banner?.slide(by: steps)
      return shown.banner?.isSliding == true ? [.banner(.scheduleSlide)] : []
    }
    return []
  }

  private mutating func raise(_ placement: BannerPlacement) -> [Effect] {
    // A view that replaces another one keeps its focus.
    let slides = options.animations && shown.banner == nil
    let asked = shown.banner?.asked
    shown.banner = BannerView(placement, slides: slides, after: shown.banner)
    shown.banner?.asked = asked
    return slides ? [.banner(.scheduleSlide)] : []
  }

  private mutating func apply(_ page: ViewPage) {
    shown.banner?.apply(page)
    shown.banner?.forgetSize()
    if shown.banner?.isFocused == true { shown.banner?.select(nil) }
  }

  /// Shows the failure in the line at the view's edge, and completely at the bottom if the view has the
  /// focus.
  private mutating func apply(_ failure: BannerFailure) {
    shown.banner?.failure = failure
    // A URL that waits to be opened is shown there first.
    if shown.banner?.isFocused == true, shown.banner?.page != nil, shown.banner?.asked == nil {
      report(words.sentence(failure), .failure)
    }
  }

  /// Handles a script's wish to open a URL. A link inside reddot opens immediately if the user pressed something; any
  /// other URL is shown first.
  private mutating func applyAsked(_ asked: AskedAddress) -> [Effect] {
    guard shown.banner != nil else { return [] }
    guard let openable = OpenableAddress(asked.address) else {
      apply(.refusedAddress(asked.address))
      return []
    }
    guard openable.place != .outside, asked.isAfterPress else {
      shown.banner?.asked = AskedAddress(address: openable.text, isAfterPress: asked.isAfterPress)
      return []
    }
    return goInside() + openLink(openable.text, isOfMessage: false)
  }

  /// Moves the focus to the panes for a link inside reddot; a view that covers them closes.
  private mutating func goInside() -> [Effect] {
    guard !layout.isCovered else { return closeBanner() }
    shown.banner?.isFocused = false
    return []
  }

  private mutating func closeBanner() -> [Effect] {
    guard shown.banner != nil else { return [] }
    shown.banner = nil
    return [.banner(.close)]
  }

  /// Lays the view out for its area, and returns the effects that follow. If the size has changed, one of
  /// them passes it to the view's scripts.
  mutating func fitBanner(_ layout: Layout) -> [Effect] {
    guard let area = layout.banner, shown.banner != nil else { return [] }
    var requests = shown.viewRequests
    let wants =
      shown.banner?.layOut(area.size, options: options, requests: &requests) ?? BannerView.Wants()
    shown.viewRequests = requests
    // Nothing else is visible, so the view has the focus.
    if layout.isCovered { shown.banner?.isFocused = true }
    if let view = shown.banner, view.isFocused, view.isEntered, view.control == nil {
      shown.banner?.enter(visible: area.size.rows)
    }
    var effects = wants.pictures.map { Effect.pictures(.draw($0)) }
    if let request = wants.layout { effects.append(.banner(.layOut(request))) }
    for act in shown.banner?.removeEarlyActs() ?? [] { effects += performEarly(act, in: area) }
    if let size = shown.banner?.report(area.size) { effects.append(.banner(.resized(size))) }
    return effects
  }

  /// Performs an act of the user that waited until the view's scripts had run.
  private mutating func performEarly(_ act: BannerView.EarlyAct, in area: Rect) -> [Effect] {
    switch act {
    case .move(let step):
      _ = shown.banner?.moveToControl(by: step, visible: area.size.rows)
      return []
    case .press: return pressInBanner()
    case .click(let clicked): return press(clicked, visible: area.size.rows)
    }
  }

  private var bannerRows: Int { max(1, layout.banner?.size.rows ?? 1) }

  // MARK: Keys

  /// Handles a key while the view has the focus; returns `nil` if the key is not the view's.
  mutating func handleInBanner(_ press: KeyPress) -> [Effect]? {
    guard shown.banner?.isFocused == true, dialog.overlay == nil else { return nil }
    guard press.modifiers.isEmpty else { return nil }
    let rows = bannerRows
    switch press.key {
    case .left:
      _ = shown.banner?.moveToControl(by: -1, visible: rows)
      return []
    case .right:
      _ = shown.banner?.moveToControl(by: 1, visible: rows)
      return []
    case _: return nil
    }
  }

  /// Performs a command while the view has the focus.
  ///
  /// - Returns: `nil` if the view doesn't have the focus, or if the command has no special meaning in a view.
  mutating func performBanner(_ command: Command, steps: Int) -> [Effect]? {
    guard dialog.overlay == nil, shown.banner?.isFocused == true else { return nil }
    let rows = bannerRows
    switch command {
    case .down: for _ in 0..<min(steps, 1000) { shown.banner?.moveOrScroll(by: 1, visible: rows) }
    case .up: for _ in 0..<min(steps, 1000) { shown.banner?.moveOrScroll(by: -1, visible: rows) }
    case .pageDown: shown.banner?.scroll(by: max(1, rows - 1) * steps)
    case .pageUp: shown.banner?.scroll(by: -max(1, rows - 1) * steps)
    case .halfPageDown: shown.banner?.scroll(by: max(1, rows / 2) * steps)
    case .halfPageUp: shown.banner?.scroll(by: -max(1, rows / 2) * steps)
    case .first: shown.banner?.scroll(by: -100_000)
    case .last: shown.banner?.scroll(by: 100_000)
    case .readOn: shown.banner?.scroll(by: max(1, rows - 1))
    case .nextPane:
      guard shown.banner?.moveToControl(by: 1, visible: rows) != true else { return [] }
      guard !layout.isCovered else {
        shown.banner?.wrap(forward: true, visible: rows)
        return []
      }
      leaveBanner()
      return cycle(by: 1)
    case .previousPane:
      guard shown.banner?.moveToControl(by: -1, visible: rows) != true else { return [] }
      if layout.isCovered { shown.banner?.wrap(forward: false, visible: rows) } else { leaveBanner() }
    case .open: return pressInBanner()
    case .back, .quit: return closeBanner()
    // The command does the same as in every place, or a view does not let it through. The table of commands decides
    // which, so that a new command needs no line here.
    case _: return nil
    }
    return []
  }

  private mutating func leaveBanner() {
    shown.banner?.isFocused = false
    shown.banner?.select(nil)
  }

  private mutating func pressInBanner() -> [Effect] {
    // The scripts decide which control this is, and its action.
    if shown.banner?.postpone(.press) == true { return [] }
    guard let control = shown.banner?.pressed else { return [] }
    switch control.action {
    case .open(let address):
      // A link inside reddot moves the focus to the list or the message.
      let isInside = OpenableAddress(address).map { $0.place != .outside } ?? false
      return (isInside ? goInside() : []) + openLink(address, isOfMessage: false)
    case .run, .click: return [.banner(.press(control.action))]
    }
  }

  // MARK: Mouse

  /// - Returns: `nil` if the view is not under the pointer.
  mutating func handleInBanner(_ mouse: Mouse) -> [Effect]? {
    let layout = layout
    guard dialog.overlay == nil, shown.banner != nil, let area = layout.banner else { return nil }
    guard area.contains(mouse.at) || layout.bannerRule.contains(mouse.at) else {
      if mouse.kind == .click || mouse.kind == .doubleClick { shown.banner?.isFocused = false }
      return nil
    }
    switch mouse.kind {
    case .wheelUp: shown.banner?.scroll(by: -3)
    case .wheelDown: shown.banner?.scroll(by: 3)
    case .click, .doubleClick:
      guard let view = shown.banner else { return nil }
      let line = view.scroll + mouse.at.row - area.origin.row
      shown.banner?.enter(visible: area.size.rows)
      guard area.contains(mouse.at) else { return [] }
      let clicked = view.clicked(line: line, column: mouse.at.column - area.origin.column)
      if shown.banner?.postpone(.click(clicked)) == true { return [] }
      return press(clicked, visible: area.size.rows)
    }
    return []
  }

  private mutating func press(_ clicked: BannerView.Clicked, visible: Int) -> [Effect] {
    guard let number = shown.banner?.control(clicked, visible: visible) else { return [] }
    shown.banner?.select(number)
    return pressInBanner()
  }
}
