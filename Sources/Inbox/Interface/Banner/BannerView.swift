import Basics
import Markup
import Messages
import Screen

/// The view of a banner, which is shown next to or over the panes. It receives keys only while it has the
/// focus.
package struct BannerView: Hashable, Sendable {
  /// The number of steps in which a view slides in.
  static let slideSteps = 4

  /// An act of the user on controls before the view's scripts have run.
  enum EarlyAct: Hashable, Sendable {
    case move(Int)
    case press
    case click(Clicked)
  }

  /// A clicked position of the view, with the text there.
  struct Clicked: Hashable, Sendable {
    var line: Int
    var column: Int
    /// The label of the control at the clicked position, or `nil` if there was none.
    var label: SafeText?
    /// The text of the line.
    var text: String
  }

  let placement: BannerPlacement
  /// The placement on the screen. If the page could not be loaded, only the line at the view's edge is shown, with the
  /// reason.
  var shownPlacement: BannerPlacement {
    guard page == nil, failure != nil else { return placement }
    return BannerPlacement(source: placement.source, rows: 0, origin: placement.origin)
  }
  private(set) var page: ViewPage?
  private(set) var layout = ViewLayout()
  /// The width, in columns, of `layout` or of the requested layout; 0 if a new layout is needed.
  private var columns = 0
  /// Whether the layout takes too long for the main actor.
  private var isLarge = false
  /// The requested layout; until it arrives, the previous one is shown.
  private var request: ViewRequest?
  private var pictures: [String: PictureSlot] = [:]
  /// The URLs of the current page's pictures, stored because finding them reads the whole page, and they are needed
  /// after every key.
  private var addresses: [String] = []
  /// The size that was last sent to the scripts.
  private var reportedSize: Size?
  package internal(set) var isFocused = false
  /// Whether the user has entered the view. A view that covers the screen always has the focus, but a key meant for the
  /// list must not press anything: no control is selected before the user moves to one.
  private(set) var isEntered: Bool
  /// The number of the control that Enter presses.
  private(set) var control: Int?
  /// Whether the view's scripts have run; they determine the actions of controls.
  private(set) var isReady = false
  /// The acts of the user before the scripts have run, in order.
  private var early: [EarlyAct] = []
  private(set) var scroll = 0
  /// The number of steps that the view has slid in, up to `slideSteps`.
  private(set) var slide: Int
  var failure: BannerFailure?
  /// The URL that a script wants to open: shown, and opened after the user agrees.
  var asked: AskedAddress?

  /// - Parameter before: the view that this one replaces, or `nil`.
  init(_ placement: BannerPlacement, slides: Bool, after before: BannerView?) {
    self.placement = placement
    isEntered = before?.isEntered ?? false
    isFocused = before?.isFocused ?? false
    slide = slides ? 0 : Self.slideSteps
  }

  var isSliding: Bool { slide < Self.slideSteps }
  /// The control that Enter presses.
  var pressed: ViewControl? { control.flatMap(control(numbered:)) }

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

  /// Replaces the page, since scripts have changed it.
  mutating func change(to page: ViewPage) {
    self.page = page
    isLarge = page.bytes > Limits.quickLayoutBytes
    forgetLayout()
  }

  /// Whether nothing of the view can be shown yet.
  var isWaiting: Bool { page == nil || request != nil && layout.lines.isEmpty }

  mutating func scriptsRan() { isReady = true }

  /// Stores an act until the scripts have run and their page is laid out.
  ///
  /// - Returns: `false` if both have already happened, so that the act is performed immediately.
  mutating func postpone(_ act: EarlyAct) -> Bool {
    guard page != nil, !isReady || request != nil else { return false }
    if early.count < Limits.earlyActs { early.append(act) }
    return true
  }

  /// Removes and returns the stored acts, once the scripts have run.
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

  /// Applies the requested layout; ignores an older one.
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

  /// The requests that follow from laying out a view: for a layout on another thread, and for pictures.
  struct Wants {
    var layout: ViewRequest?
    var pictures: [PictureRequest] = []
  }

  /// Lays the page out for a size, or requests the layout.
  ///
  /// - Parameter requests: the number of layout requests so far, of any banner.
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

  /// Records the size that is sent to the scripts.
  ///
  /// - Returns: the size if it differs from the last one that was sent; `nil` while there is no page.
  mutating func report(_ size: Size) -> Size? {
    guard page != nil, reportedSize != size else { return nil }
    reportedSize = size
    return size
  }

  /// Forgets the size that was sent to the scripts, so that it is sent again. A new page runs its scripts
  /// when it gets its size.
  mutating func forgetSize() { reportedSize = nil }

  // MARK: Moving

  /// Selects the next control, or scrolls if that one isn't visible.
  mutating func moveOrScroll(by step: Int, visible: Int) {
    let next = nextControl(step)
    if let next, let line = line(of: next), line >= scroll - 1, line <= scroll + visible {
      control = next
      show(line, visible: visible)
    } else {
      scroll(by: step)
    }
  }

  /// Selects the next control, or the previous one if `step` is negative. The act is stored if the scripts have not run
  /// yet.
  ///
  /// - Returns: `false` if there is no further control.
  mutating func moveToControl(by step: Int, visible: Int) -> Bool {
    if postpone(.move(step)) { return true }
    guard let next = nextControl(step) else { return false }
    isEntered = true
    control = next
    if let line = line(of: next) { show(line, visible: visible) }
    return true
  }

  /// Selects the first control after the last one, or the last one before the first if `forward` is `false`,
  /// and scrolls to it.
  mutating func wrap(forward: Bool, visible: Int) {
    guard let end = forward ? layout.controls.first : layout.controls.last else { return }
    control = end.number
    if let line = line(of: end.number) { show(line, visible: visible) }
  }

  mutating func scroll(by lines: Int) { scroll += min(max(lines, -100_000), 100_000) }

  mutating func select(_ number: Int?) { control = number }

  /// Gives the view the focus. Enter then presses the first visible control.
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

  func clicked(line: Int, column: Int) -> Clicked {
    guard layout.lines.indices.contains(line) else {
      return Clicked(line: line, column: column, label: nil, text: "")
    }
    let control = layout.lines[line].link(at: column).flatMap(control(numbered:))
    return Clicked(line: line, column: column, label: control?.label, text: layout.lines[line].plain)
  }

  /// Returns the number of the clicked control while it is visible. Since the click, scripts may have moved the
  /// control, or may have turned the clicked text into a control.
  func control(_ clicked: Clicked, visible: Int) -> Int? {
    let number: Int?
    if let label = clicked.label {
      func distance(_ control: ViewControl) -> Int { abs((line(of: control.number) ?? 0) - clicked.line) }
      number = layout.controls.filter { $0.label == label }.min { distance($0) < distance($1) }?.number
    } else {
      let now = self.clicked(line: clicked.line, column: clicked.column)
      guard let label = now.label, clicked.text.contains(label.text) else { return nil }
      number = layout.lines[clicked.line].link(at: clicked.column)
    }
    return number.flatMap { isInSight($0, visible: visible) ? $0 : nil }
  }

  private func control(numbered number: Int) -> ViewControl? { layout.controls.first { $0.number == number } }
}

/// A URL that a banner's script wants to open.
package struct AskedAddress: Hashable, Sendable {
  package var address: String
  /// Whether the script wants to open the URL because the user pressed something.
  package var isAfterPress: Bool
}

extension StyledText {
  /// Returns the number of the link at a column.
  func link(at column: Int) -> Int? {
    var end = 0
    for run in runs {
      end += run.text.columns
      if column < end { return run.link }
    }
    return nil
  }
}
