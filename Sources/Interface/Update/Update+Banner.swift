import Markup
import Messages
import Screen

extension AppState {
  mutating func raise(_ placement: BannerPlacement) -> [Effect] {
    // A view that another one leads to is read on where that one was read.
    let slides = options.animations && banner == nil
    let asked = banner?.asked
    banner = BannerView(placement, slides: slides, after: banner)
    banner?.asked = asked
    return slides ? [.scheduleSlide] : []
  }

  mutating func slideBanner(by steps: Int) -> [Effect] {
    banner?.slide(by: steps)
    return banner?.isSliding == true ? [.scheduleSlide] : []
  }

  mutating func take(_ page: ViewPage) {
    banner?.take(page)
    banner?.forgetSize()
    if banner?.isFocused == true { banner?.select(nil) }
  }

  /// Said where the view is; whoever pressed something reads the whole of it at the bottom.
  mutating func take(_ failure: BannerFailure) {
    banner?.failure = failure
    // An address that waits to be opened stands there first.
    if banner?.isFocused == true, banner?.page != nil, banner?.asked == nil {
      toast = Toast(words.sentence(failure), .failure)
    }
  }

  /// A script wants to open an address: one inside is gone to if its reader pressed for it, any other is shown first.
  mutating func takeAsked(_ address: String) -> [Effect] {
    guard banner != nil else { return [] }
    guard let openable = OpenableAddress(address) else {
      take(.refusedAddress(address))
      return []
    }
    // One that covers the screen has the keys whether its reader wants anything of it or not.
    let isWanted = banner?.isFocused == true && (!layout.isCovered || banner?.control != nil)
    guard openable.place != .outside, isWanted else {
      banner?.asked = openable.text
      toast = nil
      return []
    }
    return goInside() + openLink(openable.text, isOfMessage: false)
  }

  /// The keys go to what a link leads to; a view that lies over it closes.
  private mutating func goInside() -> [Effect] {
    guard !layout.isCovered else { return closeBanner() }
    banner?.isFocused = false
    return []
  }

  /// What it asked stands on without it.
  mutating func bannerIsGone() {
    question = banner?.asked ?? question
    banner = nil
    if question != nil { toast = nil }
  }

  /// Enter opens what a banner that is gone asked for, Escape does not; nil where nothing is asked or the key is another.
  mutating func takeAnswer(_ press: KeyPress) -> [Effect]? {
    guard let address = question, overlay == nil, press.modifiers.isEmpty else { return nil }
    switch press.key {
    case .enter:
      question = nil
      return openLink(address, isOfMessage: false)
    case .escape:
      question = nil
      return []
    case _: return nil
    }
  }

  mutating func closeBanner() -> [Effect] {
    guard banner != nil else { return [] }
    banner = nil
    return [.closeBanner]
  }

  /// Lays the view out in its place, and tells its size.
  mutating func settleBanner(_ layout: Layout) -> [Effect] {
    guard let area = layout.banner, banner != nil else { return [] }
    let wants = banner?.lay(area.size, options: options, requests: &viewRequests) ?? BannerView.Wants()
    // Nothing else can be seen: the keys are its own.
    if layout.isCovered { banner?.isFocused = true }
    if let view = banner, view.isFocused, view.isEntered, view.control == nil {
      banner?.enter(visible: area.size.rows)
    }
    var effects = wants.pictures.map(Effect.drawPicture)
    if let request = wants.layout { effects.append(.layOutView(request)) }
    for act in banner?.takeEarlyActs() ?? [] { effects += performEarly(act, in: area) }
    if let size = banner?.tell(area.size) { effects.append(.bannerLaidOut(size)) }
    return effects
  }

  private mutating func performEarly(_ act: BannerView.EarlyAct, in area: Rect) -> [Effect] {
    switch act {
    case .hop(let step):
      _ = banner?.hop(by: step, visible: area.size.rows)
      return []
    case .press: return pressInBanner()
    case .click(let line, let column): return press(line: line, column: column)
    }
  }

  private var bannerRows: Int { max(1, layout.banner?.size.rows ?? 1) }

  // MARK: Keys

