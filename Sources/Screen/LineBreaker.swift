/// A character of its own cell with the marks that join it, as the line breaker sees it.
struct Cluster {
  enum Kind: UInt8 {
    case other, space, ideograph, opening, closing, hyphen
  }

  /// Where it begins in the UTF-8 of its text.
  var offset: Int32
  /// Which run of a styled text it belongs to.
  var run: Int32
  var columns: UInt8
  var kind: Kind

  static func kind(of scalar: Unicode.Scalar, columns: Int) -> Kind {
    switch scalar {
    case " ", "\u{3000}": .space
    case "-", "\u{2010}", "\u{2013}", "\u{2014}": .hyphen
    case "、", "。", "，", "．", "：", "；", "！", "？", "）", "］", "｝", "」", "』", "】", "〉", "》", "〕", "・", "ー", "々",
      "ぁ", "ぃ", "ぅ", "ぇ", "ぉ", "っ", "ゃ", "ゅ", "ょ", "ァ", "ィ", "ゥ", "ェ", "ォ", "ッ", "ャ", "ュ", "ョ", "…", "”", "’":
      .closing
    case "（", "［", "｛", "「", "『", "【", "〈", "《", "〔", "“", "‘": .opening
    default: columns == 2 ? .ideograph : .other
    }
  }
}

extension SafeText {
  /// Adds this text's clusters to those of the runs before it.
  func appendClusters(to clusters: inout [Cluster], run: Int) {
    var offset: Int32 = 0
    let run = Int32(run)
    if isASCII {
      for byte in text.utf8 {
        let kind: Cluster.Kind = byte == 0x20 ? .space : byte == 0x2D ? .hyphen : .other
        clusters.append(Cluster(offset: offset, run: run, columns: 1, kind: kind))
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

/// Finds line ends: at spaces, after hyphens inside words, anywhere between ideographs except
/// before closing and after opening marks; a word longer than a line is cut.
enum LineBreaker {
  /// The clusters of each line, without the spaces at its end. A wide character in one column
  /// has a line of its own and is too wide for it.
  static func lines(_ clusters: [Cluster], columns: Int) -> [Range<Int>] {
    guard columns > 0 else { return [] }
    var lines: [Range<Int>] = []
    var start = 0
    while start < clusters.count {
      let (line, next) = line(clusters, from: start, columns: columns)
      lines.append(line)
      start = next
    }
    return lines.isEmpty ? [0..<0] : lines
  }

  private static func line(
    _ clusters: [Cluster], from first: Int, columns: Int
  ) -> (line: Range<Int>, next: Int) {
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
      if used + width > columns {
        if clusters[index].kind == .space { return trimmed(clusters, start, index) }
        let end = lastBreak ?? max(index, start + 1)
        return trimmed(clusters, start, end)
      }
      used += width
      index += 1
    }
    return trimmed(clusters, start, clusters.count)
  }

  private static func trimmed(
    _ clusters: [Cluster], _ start: Int, _ end: Int
  ) -> (line: Range<Int>, next: Int) {
    var last = end
    while last > start, clusters[last - 1].kind == .space { last -= 1 }
    var next = end
    while next < clusters.count, clusters[next].kind == .space { next += 1 }
    return (start..<last, next)
  }

  private static func canBreak(_ clusters: [Cluster], before index: Int) -> Bool {
    let (a, b) = (clusters[index - 1].kind, clusters[index].kind)
    if a == .space { return b != .space }
    if b == .space || b == .closing || a == .opening { return false }
    if a == .ideograph || b == .ideograph || a == .closing || b == .opening {
      return clusters[index - 1].columns == 2 || clusters[index].columns == 2
    }
    return a == .hyphen && b == .other && index >= 2 && clusters[index - 2].kind == .other
  }
}
