import Basics
import CWidth
import Screen

/// The pictures that the terminal has (kitty's graphics protocol, with Unicode placeholders).
///
/// Each is sent once. Then it is shown by characters, whose foreground is its number and whose marks are the row and
/// the column of its part. These are cells like others, which scroll and are overwritten like text. Until a picture has
/// been sent, the frame keeps its half blocks. The sequences tell the terminal not to respond.
struct KittyGraphics {
  /// A picture that the terminal has or will get, and its number there.
  private struct Known {
    let graphic: Graphic
    let id: UInt8
    var isSent = false
  }

  /// The numbers of pictures in the terminal, 16 to 47. A number is shown as the foreground with that index; these
  /// colours are from xterm's cube and have no other name.
  static let ids = UInt8(16)..<UInt8(16 + Limits.terminalGraphics)

  /// Whether libc, and therefore curses, treats a placeholder and its marks as one column, as the terminal does.
  /// Evaluated once the locale is set.
  static let isPossible =
    cw_columns(wchar_t(Cell.pictureBase.value)) == 1
    && marks.allSatisfy { cw_columns(wchar_t($0.value)) == 0 }

  private let colors: ColorDepth
  /// The pictures, with the least recently shown first.
  private var known: [Known] = []
  /// The bytes of the picture that is being sent, from the current position on.
  private var current: (number: Int, rest: ArraySlice<UInt8>, isBegun: Bool)?
  /// The numbers of pictures that are deleted from the terminal before the next one is sent.
  private var stale: [UInt8] = []

  init(colors: ColorDepth) { self.colors = colors }

  /// Whether `next` has anything to send.
  var hasMore: Bool { current != nil || !stale.isEmpty || known.contains { !$0.isSent } }

  /// Whether the terminal has no picture and no part of one, and none is to be sent.
  var isEmpty: Bool { known.isEmpty && current == nil && stale.isEmpty }

  /// Returns the frame with the pictures that the terminal has; others are sent by `next`.
  mutating func place(_ frame: Frame) -> Frame {
    guard frame.hasGraphics || !known.isEmpty else { return frame }
    let parts = frame.graphics.filter { part in
      if case .rgba = part.part.graphic.pixels { true } else { false }
    }
    update(parts)
    var placed = frame
    for part in parts {
      guard let entry = known.first(where: { $0.graphic == part.part.graphic }), entry.isSent,
        Self.marks.indices.contains(part.part.row)
      else { continue }
      let style = Style(foreground: colors == .direct ? .rgb(0, 0, entry.id) : .indexed(entry.id))
      placed.replace(part) { column in
        .picture(
          row: Self.marks[part.part.row], column: Self.marks[min(column, Self.marks.count - 1)], style: style)
      }
    }
    return placed
  }

  /// Adds the new pictures of a frame, and deletes those for which there is no room.
  private mutating func update(_ parts: [GraphicCells]) {
    var wanted: [Graphic] = []
    for part in parts where !wanted.contains(part.part.graphic) { wanted.append(part.part.graphic) }
    // A picture that disappeared before it was sent isn't sent.
    known.removeAll { !$0.isSent && !wanted.contains($0.graphic) && current?.number != $0.graphic.number }
    for graphic in wanted.prefix(Limits.terminalGraphics)
    where max(graphic.size.columns, graphic.size.rows) <= Limits.graphicColumns {
      if let index = known.firstIndex(where: { $0.graphic == graphic }) {
        known.append(known.remove(at: index))
      } else if let id = makeRoom(for: graphic, beside: wanted) {
        known.append(Known(graphic: graphic, id: id))
      }
    }
  }

  /// Returns a free number for a picture, after dropping pictures that are not wanted; `nil` if there is no room.
  private mutating func makeRoom(for graphic: Graphic, beside wanted: [Graphic]) -> UInt8? {
    func bytes() -> Int { known.reduce(graphic.byteCount) { $0 + $1.graphic.byteCount } }
    while known.count >= Limits.terminalGraphics || bytes() > Limits.terminalGraphicBytes {
      let old = known.firstIndex { !wanted.contains($0.graphic) && current?.number != $0.graphic.number }
      guard let old else { return nil }
      let gone = known.remove(at: old)
      if gone.isSent { stale.append(gone.id) }
    }
    return Self.ids.first { id in !known.contains { $0.id == id } }
  }

  // MARK: - Sending

  /// Returns the next bytes for the terminal, or `nil` if there are none. `hasMore` is whether others follow.
  ///
  /// - Returns: also whether a picture is complete with them, so that a frame can show it.
  mutating func next() -> (bytes: [UInt8], isComplete: Bool)? {
    var output: [UInt8] = []
    if current == nil {
      for id in stale { output += Self.deletion(of: id).utf8 }
      stale = []
      if let index = known.firstIndex(where: { !$0.isSent }),
        case .rgba(let base64) = known[index].graphic.pixels
      {
        current = (known[index].graphic.number, base64[...], isBegun: false)
      }
    }
    guard let sending = current, let index = known.firstIndex(where: { $0.graphic.number == sending.number })
    else {
      current = nil
      return output.isEmpty ? nil : (output, false)
    }
    var (rest, isBegun) = (sending.rest, sending.isBegun)
    while !rest.isEmpty, output.count < Limits.graphicPieceBytes {
      let chunk = rest.prefix(Self.chunk)
      rest = rest.dropFirst(Self.chunk)
      output += "\u{1B}_G".utf8
      if !isBegun { output += Self.introduction(known[index].graphic, id: known[index].id).utf8 }
      output += "q=2,m=\(rest.isEmpty ? 0 : 1);".utf8
      output += chunk
      output += "\u{1B}\\".utf8
      isBegun = true
    }
    current = rest.isEmpty ? nil : (sending.number, rest, isBegun)
    known[index].isSent = rest.isEmpty
    return (output, rest.isEmpty)
  }

