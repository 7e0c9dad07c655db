import Formats

/// The lines that an edit changed in a file of settings, as they were before and after it.
package struct FileEdit: Codable, Hashable, Sendable {
  /// Consecutive lines, and their position.
  struct Passage: Codable, Hashable, Sendable {
    /// The lines, without the values of secrets.
    var text: String
    /// The table that contains or precedes the lines; see `SettingsLines`.
    var table: String
    /// The number of lines from the table's header to the first of these lines.
    var offset: Int
    /// The number of lines from the table's last key to the first of these lines; negative if they come
    /// before that key.
    var gap: Int
  }

  /// A passage before and after the edit.
  struct Change: Codable, Hashable, Sendable {
    var before: Passage
    var after: Passage
  }

  /// Whether the edit is one of `sources.toml`.
  var isFollowed: Bool
  var changes: [Change]

  /// - Parameter secrets: gets the values that are omitted from the edit.
  init(from old: String, to new: String, isFollowed: Bool, secrets: inout Secrets) {
    self.isFollowed = isFollowed
    let (before, after) = (SettingsLines(old), SettingsLines(new))
    let masks = (MaskedText(old), MaskedText(new))
    changes = LineDifference.between(before.lines, after.lines).map { change in
      Change(
        before: Passage(change.old, of: before, masks.0.text(change.old, &secrets)),
        after: Passage(change.new, of: after, masks.1.text(change.new, &secrets)))
    }
  }
}

extension FileEdit.Passage {
  fileprivate init(_ range: Range<Int>, of lines: SettingsLines, _ text: String) {
    let table = lines.table(before: range.lowerBound)
    self.init(
      text: text, table: table.name, offset: range.lowerBound - table.header,
      gap: range.lowerBound - table.last)
  }

  var lines: [MaskedLine] { SettingsLines.split(Array(text.utf8)).map(MaskedLine.init) }

  var hasTable: Bool { SettingsLines.split(Array(text.utf8)).contains(where: SettingsLines.beginsTable) }
}

/// The content of a file whose lines are compared without their secrets.
private struct MaskedText {
  private let bytes: [UInt8]
  private let secrets: [Range<Int>]
  /// The offset of each line, and the end.
  private let starts: [Int]

  init(_ text: String) {
    bytes = Array(text.utf8)
    secrets = Secrets.ranges(in: text)
    starts = SettingsLines.split(bytes).reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
  }

  /// Returns lines in which a number replaces each secret. The secrets are added to `values`, keyed by these
  /// numbers.
  func text(_ lines: Range<Int>, _ values: inout Secrets) -> String {
    let range = starts[lines.lowerBound]..<starts[lines.upperBound]
    var masked: [UInt8] = []
    var start = range.lowerBound
    for secret in secrets where secret.overlaps(range) {
      let part = secret.clamped(to: range)
      masked += bytes[start..<part.lowerBound]
      masked += "\0\(values.number(of: Array(bytes[part])))\0".utf8
      start = part.upperBound
    }
    return String(decoding: masked + bytes[start..<range.upperBound], as: UTF8.self)
  }
}

/// The lines that differ between two versions of a file.
enum LineDifference {
  typealias Change = (old: Range<Int>, new: Range<Int>)

  /// The number of lines above which only the first and the last difference are found, since the time grows with the
  /// square of the number.
  private static let longest = 1000

  static func between(_ old: [[UInt8]], _ new: [[UInt8]]) -> [Change] {
    let shorter = min(old.count, new.count)
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.reversed(), new.reversed()).prefix(shorter - start).prefix { $0 == $1 }.count
    let middle = (old: start..<(old.count - end), new: start..<(new.count - end))
    if middle.old.isEmpty && middle.new.isEmpty { return [] }
    guard !middle.old.isEmpty, !middle.new.isEmpty, middle.old.count + middle.new.count <= longest else {
      return slid([middle], old, new)
    }
    let difference = Array(new[middle.new]).difference(from: Array(old[middle.old]))
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(start + offset)
      case .insert(let offset, _, _): inserted.insert(start + offset)
      }
    }
    return slid(runs(middle, removed, inserted), old, new)
  }

  /// Joins removed and inserted lines without equal lines between them into changes.
  private static func runs(_ middle: Change, _ removed: Set<Int>, _ inserted: Set<Int>) -> [Change] {
    var changes: [Change] = []
    var (i, j) = (middle.old.lowerBound, middle.new.lowerBound)
    while i < middle.old.upperBound || j < middle.new.upperBound {
      let (from, at) = (i, j)
      while removed.contains(i) { i += 1 }
      while inserted.contains(j) { j += 1 }
      if i > from || j > at {
        changes.append((from..<i, at..<j))
      } else {
        (i, j) = (i + 1, j + 1)
      }
    }
    return changes
  }

  /// Moves an insertion or removal by some lines if the resulting text is the same, so that it begins with
  /// the header of a table, and whole tables are inserted or removed.
  private static func slid(_ changes: [Change], _ old: [[UInt8]], _ new: [[UInt8]]) -> [Change] {
    var result: [Change] = []
    for (index, change) in changes.enumerated() {
      let last: Change = result.last ?? (0..<0, 0..<0)
      let next: Change =
        index + 1 < changes.count ? changes[index + 1] : (old.count..<old.count, new.count..<new.count)
      var by = 0
      if change.old.isEmpty {
        by = slide(change.new, new, last.new.upperBound..<next.new.lowerBound)
      } else if change.new.isEmpty {
        by = slide(change.old, old, last.old.upperBound..<next.old.lowerBound)
      }
      result.append((moved(change.old, by), moved(change.new, by)))
    }
    return result
  }

  private static func moved(_ range: Range<Int>, _ by: Int) -> Range<Int> {
    (range.lowerBound + by)..<(range.upperBound + by)
  }

  /// Returns the number of lines by which an insertion or removal must be moved to begin with the header of a
  /// table; 0 if that is not possible.
  private static func slide(_ range: Range<Int>, _ lines: [[UInt8]], _ limits: Range<Int>) -> Int {
    if SettingsLines.beginsTable(lines[range.lowerBound]) { return 0 }
    var up = 0
    while range.lowerBound - up > limits.lowerBound,
      lines[range.lowerBound - up - 1] == lines[range.upperBound - up - 1]
    {
      up += 1
      if SettingsLines.beginsTable(lines[range.lowerBound - up]) { return -up }
    }
    var down = 0
    while range.upperBound + down < limits.upperBound,
      lines[range.upperBound + down] == lines[range.lowerBound + down]
    {
      down += 1
      if SettingsLines.beginsTable(lines[range.lowerBound + down]) { return down }
    }
    return 0
  }
}