  /// What a key does while the view has the keys; nil where it is not the view's.
  mutating func takeInBanner(_ press: KeyPress) -> [Effect]? {
    guard banner?.isFocused == true, overlay == nil else { return nil }
    guard press.modifiers.isEmpty else { return nil }
    let rows = bannerRows
    switch press.key {
    case .left:
      _ = banner?.hop(by: -1, visible: rows)
      return []
    case .right:
      _ = banner?.hop(by: 1, visible: rows)
      return []
    case _: return nil
    }
  }

  /// - Returns: nil where the view doesn't have the keys, or where the command does the same in every place.
  mutating func performInBanner(_ command: Command, steps: Int) -> [Effect]? {
    guard overlay == nil, banner?.isFocused == true else { return nil }
    let rows = bannerRows
    switch command {
    case .down: for _ in 0..<min(steps, 1000) { banner?.walk(by: 1, visible: rows) }
    case .up: for _ in 0..<min(steps, 1000) { banner?.walk(by: -1, visible: rows) }
    case .pageDown: banner?.scroll(by: max(1, rows - 1) * steps)
    case .pageUp: banner?.scroll(by: -max(1, rows - 1) * steps)
    case .halfPageDown: banner?.scroll(by: max(1, rows / 2) * steps)
    case .halfPageUp: banner?.scroll(by: -max(1, rows / 2) * steps)
    case .first: banner?.scroll(by: -100_000)
    case .last: banner?.scroll(by: 100_000)
    case .readOn: banner?.scroll(by: max(1, rows - 1))
    case .nextPane:
      guard banner?.hop(by: 1, visible: rows) != true else { return [] }
      guard !layout.isCovered else {
        banner?.wrap(forward: true, visible: rows)
        return []
      }
      leaveBanner()
      return cycle(by: 1)
    case .previousPane:
      guard banner?.hop(by: -1, visible: rows) != true else { return [] }
      if layout.isCovered { banner?.wrap(forward: false, visible: rows) } else { leaveBanner() }
    case .open: return pressInBanner()
    case .back, .quit:
      guard banner?.asked == nil else {
        banner?.asked = nil
        return []
      }
      return closeBanner()
    // The same as everywhere. No other key comes here: the table says which a view lets through.
    case _: return nil
    }
    return []
  }

  private mutating func leaveBanner() {
    banner?.isFocused = false
    banner?.select(nil)
  }

  private mutating func pressInBanner() -> [Effect] {
    if let address = banner?.asked {
      banner?.asked = nil
      return openLink(address, isOfMessage: false)
    }
    // What it does, and which control it is, is known when the scripts have run.
    if banner?.postpone(.press) == true { return [] }
    guard let control = banner?.pressed else { return [] }
    switch control.action {
    case .open(let address):
      // Inside, the list or the message that it leads to is read next.
      let isInside = OpenableAddress(address).map { $0.place != .outside } ?? false
      return (isInside ? goInside() : []) + openLink(address, isOfMessage: false)
    case .run, .click: return [.pressBanner(control.action)]
    }
  }

  // MARK: Mouse

  /// - Returns: nil where the view is not under the pointer.
  mutating func takeInBanner(_ mouse: Mouse) -> [Effect]? {
    let layout = layout
    guard overlay == nil, banner != nil, let area = layout.banner else { return nil }
    guard area.contains(mouse.at) || layout.bannerRule.contains(mouse.at) else {
      if mouse.kind == .click || mouse.kind == .doubleClick { banner?.isFocused = false }
      return nil
    }
    switch mouse.kind {
    case .wheelUp: banner?.scroll(by: -3)
    case .wheelDown: banner?.scroll(by: 3)
    case .click, .doubleClick:
      guard let view = banner else { return nil }
      let line = view.scroll + mouse.at.row - area.origin.row
      banner?.enter(visible: area.size.rows)
      guard area.contains(mouse.at) else { return [] }
      let column = mouse.at.column - area.origin.column
      if banner?.postpone(.click(line: line, column: column)) == true { return [] }
      return press(line: line, column: column)
    }
    return []
  }

  /// Presses the control at a place of the text.
  private mutating func press(line: Int, column: Int) -> [Effect] {
    guard let number = banner?.control(line: line, column: column) else { return [] }
    banner?.select(number)
    return pressInBanner()
  }
}