  /// Forgets all pictures.
  ///
  /// - Returns: the bytes that delete them; empty if the terminal has none.
  mutating func forget() -> String {
    defer { (known, current, stale) = ([], nil, []) }
    // This ends a picture that isn't complete: the terminal drops it.
    let end = current?.isBegun == true ? "\u{1B}_Gq=2,m=0;\u{1B}\\" : ""
    let sent = known.filter { $0.isSent || $0.graphic.number == current?.number }
    return end + (stale + sent.map(\.id)).map(Self.deletion).joined()
  }

  /// The bytes that end any picture that is being sent, and delete all, for a signal handler.
  static var lastWord: String {
    "\u{1B}\\\u{1B}_Gq=2,m=0;\u{1B}\\" + ids.map(deletion).joined()
  }

  /// The maximum number of bytes of Base64 in one escape sequence.
  private static let chunk = 4096

  /// Returns the parameters before a picture's first bytes: its number, its pixels and its cells.
  private static func introduction(_ graphic: Graphic, id: UInt8) -> String {
    "a=T,U=1,i=\(id),f=32,s=\(graphic.width),v=\(graphic.height),"
      + "c=\(graphic.size.columns),r=\(graphic.size.rows),"
  }

  /// Returns the sequence that deletes a picture and its data from the terminal.
  private static func deletion(of id: UInt8) -> String { "\u{1B}_Ga=d,d=I,i=\(id),q=2\u{1B}\\" }

  /// The marks for the numbers of rows and columns, in the order of kitty's list: those above a letter (combining class
  /// 230) of Unicode 6.0 that neither have a decomposition nor are part of one.
  static let marks: [Unicode.Scalar] = ranges.flatMap { $0.compactMap { Unicode.Scalar($0) } }

  private static let ranges: [ClosedRange<UInt32>] = [
    0x305...0x305, 0x30D...0x30E, 0x310...0x310, 0x312...0x312, 0x33D...0x33F, 0x346...0x346,
    0x34A...0x34C, 0x350...0x352, 0x357...0x357, 0x35B...0x35B, 0x363...0x36F, 0x483...0x487,
    0x592...0x595, 0x597...0x599, 0x59C...0x5A1, 0x5A8...0x5A9, 0x5AB...0x5AC, 0x5AF...0x5AF,
    0x5C4...0x5C4, 0x610...0x617, 0x657...0x65B, 0x65D...0x65E, 0x6D6...0x6DC, 0x6DF...0x6E2,
    0x6E4...0x6E4, 0x6E7...0x6E8, 0x6EB...0x6EC, 0x730...0x730, 0x732...0x733, 0x735...0x736,
    0x73A...0x73A, 0x73D...0x73D, 0x73F...0x741, 0x743...0x743, 0x745...0x745, 0x747...0x747,
    0x749...0x74A, 0x7EB...0x7F1, 0x7F3...0x7F3, 0x816...0x819, 0x81B...0x823, 0x825...0x827,
    0x829...0x82D, 0x951...0x951, 0x953...0x954, 0xF82...0xF83, 0xF86...0xF87, 0x135D...0x135F,
    0x17DD...0x17DD, 0x193A...0x193A, 0x1A17...0x1A17, 0x1A75...0x1A7C, 0x1B6B...0x1B6B,
    0x1B6D...0x1B73, 0x1CD0...0x1CD2, 0x1CDA...0x1CDB, 0x1CE0...0x1CE0, 0x1DC0...0x1DC1,
    0x1DC3...0x1DC9, 0x1DCB...0x1DCC, 0x1DD1...0x1DE6, 0x1DFE...0x1DFE, 0x20D0...0x20D1,
    0x20D4...0x20D7, 0x20DB...0x20DC, 0x20E1...0x20E1, 0x20E7...0x20E7, 0x20E9...0x20E9,
    0x20F0...0x20F0, 0x2CEF...0x2CF1, 0x2DE0...0x2DFF, 0xA66F...0xA66F, 0xA67C...0xA67D,
    0xA6F0...0xA6F1, 0xA8E0...0xA8F1, 0xAAB0...0xAAB0, 0xAAB2...0xAAB3, 0xAAB7...0xAAB8,
    0xAABE...0xAABF, 0xAAC1...0xAAC1, 0xFE20...0xFE26, 0x10A0F...0x10A0F, 0x10A38...0x10A38,
    0x1D185...0x1D189, 0x1D1AA...0x1D1AD, 0x1D242...0x1D244,
  ]
}
