import Dispatch
import Screen

/// Sends the pictures of frames to the terminal, a piece at a time, and shows those that it already has.
@MainActor
final class GraphicsScreen {
  private let kind: GraphicsProtocol
  private var kitty: KittyGraphics
  private var sixel = SixelGraphics()
  private let streams: TerminalStreams
  private var isScheduled = false
  /// Whether the terminal accepted nothing for a while: no more pictures until it is redrawn.
  private var isStalled = false
  /// Called when a frame would look different now.
  var onChange: (() -> Void)?

  init(_ kind: GraphicsProtocol, streams: TerminalStreams, colors: ColorDepth) {
    self.kind = kind
    self.streams = streams
    kitty = KittyGraphics(colors: colors)
  }

  /// Returns the frame with the pictures that the terminal has, or with blank cells below those that `work` writes.
  ///
  /// - Parameter size: the terminal's.
  func place(_ frame: Frame, in size: Size) -> Frame {
    switch kind {
    case .kitty:
      guard frame.hasGraphics || !kitty.isEmpty, !isStalled, KittyGraphics.isPossible else { return frame }
      let placed = kitty.place(frame)
      schedule()
      return placed
    case .sixel:
      guard frame.hasGraphics || !sixel.isEmpty else { return frame }
      return sixel.place(frame, cell: frame.hasGraphics ? streams.cellPixels : nil, in: size)
    }
  }

  /// Returns the pictures that must be written for a frame after curses has drawn it, and the rows that
  /// curses must rewrite. Returns `nil` if there are neither.
  ///
  /// - Parameters:
  ///   - before: the frame on the screen, or `nil` if the whole screen is rewritten.
  ///   - rewritten: rows that curses rewrites.
  func work(for frame: Frame, over before: Frame?, rewritten: [Int]) -> SixelGraphics.Work? {
    sixel.work(for: frame, over: before, rewritten: rewritten)
  }

  /// Deletes all pictures from the terminal. Pictures of later frames are sent again.
  func forget() {
    isStalled = false
    // The screen with the pictures is left, or cleared.
    sixel.forget()
    let sequence = kitty.forget()
    if !sequence.isEmpty { streams.send(sequence) }
    Restoration.plan.pointee.hasGraphics = false
  }

  private func schedule() {
    guard !isScheduled, kitty.hasMore else { return }
    isScheduled = true
    DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.sendPiece() } }
  }

  /// Sends a piece. Keys and other events are handled between two pieces.
  private func sendPiece() {
    isScheduled = false
    guard let (bytes, isComplete) = kitty.next() else { return }
    SignalRelay.adoptThread()
    Restoration.deleteGraphicsAtExit(KittyGraphics.lastWord)
    guard streams.send(bytes) else {
      streams.send("\u{1B}\\" + kitty.forget())
      isStalled = true
      onChange?()
      return
    }
    if isComplete { onChange?() }
    schedule()
  }
}
