import Foundation

/// The pictures that a terminal with kitty's graphics protocol has after receiving some bytes.
package struct KittyPictures {
  package struct Picture: Hashable, Sendable {
    package var columns: Int
    package var rows: Int
    package var width: Int
    package var height: Int
    package var pixels: [UInt8]
  }

  /// The pictures, by number.
  package private(set) var pictures: [Int: Picture] = [:]
  /// The number of completed pictures.
  package private(set) var completed = 0
  /// The violations of the protocol.
  package private(set) var mistakes: [String] = []
  private var open: (keys: [String: String], data: String)?

  package init(_ screen: VirtualScreen) {
    for sent in screen.strings {
      if sent.kind == "_", sent.text.hasPrefix("G") { take(sent.text.dropFirst()) }
    }
    if open != nil { mistakes.append("a picture without its end") }
  }

  private mutating func take(_ text: Substring) {
    let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    let keys = Dictionary(
      parts[0].split(separator: ",").map { pair in
        let sides = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return (sides[0], sides.count > 1 ? sides[1] : "")
      }, uniquingKeysWith: { first, _ in first })
    let data = parts.count > 1 ? String(parts[1]) : ""
    if keys["q"] != "2" { mistakes.append("it would be answered: \(parts[0])") }
    if data.utf8.count > 4096 { mistakes.append("a piece of \(data.utf8.count) bytes") }
    if keys["a"] == "d" {
      if open != nil { mistakes.append("deleted inside of a picture") }
      guard keys["d"] == "I", let id = keys["i"].flatMap({ Int($0) }) else {
        mistakes.append("deleted: \(parts[0])")
        return
      }
      pictures[id] = nil
      return
    }
    if let begun = open {
      if Set(keys.keys) != ["m", "q"] { mistakes.append("a piece with \(parts[0])") }
      open = (begun.keys, begun.data + data)
    } else {
      if keys["a"] != "T" || keys["U"] != "1" || keys["f"] != "32" { mistakes.append("begun as \(parts[0])") }
      open = (keys, data)
    }
    if keys["m"] == "0" { complete() }
  }

  private mutating func complete() {
    defer { open = nil }
    guard let open else { return }
    func number(_ key: String) -> Int { open.keys[key].flatMap { Int($0) } ?? 0 }
    let pixels = Data(base64Encoded: open.data).map { [UInt8]($0) } ?? []
    guard number("s") > 0, pixels.count == number("s") * number("v") * 4 else {
      // This is the end of a cancelled picture.
      return
    }
    completed += 1
    pictures[number("i")] = Picture(
      columns: number("c"), rows: number("r"), width: number("s"), height: number("v"), pixels: pixels)
  }
}

extension VirtualScreen {
  /// Whether the bytes show pictures in pixels.
  package var hasPictureBytes: Bool {
    strings.contains { $0.kind == "_" || $0.kind == "P" } || text.unicodeScalars.contains("\u{10EEEE}")
  }

  /// Returns the cells that show parts of a picture, with its number and the part.
  package func pictureCells(marks: [Unicode.Scalar]) -> [PictureCell] {
    var cells: [PictureCell] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let place = place(column: column, row: row)
        let scalars = Array(place.text.unicodeScalars)
        guard scalars.first == "\u{10EEEE}" else { continue }
        cells.append(
          PictureCell(
            column: column, row: row,
            id: place.look.foreground.split(separator: ";").last.flatMap { Int($0) } ?? 0,
            pictureRow: scalars.count == 3 ? marks.firstIndex(of: scalars[1]) ?? -1 : -1,
            pictureColumn: scalars.count == 3 ? marks.firstIndex(of: scalars[2]) ?? -1 : -1))
      }
    }
    return cells
  }

  package struct PictureCell: Hashable, Sendable {
    package var column: Int
    package var row: Int
    package var id: Int
    package var pictureRow: Int
    package var pictureColumn: Int
  }
}
