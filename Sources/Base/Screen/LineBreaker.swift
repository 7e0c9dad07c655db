/// A character that begins a new cell, with the marks that join it, as the line breaker uses it.
struct Cluster {
  enum Kind: UInt8 {
    case other, digit, symbol, space, ideograph, opening, closing, hyphen
    /// A letter of a script that writes no spaces between words.
    case unspaced
  }

  /// The position of the cluster's first byte in the UTF-8 of its text.
  var offset: Int32
  /// The index of the cluster's run in styled text.
  var run: Int32
  var columns: UInt8
  var kind: Kind
  /// Whether the cluster stays on the line of the previous one.
  var isKept = false

  /// Returns the kind of a character, for the rules about line ends.
  static func kind(of scalar: Unicode.Scalar, columns: Int) -> Kind {
    if scalar.value < 0x80 { return ascii[Int(scalar.value)] }
    switch scalar {
    case "\u{3000}": return .space
    case "\u{2010}", "\u{2013}", "\u{2014}": return .hyphen
    case "、", "。", "，", "．", "：", "；", "！", "？", "・", "ー", "々", "ぁ", "ぃ", "ぅ", "ぇ", "ぉ", "っ", "ゃ", "ゅ", "ょ",
      "ァ", "ィ",
      "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ", "…":
      return .closing
    default: break
    }
    switch scalar.value {
    // These are brackets and quotation marks. For other characters the general category is not needed.
    case 0xAB, 0xBB, 0x2018...0x203A, 0x2045...0x2046, 0x2E00...0x2E5D, 0x3008...0x301B, 0xFF08...0xFF63:
      switch scalar.properties.generalCategory {
      case .openPunctuation, .initialPunctuation: return .opening
      case .closePunctuation, .finalPunctuation: return .closing
      default: break
      }
    case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x1950...0x19DF, 0x1A20...0x1AAF: return .unspaced
    default: break
    }
    return columns == 2 ? .ideograph : .other
  }

  /// The kinds of ASCII characters, indexed by code point.
  static let ascii: [Kind] = (UInt8(0)...0x7F).map { byte in
    switch byte {
    case UInt8(ascii: " "): .space
    case UInt8(ascii: "-"): .hyphen
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): .other
    case let byte where "([{".utf8.contains(byte): .opening
    case let byte where ")]},.:;!?%".utf8.contains(byte): .closing
    default: .symbol
    }
  }
}

extension SafeText {
  /// Appends this text's clusters to those of the runs before it.
  func appendClusters(to clusters: inout [Cluster], run: Int) {
    var offset: Int32 = 0
    let run = Int32(run)
    if isASCII {
      let kinds = Cluster.ascii
      for byte in text.utf8 {
        clusters.append(Cluster(offset: offset, run: run, columns: 1, kind: kinds[Int(byte)]))
        offset += 1
      }
      return
    }
    for scalar in text.unicodeScalars {
      let columns = ColumnWidth.of(scalar) ?? 0
      if columns > 0 {
        clusters.append(
          Cluster(
            offset: offset, run: run, columns: UInt8(columns),
            kind: Cluster.kind(of: scalar, columns: columns)))
      }
      offset += Int32(UTF8.width(scalar))
    }
  }
}

/// Finds the ends of lines. Lines may end at spaces, after hyphens between letters, and anywhere between ideographs.
/// They never end before closing or after opening marks, even with a space between them. A word longer than a line is
/// cut.
enum LineBreaker {
  struct Line {
    /// The clusters of the line, without the spaces at its end.
    var clusters: Range<Int>
    /// Whether the line continues a word that the line before it cuts.
    var goesOn = false
  }

  /// Returns the lines at a width. A wide character in a width of one column gets its own line, for which it is too
  /// wide.
  ///
  /// - Parameter mark: the number of columns reserved in front of a line that continues a word.
  static func lines(_ clusters: [Cluster], columns: Int, mark: Int = 0) -> [Line] {
    guard columns > 0 else { return [] }
    var lines: [Line] = []
    var start = 0
    var isCut = false
    while start < clusters.count {
      let goesOn = isCut
      let end = end(clusters, from: start, columns: goesOn ? columns - mark : columns, isCut: &isCut)
      lines.append(Line(clusters: end.line, goesOn: goesOn))
      start = end.next
    }
    return lines.isEmpty ? [Line(clusters: 0..<0)] : lines
  }

  /// Returns the next line, and the index of the cluster at which the line after it begins. Sets `isCut` if a word is
  /// cut.
  private static func end(
    _ clusters: [Cluster], from first: Int, columns: Int, isCut: inout Bool
  ) -> (line: Range<Int>, next: Int) {
    isCut = false
    var start = first
    var used = 0
    var index = start
    while index < clusters.count, clusters[index].kind == .space {
      used += Int(clusters[index].columns)
      index += 1
    }
    // An indentation that leaves no columns for a word is dropped.
    if used >= columns {
      start = index
      used = 0
    }
    let firstWord = index
    var lastBreak: Int?
    while index < clusters.count {
      if index > firstWord, canBreak(clusters, before: index) { lastBreak = index }
      let width = Int(clusters[index].columns)
      // Spaces at the end of a line need no room.
      if used + width > columns, clusters[index].kind != .space {
        if let lastBreak { return trimmed(clusters, start, lastBreak) }
        let end = max(index, start + 1)
        isCut = end < clusters.count && isInside(clusters, end)
        return trimmed(clusters, start, end)
      }
      used += width
      index += 1
    }
    return trimmed(clusters, start, clusters.count)
  }

  /// Returns a line without the spaces at its end, and the index of the first cluster after them.
  private static func trimmed(
    _ clusters: [Cluster], _ start: Int, _ end: Int
  ) -> (line: Range<Int>, next: Int) {
    var last = end
    while last > start, clusters[last - 1].kind == .space { last -= 1 }
    var next = end
    while next < clusters.count, clusters[next].kind == .space { next += 1 }
    return (start..<last, next)
  }

  /// Whether a line end before a cluster would cut a word. Returns `false` in scripts without spaces between
  /// words, where this cannot be determined.
  private static func isInside(_ clusters: [Cluster], _ index: Int) -> Bool {
    let (a, b) = (clusters[index - 1].kind, clusters[index].kind)
    return a != .space && b != .space && (a != .unspaced || b != .unspaced)
  }

  /// Whether a line may end before a cluster.
  private static func canBreak(_ clusters: [Cluster], before index: Int) -> Bool {
    if clusters[index].isKept { return false }
    let (a, b) = (clusters[index - 1].kind, clusters[index].kind)
    if a == .space { return b != .space && !isBoundBySpace(clusters, index) }
    if b == .space || b == .closing || a == .opening { return false }
    if a == .ideograph || b == .ideograph || a == .closing || b == .opening {
      return clusters[index - 1].columns == 2 || clusters[index].columns == 2
    }
    // Lines do not end inside `SHA-256`, `-m` or `->`.
    return a == .hyphen && b == .other && index >= 2
      && (clusters[index - 2].kind == .other || clusters[index - 2].kind == .closing)
  }

  /// Whether the space before a cluster belongs to punctuation, as in « mot » and mot !
  private static func isBoundBySpace(_ clusters: [Cluster], _ index: Int) -> Bool {
    guard index >= 2 else { return false }
    let before = clusters[index - 2].kind
    if before == .space { return false }
    if before == .opening { return index == 2 || clusters[index - 3].kind == .space }
    guard clusters[index].kind == .closing, before != .closing else { return false }
    guard index + 1 < clusters.count else { return true }
    return clusters[index + 1].kind == .space || clusters[index + 1].kind == .closing
  }
}
