import Markup
import Messages
import Screen
import Words

extension AppState {
  mutating func raise(_ placement: BannerPlacement) -> [Effect] {
    // A view that replaces another one keeps its focus.
    let slides = options.animations && shown.banner == nil
    let asked = shown.banner?.asked
    shown.banner = BannerView(placement, slides: slides, after: shown.banner)
    shown.banner?.asked = asked
    return slides ? [.scheduleSlide] : []
  }

  mutating func slideBanner(by steps: Int) -> [Effect] {
    shown.banner?.slide(by: steps)
    return shown.banner?.isSliding == true ? [.scheduleSlide] : []
  }

  mutating func apply(_ page: ViewPage) {
    shown.banner?.apply(page)
    shown.banner?.forgetSize()
    if shown.banner?.isFocused == true { shown.banner?.select(nil) }
  }

  /// Shown in the view's rule; in full at the bottom if the view has the keys.
  mutating func apply(_ failure: BannerFailure) {
    shown.banner?.failure = failure
    // An address that waits to be opened is shown there first.
    if shown.banner?.isFocused == true, shown.banner?.page != nil, shown.banner?.asked == nil {
      statusLine.toast = Toast(words.sentence(failure), .failure)
    }
  }

  /// A script wants to open an address. One inside reddot opens at once if the user pressed for it; any other is shown
  /// first.
  mutating func applyAsked(_ asked: AskedAddress) -> [Effect] {
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

  /// Gives the keys to the panes for a link inside reddot; a view that covers them closes.
  private mutating func goInside() -> [Effect] {
    guard !layout.isCovered else { return closeBanner() }
    shown.banner?.isFocused = false
    return []
  }

  /// Its question stays.
  mutating func bannerIsGone() {
    dialog.question = (shown.banner?.asked).map { .bannerLink($0) } ?? dialog.question
    shown.banner = nil
  }

  /// The question's own key does what is asked, Escape only drops it; nil if nothing is asked, or for another key, which
  /// drops it too: nothing may be sent by a key long after the question.
  mutating func handleAnswer(_ press: KeyPress) -> [Effect]? {
    if case .request(let action, let message, _)? = dialog.overlay, press == KeyPress(.enter) {
      dialog.overlay = nil
      return [.performAction(action, of: message)]
    }
    guard let question = shownQuestion, dialog.overlay == nil else { return nil }
    dropQuestion()
    if case .action(let action, let message) = question, action.request != nil,
      press == KeyPress(.tab) || press == question.answer && !fitsAtBottom(action)
    {
      dialog.overlay = .request(action, of: message)
      return []
    }
    if press.key == .escape { return [] }
    guard press == question.answer else { return nil }
    switch question {
    case .bannerLink(let asked): return openLink(asked.address, isOfMessage: false)
    case .action(let action, let message): return [.performAction(action, of: message)]
    }
  }

  /// Whoever saw the question and did something else doesn't want it.
  mutating func dropQuestion() {
    guard dialog.question == nil else {
      dialog.question = nil
      return
    }
    if shownQuestion != nil { shown.banner?.asked = nil }
  }

  /// Asks before an action of the message in the reader that is more than a link.
  mutating func ask(action index: Int) -> [Effect] {
    guard let message = shown.reader.message, let actions = message.content.extras?.actions,
      actions.indices.contains(index), !actions[index].isLink
    else { return [] }
    if fitsAtBottom(actions[index]) {
      dialog.question = .action(actions[index], of: message.id)
    } else {
      // Whom it goes to must be seen whole.
      dialog.overlay = .request(actions[index], of: message.id)
    }
    return []
  }

  mutating func closeBanner() -> [Effect] {
    guard shown.banner != nil else { return [] }
    shown.banner = nil
    return [.closeBanner]
  }

  /// Lays the view out, and sends its size.
  mutating func fitBanner(_ layout: Layout) -> [Effect] {
    guard let area = layout.banner, shown.banner != nil else { return [] }
    var requests = shown.viewRequests
    let wants =
      shown.banner?.layOut(area.size, options: options, requests: &requests) ?? BannerView.Wants()
    shown.viewRequests = requests
    // Nothing else is visible, so it has the keys.
    if layout.isCovered { shown.banner?.isFocused = true }
    if let view = shown.banner, view.isFocused, view.isEntered, view.control == nil {
      shown.banner?.enter(visible: area.size.rows)
    }
    var effects = wants.pictures.map(Effect.drawPicture)
    if let request = wants.layout { effects.append(.layOutView(request)) }
    for act in shown.banner?.removeEarlyActs() ?? [] { effects += performEarly(act, in: area) }
    if let size = shown.banner?.report(area.size) { effects.append(.bannerLaidOut(size)) }
    return effects
  }

  private mutating func performEarly(_ act: BannerView.EarlyAct, in area: Rect) -> [Effect] {
    switch act {
    case .move(let step):
      _ = shown.banner?.moveToControl(by: step, visible: area.size.rows)
      return []
    case .press: return pressInBanner()
    case .click(let line, let column): return press(line: line, column: column)
    }
  }

  private var bannerRows: Int { max(1, layout.banner?.size.rows ?? 1) }

  // MARK: Keys

  /// What a key does while the view has the keys; nil where it is not the view's.
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

  /// - Returns: nil where the view doesn't have the keys, or where the command does the same in every place.
  mutating func performInBanner(_ command: Command, steps: Int) -> [Effect]? {
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
    // The same as in every place, or not let through by a view: the table of commands decides which, so that a new command
    // needs no line here.
    case _: return nil
    }
    return []
  }

  private mutating func leaveBanner() {
    shown.banner?.isFocused = false
    shown.banner?.select(nil)
  }

  private mutating func pressInBanner() -> [Effect] {
    // The scripts decide which control this is and what it does.
    if shown.banner?.postpone(.press) == true { return [] }
    guard let control = shown.banner?.pressed else { return [] }
    switch control.action {
    case .open(let address):
      // A link inside reddot gives the keys to the list or the message.
      let isInside = OpenableAddress(address).map { $0.place != .outside } ?? false
      return (isInside ? goInside() : []) + openLink(address, isOfMessage: false)
    case .run, .click: return [.pressBanner(control.action)]
    }
  }

  // MARK: Mouse

  /// - Returns: nil where the view is not under the pointer.
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
      let column = mouse.at.column - area.origin.column
      if shown.banner?.postpone(.click(line: line, column: column)) == true { return [] }
      return press(line: line, column: column)
    }
    return []
  }

  /// Presses the control at a place of the text.
  private mutating func press(line: Int, column: Int) -> [Effect] {
    guard let number = shown.banner?.control(line: line, column: column) else { return [] }
    shown.banner?.select(number)
    return pressInBanner()
  }
}
