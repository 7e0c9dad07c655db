import Foundation
import Screen
import Session
import Terminal

/// The terminal as the screen of the inbox, whose modules do not import that of the terminal.
@MainActor
final class TerminalInboxScreen: InboxScreen {
  private let terminal: NcursesTerminal

  let allowsMotion: Bool

  init(_ terminal: NcursesTerminal, allowsMotion: Bool) {
    self.terminal = terminal
    self.allowsMotion = allowsMotion
  }

  var size: Size { terminal.size }

  var isUTF8: Bool { terminal.isUTF8 }

  var hasWideSigns: Bool { terminal.hasWideSigns }

  var colors: ColorDepth { terminal.colors }

  var background: Background? { terminal.background }

  var pictureColors: PictureRenderer.Colors? {
    switch terminal.colors {
    case .none, .eight, .sixteen: nil
    case .indexed: terminal.isUTF8 ? .indexed256 : nil
    case .direct: terminal.isUTF8 ? .full : nil
    }
  }

  var graphicFormat: GraphicFormat? {
    guard pictureColors != nil, let format = terminal.graphicsFormat else { return nil }
    return switch format.kind {
    case .kitty: .kitty(cell: format.cell)
    // Without the size of a cell, a picture could have any size.
    case .sixel: format.cell.map { .sixel(cell: $0) }
    }
  }

  func listen(_ listener: (@MainActor ([ScreenEvent]) -> Void)?) {
    terminal.listen(listener)
  }

  func present(_ frame: Frame) { terminal.present(frame) }

  func redraw() { terminal.redraw() }

  func ringBell() { terminal.ringBell() }

  var hasIdentifiedNotices: Bool { terminal.hasIdentifiedNotices }

  func show(_ notice: ScreenNotice) { terminal.show(notice) }

  func withdrawNotice(_ id: String) { terminal.withdrawNotice(id) }

  func reportMouse(_ isReported: Bool) { terminal.reportMouse(isReported) }

  func copyToClipboard(_ text: String) -> Bool { terminal.copyToClipboard(text) }

  func lend() { terminal.suspend() }

  func resume() { terminal.resume() }

  // The terminal's handler of SIGTSTP does the rest, as for a SIGTSTP from outside.
  func suspendProcess() { raise(SIGTSTP) }

  func close() { terminal.close() }
}
