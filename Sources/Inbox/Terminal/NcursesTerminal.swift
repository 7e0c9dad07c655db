import CNcurses
import Dispatch
import Foundation
import Glibc
import Platform
package import Screen

/// The terminal through ncurses: it receives frames and sends events, and is restored on every exit. Only one exists,
/// on the main actor; all curses calls are made here.
@MainActor
package final class NcursesTerminal {
  /// The process that uses the terminal: this one, another program, or none of them after `close()`.
  private enum Possession {
    case ours
    /// Lent to another program until `resume()`.
    case lent
    case closed
  }

  /// Whether the locale is UTF-8. If it isn't, everything but ASCII is shown as `?`, so use ASCII symbols.
  package let isUTF8: Bool
  package let colors: ColorDepth
  /// Whether the terminal reported that symbols of ambiguous width take two columns.
  package private(set) var hasWideSigns = false
  /// Whether the terminal was asked for the width of symbols of ambiguous width, and its report is still to come.
  private var isAskedForWidth: Bool
  /// The background of the terminal, or `nil` until it has reported it.
  package private(set) var background: Background?
  /// Whether the terminal was asked for its background, and its report is still to come.
  private var isAskedForBackground: Bool
  private var listener: (@MainActor ([ScreenEvent]) -> Void)?
  /// The events that arrived while there was no listener.
  private var waiting: [ScreenEvent] = []
  let options: TerminalOptions
  let streams: TerminalStreams
  private var features: XtermFeatures
  private let signals: SignalRelay
  private let curses: CursesScreen
  private var painter: CursesPainter
  /// The writer of links, or `nil` if links are not written.
  private let hyperlinks: HyperlinkWriter?
  /// The pictures in pixels, or `nil` if pictures are only half blocks.
  let graphics: GraphicsScreen?
  private var decoder: InputDecoder
  private var input: InputWatch?
  private var possession = Possession.ours
  /// Whether no other program uses the terminal.
  var isOurs: Bool { possession == .ours }
  /// The last frame that was passed to `present`.
  private(set) var wanted: Frame?
  /// The last frame as it is shown, with the pictures that the terminal has.
  private var shown: Frame?
  /// Whether the screen has the cells and links of `shown`; otherwise curses rewrites everything.
  private var isScreenKnown = false
  /// The title that was last sent, or `nil` if the terminal has its own.
  private var title: String?
  private var isCursorVisible: Bool?
  /// Whether a terminal of this process is open.
  private static var isOpen = false

  /// Takes over the terminal on standard input and output; the first frame clears it.
  package init(_ options: TerminalOptions) throws(TerminalFailure) {
    guard !Self.isOpen else { throw .alreadyOpen }
    let streams = try TerminalStreams()
    guard let type = options.terminalType, !type.isEmpty else {
      streams.close()
      throw .noTerminalType
    }
    // Numbers keep the C locale, since they are also written for programs.
    if setlocale(LC_ALL, "") == nil, options.namesUTF8 {
      // The locale isn't installed here, as on many remote machines; the terminal has UTF-8 anyway.
      setlocale(LC_CTYPE, "C.UTF-8")
    }
    setlocale(LC_NUMERIC, "C")
    isUTF8 = nl_langinfo(Int32(CODESET)).map { String(cString: $0) == "UTF-8" } ?? false

    // Our handlers are installed first: curses keeps existing handlers, and its own are unsafe.
    let signals: SignalRelay
    let curses: CursesScreen
    do { signals = try SignalRelay() } catch {
      streams.close()
      throw error
    }
    do {
      curses = try CursesScreen(terminalType: type, streams: streams, escapeDelay: options.escapeDelay)
    } catch {
      signals.stop()
      streams.close()
      throw error
    }
    self.options = options
    self.streams = streams
    self.signals = signals
    self.curses = curses
    features = XtermFeatures(
      terminalType: type, hasExtensions: cnc_has_flag("XT"),
      hasClipboard: cnc_string_capability("Ms") != nil, usesMouse: options.usesMouse)
    colors = options.usesColors ? curses.startColors() : .none
    painter = CursesPainter(window: curses.window, isUTF8: isUTF8, colors: colors)
    // Without UTF-8 curses shows other characters than the frame's, which the writer does not know.
    hyperlinks =
      options.usesHyperlinks && features.isXtermLike && isUTF8
      ? HyperlinkWriter(colors: colors, attributes: curses.attributes) : nil
    let depth = colors
    graphics =
      isUTF8 && depth >= .indexed
      ? options.graphics.map { GraphicsScreen($0, streams: streams, colors: depth) } : nil
    isAskedForWidth = options.asksForWidth && isUTF8 && features.isXtermLike && painter.size.rows > 1
    isAskedForBackground = options.asksForBackground && depth >= .indexed && features.isXtermLike
    decoder = InputDecoder(
      size: painter.size, pasteLimit: options.pasteLimit, doubleClick: options.doubleClick)
    Self.isOpen = true
    Restoration.prepare(
      input: streams.inputDescriptor, output: streams.outputDescriptor, modes: streams.modes,
      sequence: features.leave + curses.leavingSequence, titleSequence: features.popTitle)
    Self.restoreAtExit
    graphics?.onChange = { [weak self] in self?.presentAgain() }
    signals.start { [weak self] in self?.signalsArrived($0) }
    enter()
  }

  package var size: Size { painter.size }

  /// Whether the line reports a slow speed, as a modem does: nothing should be animated (curs_termattrs(3X)).
  package var isSlow: Bool { (1...9600).contains(baudrate()) }

  // MARK: - Output

  /// Shows a frame: writes the cells that differ from the last one, and moves or hides the cursor. While the terminal
  /// is lent, the frame is stored and shown by `resume()`.
  package func present(_ frame: Frame) {
    SignalRelay.adoptThread()
    wanted = frame
    guard possession == .ours else { return }
    let frame = graphics?.place(frame, in: size) ?? frame
    write(frame, over: isScreenKnown ? shown : nil) {
      // curses saves a cursor while it scrolls rows, and some terminals use the same place for the cursor from before
      // the program. The last row never scrolls. An unknown screen is rewritten and not scrolled, and this would show
      // the last frame on it.
      if isScreenKnown, frame != shown {
        curses.update(cursor: Point(column: 0, row: max(0, painter.size.rows - 1)))
      }
      painter.paint(frame, over: shown)
    }
    shown = frame
  }

  /// Writes every cell again, because another program wrote to the terminal.
  package func redraw() {
    guard possession == .ours else { return }
    graphics?.forget()
    shown = wanted.map { graphics?.place($0, in: size) ?? $0 }
    if let shown { painter.paint(shown, over: nil) }
    curses.forgetTerminal()
    write(shown)
  }

  /// Writes the output of curses, the links and the title.
  ///
  /// - Parameter before: the frame on the screen, or `nil` if the whole screen is rewritten.
  private func write(_ frame: Frame?, over before: Frame? = nil, painting paint: () -> Void = {}) {
    let (marks, screen) = (features.frameMarks, Rect(painter.size))
    let seen = frame?.cursor.flatMap { screen.contains($0) ? $0 : nil }
    let cursor = seen ?? frame?.parkedCursor.flatMap { screen.contains($0) ? $0 : nil } ?? .zero
    let isWhole = streams.frame(begin: marks.begin, end: marks.end) {
      paint()
      var links = frame.flatMap { hyperlinks?.work(for: $0, over: before) }
      let pictures = frame.flatMap { graphics?.work(for: $0, over: before, rewritten: links?.stale ?? []) }
      if let pictures, let frame { links = hyperlinks?.adding(pictures.stale, of: frame, to: links) }
      for row in (links?.stale ?? []) + (pictures?.stale ?? []) { curses.forget(row: row) }
      if isCursorVisible != (seen != nil) { curs_set(seen == nil ? 0 : 1) }
      isCursorVisible = seen != nil
      curses.update(cursor: cursor)
      if let hyperlinks, let links, let frame {
        streams.send(hyperlinks.sequence(links.links, of: frame, in: screen.size, cursor: cursor))
      }
      if let pictures { streams.send(pictures.sequence + Array(HyperlinkWriter.position(cursor).utf8)) }
      if let frame, (title ?? "") != frame.title.text { show(title: frame.title.text) }
    }
    // Output that the terminal did not accept is unknown: the next frame is written completely.
    isScreenKnown = isWhole
    if !isWhole { curses.forgetTerminal() }
  }

  /// Switches mouse reports. A terminal that reports the mouse does not use it for selecting text, unless Shift is
  /// held.
  package func reportMouse(_ isReported: Bool) {
    features.usesMouse = isReported
    if possession == .ours { streams.send(features.switchMouse) }
  }

  /// Sends text to the terminal's clipboard with OSC 52; terminals don't report whether they accepted it.
  /// - Returns: `false` if this terminal cannot, or if the text is too long.
  package func copyToClipboard(_ text: String) -> Bool {
    guard possession == .ours, options.usesClipboard,
      let sequence = features.copy(text, base64: { Data($0).base64EncodedString() })
    else { return false }
    streams.send(sequence)
    return true
  }

  private func show(title text: String) {
    if title == nil {
      Restoration.plan.pointee.isTitlePushed = true
      streams.send(features.pushTitle)
    }
    title = text
    streams.send(
      features.title(isUTF8 ? text : String(text.unicodeScalars.map { $0.isASCII ? Character($0) : "?" })))
  }

  // MARK: - Life cycle

  /// Releases the terminal for another program; no events arrive until `resume()`.
  package func suspend() {
    guard possession == .ours else { return }
    leave()
    possession = .lent
    signals.leavesInterruptsToOthers = true
  }

  /// Takes the terminal back and shows the last frame again.
  package func resume() {
    guard possession == .lent else { return }
    possession = .ours
    signals.leavesInterruptsToOthers = false
    enter()
    repaint()
  }

  /// Restores the terminal; a second call does nothing.
  package func close() {
    guard possession != .closed else { return }
    if possession == .ours { leave() }
    possession = .closed
    curses.close()
    signals.stop()
    streams.close()
    listener = nil
    Self.isOpen = false
  }

  /// Sets the terminal up for the inbox.
  private func enter() {
    Restoration.holdStandardError()
    Restoration.plan.pointee.isArmed = true
    curses.resume()
    // These are sent in one write, and erased before the first frame.
    streams.send(
      features.enter + (isAskedForWidth ? XtermFeatures.widthQuestion : "")
        + (isAskedForBackground ? XtermFeatures.backgroundQuestion : ""))
    let streams = streams
    streams.watcherBegan()
    input = InputWatch(streams.inputDescriptor) { [weak self] in
      self?.inputArrived()
    } end: {
      streams.watcherEnded()
    }
  }

  /// Restores the terminal for another program or the shell.
  private func leave() {
    input?.cancel()
    input = nil
    // One query is enough.
    isAskedForWidth = false
    isAskedForBackground = false
    graphics?.forget()
    if title != nil { streams.send(features.popTitle) }
    Restoration.plan.pointee.isTitlePushed = false
    title = nil
    streams.send(features.leave)
    endwin()
    isCursorVisible = nil
    Restoration.plan.pointee.isArmed = false
    streams.restoreModes()
    Restoration.releaseStandardError()
  }

  /// Repaints after another program or the shell had the terminal: its screen and modes are unknown.
  private func repaint() {
    let changed = adoptSize()
    redraw()
    if changed { sendLater([.input(.resize(size))]) }
  }

  /// - Returns: whether the terminal's size has changed.
  private func adoptSize() -> Bool {
    guard let size = streams.size, size != painter.size else { return false }
    resizeterm(Int32(size.rows), Int32(size.columns))
    // A window that was smaller for a moment has lost cells.
    shown = nil
    isScreenKnown = false
    decoder.size = painter.size
    return true
  }

  // MARK: - Events

  /// Passes the events of each reading of input to a listener, beginning with those that arrived before. With `nil`,
  /// they wait again. The listener is called on its own, never from inside another call.
  package func listen(_ listener: (@MainActor ([ScreenEvent]) -> Void)?) {
    self.listener = listener
    if listener != nil, !waiting.isEmpty { sendLater([]) }
  }

  /// Passes events to the listener, or stores them until there is one.
  private func send(_ events: [ScreenEvent]) {
    waiting += events
    guard let listener, !waiting.isEmpty else { return }
    let all = waiting
    waiting = []
    listener(all)
  }

  /// Sends events later, since the caller may be the listener.
  private func sendLater(_ events: [ScreenEvent]) {
    DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.send(events) } }
  }

  private func inputArrived() {
    SignalRelay.adoptThread()
    guard possession == .ours else { return }
    var events: [InputEvent] = []
    var symbols: [InputSymbol] = []
    var isSilent = true
    while case let code = wgetch(curses.inputPad), code != ERR {
      isSilent = false
      if let symbol = CursesKeys.symbol(for: code) { symbols.append(symbol) }
    }
    decoder.decode(symbols, at: options.now(), into: &events)
    decoder.pause(into: &events)
    if let column = decoder.removeCursorColumn(), isAskedForWidth {
      isAskedForWidth = false
      // A terminal that draws no symbol there reports 1.
      if column == 3 { foundWideSigns() }
    }
    if let answer = decoder.removeBackground(), isAskedForBackground {
      isAskedForBackground = false
      background = answer
      send([.backgroundIsKnown])
    }
    // Input after an interrupt is dropped, as the terminal's driver does.
    let interrupt = events.firstIndex { $0.interrupt != nil }
    let keys = events[..<(interrupt ?? events.endIndex)]
    if !keys.isEmpty { send(keys.map { .input($0) }) }
    if let signal = interrupt.flatMap({ events[$0].interrupt }) { kill(getpid(), signal) }
    if isSilent, streams.isHungUp {
      input?.cancel()
      input = nil
      send([.terminate(signal: SIGHUP)])
    }
  }

  /// Records wide symbols: the content of the screen has moved by a column for each of them.
  private func foundWideSigns() {
    hasWideSigns = true
    isScreenKnown = false
    curses.forgetTerminal()
    send([.signsAreWide])
  }

  private func signalsArrived(_ arrived: Set<Int32>) {
    var arrived = arrived
    if arrived.contains(SIGTSTP) { arrived = stop(with: arrived) }
    for signal in [SIGHUP, SIGTERM, SIGINT] where arrived.contains(signal) {
      sendLater([.terminate(signal: signal)])
    }
    guard possession == .ours else { return }
    if arrived.contains(SIGCONT) {
      // The process was stopped by SIGSTOP, which cannot be caught: the shell has changed the modes since.
      curses.resume()
      streams.send(features.enter)
      repaint()
    } else if arrived.contains(SIGWINCH) {
      if adoptSize() {
        sendLater([.input(.resize(size))])
      } else {
        // The window was smaller for a moment, and the terminal may have cut its content.
        redraw()
      }
    }
  }

  /// Handles Ctrl-Z: restores the terminal, stops, and sets it up again when continued in the foreground.
  /// - Returns: the signals that arrived meanwhile and are not handled yet.
  private func stop(with signalsBefore: Set<Int32>) -> Set<Int32> {
    let wasOurs = possession == .ours
    if wasOurs { leave() }
    var others = signalsBefore
    options.stopping { signals.raiseWithDefaultAction(SIGTSTP) }
    others.formUnion(signals.drain())
    while wasOurs, !Restoration.isForeground(streams.outputDescriptor) {
      // SIGCONT may arrive with a signal that ends the process; another thread may be about to report it.
      for _ in 0..<2 { others.formUnion(signals.drain(waiting: 50)) }
      guard others.isDisjoint(with: [SIGHUP, SIGTERM, SIGINT]) else { break }
      // `bg`: writing to the terminal from the background stops the process again.
      signals.raiseWithDefaultAction(SIGTTOU)
      // The process was not stopped: there isn't a shell that could continue it.
      if !signals.drain(waiting: 50).contains(SIGCONT) { others.insert(SIGHUP) }
    }
    others.subtract([SIGTSTP, SIGCONT, SIGWINCH])
    if wasOurs {
      guard Restoration.isForeground(streams.outputDescriptor) else {
        possession = .lent
        return others
      }
      enter()
      repaint()
    }
    return others
  }

  /// Registers, once, that the terminal is restored when the process exits.
  private static let restoreAtExit: Void = { atexit { Restoration.perform() } }()
}
