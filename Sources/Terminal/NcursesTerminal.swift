import CNcurses
import Dispatch
import Foundation
package import Screen

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal as ncurses drives it: frames go out, events come in, and on every way out it is given
/// back as it was found. One exists at a time, on the main actor; all curses calls are its own.
@MainActor
package final class NcursesTerminal {
  private enum Possession {
    case ours
    /// Given to another program until `resume()`.
    case lent
    case closed
  }

  /// False where the locale has no UTF-8: what is not ASCII is shown as `?`, so use ASCII marks.
  package let isUTF8: Bool
  package let colors: ColorDepth
  /// What came in, one array for each time that something did: everything that was there to be read.
  /// It ends with `close()`. One consumer.
  package let events: AsyncStream<[TerminalEvent]>

  private let continuation: AsyncStream<[TerminalEvent]>.Continuation
  private let options: TerminalOptions
  private let streams: TerminalStreams
  private let features: XtermFeatures
  private let signals: SignalRelay
  private let screen: OpaquePointer
  /// Reading from the window itself would refresh it first.
  private let inputPad: UnsafeMutablePointer<WINDOW>
  private var painter: CursesPainter
  private var decoder: InputDecoder
  private var inputSource: (any DispatchSourceRead)?
  private var possession = Possession.ours
  private var shown: Frame?
  private var title: String?
  private var isCursorVisible: Bool?
  private static var isOpen = false

  /// Takes the terminal on standard input and output, and shows it empty with the first frame.
  package init(_ options: TerminalOptions) throws(TerminalFailure) {
    guard !Self.isOpen else { throw .alreadyOpen }
    guard let type = options.terminalType, !type.isEmpty else { throw .noTerminalType }
    let streams = try TerminalStreams()
    // Every category, but numbers: they are written for machines too.
    setlocale(LC_ALL, "")
    setlocale(LC_NUMERIC, "C")
    isUTF8 = nl_langinfo(Int32(CODESET)).map { String(cString: $0) == "UTF-8" } ?? false

    // Ours come first: curses leaves alone what has a handler, and its own are unsafe.
    let signals: SignalRelay
    do { signals = try SignalRelay() } catch {
      streams.close()
      throw error
    }
    guard let screen = newterm(type, streams.output, streams.input) else {
      signals.stop()
      streams.close()
      throw .unknownTerminalType(type)
    }
    guard let window = cnc_standard_window(), let pad = newpad(1, 1), cnc_string_capability("cup") != nil
    else {
      endwin()
      delscreen(screen)
      signals.stop()
      streams.close()
      throw .unusableTerminalType(type)
    }
    self.options = options
    self.streams = streams
    self.signals = signals
    self.screen = screen
    inputPad = pad
    features = XtermFeatures(
      terminalType: type, hasExtensions: cnc_has_flag("XT"), usesMouse: options.usesMouse)
    colors = options.usesColors ? Self.startColors() : .none
    painter = CursesPainter(window: window, isUTF8: isUTF8, colors: colors)
    decoder = InputDecoder(
      size: painter.size, pasteLimit: options.pasteLimit, doubleClick: options.doubleClick)
    (events, continuation) = AsyncStream.makeStream()
    Self.isOpen = true
    configureCurses()
    Restoration.prepare(
      input: streams.inputDescriptor, output: streams.outputDescriptor, modes: streams.modes,
      sequence: Array((features.leave + Self.leavingSequence() + features.popTitle).utf8))
    Self.restoreAtExit
    signals.start { [weak self] in self?.signalsArrived($0) }
    enter()
  }

  package var size: Size { painter.size }

  // MARK: - Output

  /// Shows a frame: writes the cells that differ from the last one, and moves or hides the cursor.
  /// While the terminal is lent, the frame is kept and shown by `resume()`.
  package func present(_ frame: Frame) {
    SignalRelay.adoptThread()
    guard possession == .ours else {
      if possession == .lent { shown = frame }
      return
    }
    painter.paint(frame, over: shown)
    shown = frame
    place(frame.cursor)
    wrefresh(painter.window)
    if (title ?? "") != frame.title.text { show(title: frame.title.text) }
  }

  /// Writes every cell anew: something else has written to the terminal.
  package func redraw() {
    guard possession == .ours else { return }
    clearok(painter.window, true)
    wrefresh(painter.window)
  }

  package func ringBell() {
    guard possession == .ours else { return }
    beep()
  }

  /// Hands text to the terminal's clipboard with OSC 52; whether the terminal obeys, it does not say.
  /// - Returns: false where this terminal cannot, or the text is too long.
  package func copyToClipboard(_ text: String) -> Bool {
    guard possession == .ours,
      let sequence = features.copy(text, base64: { Data($0).base64EncodedString() })
    else { return false }
    streams.send(sequence)
    return true
  }

  private func place(_ cursor: Point?) {
    if let cursor, Rect(painter.size).contains(cursor) {
      if isCursorVisible != true { curs_set(1) }
      isCursorVisible = true
      leaveok(painter.window, false)
      wmove(painter.window, Int32(cursor.row), Int32(cursor.column))
    } else {
      if isCursorVisible != false { curs_set(0) }
      isCursorVisible = false
      // It need not go anywhere.
      leaveok(painter.window, true)
    }
  }

  private func show(title text: String) {
    if title == nil { streams.send(features.pushTitle) }
    title = text
    streams.send(
      features.title(isUTF8 ? text : String(text.unicodeScalars.map { $0.isASCII ? Character($0) : "?" })))
  }

  // MARK: - Life cycle

  /// Gives the terminal to another program; no events come until `resume()`.
  package func suspend() {
    guard possession == .ours else { return }
    leave()
    possession = .lent
  }

  /// Takes the terminal back and shows the last frame again.
  package func resume() {
    guard possession == .lent else { return }
    possession = .ours
    enter()
    repaint()
  }

  /// Gives the terminal back for good; harmless a second time.
  package func close() {
    guard possession != .closed else { return }
    if possession == .ours { leave() }
    possession = .closed
    delwin(inputPad)
    delscreen(screen)
    signals.stop()
    streams.close()
    continuation.finish()
    Self.isOpen = false
  }

  private func enter() {
    Restoration.holdStandardError()
    Restoration.plan.pointee.isArmed = true
    keypad(inputPad, true)
    streams.send(features.enter)
    let source = DispatchSource.makeReadSource(fileDescriptor: streams.inputDescriptor, queue: .main)
    source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.inputArrived() } }
    let streams = streams
    streams.watcherBegan()
    source.setCancelHandler { MainActor.assumeIsolated { streams.watcherEnded() } }
    source.activate()
    inputSource = source
  }

  private func leave() {
    inputSource?.cancel()
    inputSource = nil
    if title != nil { streams.send(features.popTitle) }
    title = nil
    streams.send(features.leave)
    endwin()
    isCursorVisible = nil
    Restoration.plan.pointee.isArmed = false
    streams.restoreModes()
    Restoration.releaseStandardError()
  }

  /// After another program, or the shell, had the terminal: nothing on it is as we left it.
  private func repaint() {
    reset_prog_mode()
    keypad(inputPad, true)
    let changed = adoptSize()
    if let frame = shown {
      painter.paint(frame, over: nil)
      place(frame.cursor)
      if (title ?? "") != frame.title.text { show(title: frame.title.text) }
    }
    redraw()
    if changed { continuation.yield([.input(.resize(size))]) }
  }

  /// - Returns: whether the terminal has another size than curses thought.
  private func adoptSize() -> Bool {
    guard let size = streams.size, size != painter.size else { return false }
    resizeterm(Int32(size.rows), Int32(size.columns))
    decoder.size = painter.size
    return true
  }

  // MARK: - Events

  private func inputArrived() {
    SignalRelay.adoptThread()
    guard possession == .ours else { return }
    var events: [InputEvent] = []
    var symbols = 0
    while case let code = wgetch(inputPad), code != ERR {
      symbols += 1
      if let symbol = CursesKeys.symbol(for: code) {
        decoder.decode(symbol, at: options.now(), into: &events)
      }
    }
    decoder.pause(into: &events)
    if !events.isEmpty { continuation.yield(events.map { .input($0) }) }
    if symbols == 0, streams.isHungUp {
      inputSource?.cancel()
      inputSource = nil
      continuation.yield([.terminate(signal: SIGHUP)])
    }
  }

  private func signalsArrived(_ arrived: Set<Int32>) {
    var arrived = arrived
    if arrived.contains(SIGTSTP) { arrived = stop(with: arrived) }
    for signal in [SIGHUP, SIGTERM, SIGINT] where arrived.contains(signal) {
      continuation.yield([.terminate(signal: signal)])
    }
    guard possession == .ours else { return }
    if arrived.contains(SIGCONT) {
      // Stopped by a signal that nobody can catch: the shell has changed the modes since.
      streams.send(features.enter)
      repaint()
    } else if arrived.contains(SIGWINCH), adoptSize() {
      continuation.yield([.input(.resize(size))])
    }
  }

  /// Ctrl-Z: gives the terminal back, stops, and takes it again when continued in the foreground.
  /// - Returns: the signals that came meanwhile and are still to be answered.
  private func stop(with signalsBefore: Set<Int32>) -> Set<Int32> {
    let wasOurs = possession == .ours
    if wasOurs { leave() }
    var others = signalsBefore
    signals.raiseWithDefaultAction(SIGTSTP)
    others.formUnion(signals.drain())
    while wasOurs, !Restoration.isForeground(streams.outputDescriptor) {
      // Whoever continued us may have asked us to end as well; another thread may be about to tell.
      for _ in 0..<2 { others.formUnion(signals.drain(waiting: 50)) }
      guard others.isDisjoint(with: [SIGHUP, SIGTERM, SIGINT]) else { break }
      // `bg`: whoever writes to the terminal from there is stopped again.
      signals.raiseWithDefaultAction(SIGTTOU)
      // Not stopped: no shell is left that could bring us back.
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

  // MARK: - Set-up

  private func configureCurses() {
    cbreak()
    noecho()
    nonl()
    intrflush(inputPad, false)
    set_escdelay(Int32(clamping: Int(options.escapeDelay / .milliseconds(1))))
    typeahead(-1)
    nodelay(inputPad, true)
    scrollok(painter.window, false)
    // The first time it reads the terminal's description, over what was taught before.
    keypad(inputPad, true)
    CursesKeys.teach()
    streams.freeKeys()
    def_prog_mode()
  }

  private static func startColors() -> ColorDepth {
    guard has_colors(), start_color() == OK else { return .none }
    use_default_colors()
    if cnc_has_flag("RGB") { return .direct }
    switch cnc_color_count() {
    case 256...: return .indexed
    case 16...: return .sixteen
    case 8...: return .eight
    default: return .none
    }
  }

  /// What `endwin()` would send, for those who cannot call it.
  private static func leavingSequence() -> String {
    let names = ["op", "sgr0", "cnorm", "rmkx", "rmcup"]
    let parts = names.compactMap { cnc_string_capability($0).map { String(cString: $0) } }
    // Paddings, `$<5>`, are for terminals made of metal.
    let plain = parts.map { String($0.prefix { $0 != "$" }) }.joined()
    return cnc_string_capability("rmcup") == nil ? plain + "\r\n" : plain
  }

  private static let restoreAtExit: Void = { atexit { Restoration.perform() } }()
}
