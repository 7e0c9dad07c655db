import Basics
import Markup
import Messages
import Screen

/// The view beside or over the panes. It has the keys only while it is focused.
package struct BannerView: Hashable, Sendable {
  static let slideSteps = 4

  /// What the user does to controls before the view's scripts have run.
  enum EarlyAct: Hashable, Sendable {
    case move(Int)
    case press
    case click(line: Int, column: Int)
  }

  let placement: BannerPlacement
  /// Where it is shown: of a view without a page only why there is none, in the line at its edge.
  var shownPlacement: BannerPlacement {
    guard page == nil, failure != nil else { return placement }
    return BannerPlacement(source: placement.source, rows: 0, origin: placement.origin)
  }
  private(set) var page: ViewPage?
  private(set) var layout = ViewLayout()
  /// The width of `layout`, or of the one asked for; 0 asks for another.
  private var columns = 0
  /// Whether the layout takes too long to be done on the main actor.
  private var isLarge = false
  /// The layout that was asked for; until it comes the previous one is shown.
  private var request: ViewRequest?
  private var pictures: [String: PictureSlot] = [:]
  /// Addresses of the current page's pictures: finding them reads the whole page, and they are needed after every key.
  private var addresses: [String] = []
  /// The size that was last sent to its scripts.
  private var reportedSize: Size?
  package internal(set) var isFocused = false
  /// Whether the user went into it. A view that covers the screen always has the keys, but a key meant for the list must
  /// not press anything: no control is selected before the user moves to one.
  private(set) var isEntered: Bool
  /// The number of the control that Enter presses.
  private(set) var control: Int?
  /// Whether its scripts have run; they decide what controls do.
  private(set) var isReady = false
  /// What the user did before that, in order.
  private var early: [EarlyAct] = []
  private(set) var scroll = 0
  /// How far it has slid in, up to `slideSteps`.
  private(set) var slide: Int
  var failure: BannerFailure?
  /// An address that its script wants to open: shown, and opened after the user agrees.
  var asked: AskedAddress?

  /// - Parameter before: the view that displayed this one.
  init(_ placement: BannerPlacement, slides: Bool, after before: BannerView?) {
    self.placement = placement
    isEntered = before?.isEntered ?? false
    isFocused = before?.isFocused ?? false
    slide = slides ? 0 : Self.slideSteps
  }

  var isSliding: Bool { slide < Self.slideSteps }
  var pressed: ViewControl? { control.flatMap { number in layout.controls.first { $0.number == number } } }

  mutating func slide(by steps: Int) {
    slide = min(Self.slideSteps, slide + max(0, min(steps, Self.slideSteps)))
  }

  // MARK: The page

  mutating func apply(_ page: ViewPage) {
    change(to: page)
    layout = ViewLayout()
    control = nil
    addresses = []
    failure = nil
    scroll = 0
    isReady = page.scripts.isEmpty
  }

  /// Its scripts have changed it.
  mutating func change(to page: ViewPage) {
    self.page = page
    isLarge = page.bytes > Limits.quickLayoutBytes
    forgetLayout()
  }

  /// Whether nothing of it can be shown yet.
  var isWaiting: Bool { page == nil || request != nil && layout.lines.isEmpty }

  mutating func scriptsRan() { isReady = true }

  /// Keeps an act until the scripts have run and their page is laid out.
  ///
  /// - Returns: false if that is so already: then it is done at once.
  mutating func postpone(_ act: EarlyAct) -> Bool {
    guard page != nil, !isReady || request != nil else { return false }
    if early.count < Limits.earlyActs { early.append(act) }
    return true
  }

  /// The acts that waited, once the scripts have run.
  mutating func removeEarlyActs() -> [EarlyAct] {
    guard isReady, request == nil else { return [] }
    defer { early = [] }
    return early
  }

  mutating func forgetLayout() {
    columns = 0
    request = nil
  }

  mutating func apply(_ answer: PictureAnswer, for request: PictureRequest) {
    guard pictures[request.address]?.apply(answer, for: request) == true else { return }
    forgetLayout()
  }

  /// Takes the layout that was asked for; an older one is dropped.
  mutating func apply(_ view: LaidOutView, for number: Int) {
    guard request?.number == number else { return }
    request = nil
    apply(view)
  }

  private mutating func apply(_ view: LaidOutView) {
    layout = view.layout
    addresses = Array(view.pictures.prefix(Limits.viewPictures))
    if let number = control, number > layout.controls.count { control = layout.controls.last?.number }
  }

  /// What a view needs from the caller of `update`.
  struct Wants {
    var layout: ViewRequest?
    var pictures: [PictureRequest] = []
  }

  /// Lays the page out for a size, or asks for the layout.
  ///
  /// - Parameter requests: How many layouts were asked for so far, of any banner.
  mutating func layOut(_ size: Size, options: InterfaceOptions, requests: inout Int) -> Wants {
    var wants = Wants()
    guard let page, size.columns > 0 else { return wants }
    if size.columns != columns {
      columns = size.columns
      requests += 1
      let new = ViewRequest(
        number: requests, page: page, columns: size.columns, theme: options.markup,
        drawings: pictures.compactMapValues { $0.drawn(columns: size.columns) })
      request = isLarge ? new : nil
      wants.layout = request
      if !isLarge { apply(new.view()) }
    }
    if options.showsPictures, size.columns >= 10, size.rows >= 2 {
      for address in addresses {
        let request = PictureRequest(
          address: address, columns: size.columns, rows: max(2, min(20, size.rows * 2 / 3)))
        if let wanted = pictures[address, default: PictureSlot()].want(request) {
          wants.pictures.append(wanted)
        }
      }
    }
    scroll = min(max(0, scroll), max(0, layout.lines.count - size.rows))
    // A control that isn't visible must not be pressed.
    if let number = control, !isInSight(number, visible: size.rows) { control = nil }
    return wants
  }

  /// - Returns: the size if it differs from the last one that was sent; nil while there is no page.
  mutating func report(_ size: Size) -> Size? {
    guard page != nil, reportedSize != size else { return nil }
    reportedSize = size
    return size
  }

  /// A new page runs its scripts when it gets its size.
  mutating func forgetSize() { reportedSize = nil }

  // MARK: Moving

  /// Goes to the next control, or scrolls if that one isn't visible.
  mutating func moveOrScroll(by step: Int, visible: Int) {
    let next = nextControl(step)
    if let next, let line = line(of: next), line >= scroll - 1, line <= scroll + visible {
      control = next
      show(line, visible: visible)
    } else {
      scroll(by: step)
    }
  }

  /// - Returns: false beyond the last control.
  mutating func moveToControl(by step: Int, visible: Int) -> Bool {
    if postpone(.move(step)) { return true }
    guard let next = nextControl(step) else { return false }
    isEntered = true
    control = next
    if let line = line(of: next) { show(line, visible: visible) }
    return true
  }

  /// Goes from the last control to the first, or back.
  mutating func wrap(forward: Bool, visible: Int) {
    guard let end = forward ? layout.controls.first : layout.controls.last else { return }
    control = end.number
    if let line = line(of: end.number) { show(line, visible: visible) }
  }

  mutating func scroll(by lines: Int) { scroll += min(max(lines, -100_000), 100_000) }

  mutating func select(_ number: Int?) { control = number }

  /// Takes the keys; Enter then presses the first visible control.
  mutating func enter(visible: Int) {
    isFocused = true
    isEntered = true
    guard isReady, request == nil else { return }
    control = control ?? layout.controls.first { isInSight($0.number, visible: visible) }?.number
  }

  private func isInSight(_ number: Int, visible: Int) -> Bool {
    line(of: number).map { (scroll..<scroll + visible).contains($0) } ?? false
  }

  private func nextControl(_ step: Int) -> Int? {
    guard let control else {
      let numbers = layout.controls.map(\.number)
      func isBelow(_ number: Int) -> Bool { (line(of: number) ?? 0) >= scroll }
      return step > 0 ? numbers.first(where: isBelow) : numbers.last { !isBelow($0) }
    }
    let next = control + step
    return layout.controls.contains { $0.number == next } ? next : nil
  }

  private func line(of number: Int) -> Int? {
    layout.places.indices.contains(number - 1) ? layout.places[number - 1] : nil
  }

  private mutating func show(_ line: Int, visible: Int) {
    if line < scroll { scroll = line }
    if line >= scroll + visible { scroll = line - visible + 1 }
  }

  /// The number of the control at a place of the text.
  func control(line: Int, column: Int) -> Int? {
    guard layout.lines.indices.contains(line) else { return nil }
    return layout.lines[line].link(at: column)
  }
}

extension StyledText {
  /// The number of the link at a column.
  func link(at column: Int) -> Int? {
    var end = 0
    for run in runs {
      end += run.text.columns
      if column < end { return run.link }
    }
    return nil
  }
}
