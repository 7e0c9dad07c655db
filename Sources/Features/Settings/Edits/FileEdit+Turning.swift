/// Undoes and redoes an edit.
extension FileEdit {
  /// The result of undoing or redoing an edit in the text of a file.
  enum Turned {
    /// The changed text.
    ///
    /// - Parameter lacksSecret: whether a token or a password is missing in it.
    case text(String, lacksSecret: Bool)
    /// The text already has the requested lines.
    case wasSo
    /// The lines were edited in the meantime, by hand or by another program.
    case changedSince
  }

  /// Returns the text after the edit is undone or redone in it.
  ///
  /// - Parameters:
  ///   - isUndone: whether the earlier lines are to be restored.
  ///   - secrets: secrets that are known in addition to those in the text.
  func turned(_ text: String, isUndone: Bool, secrets: Secrets) -> Turned {
    let lines = SettingsLines(text)
    let passages = changes.map {
      isUndone ? (from: $0.after, to: $0.before) : (from: $0.before, to: $0.after)
    }
    var secrets = secrets
    var places: [(range: Range<Int>, to: Passage)] = []
    for passage in passages where !passage.from.text.isEmpty {
      guard let range = lines.range(of: passage.from, taking: &secrets) else {
        return isThere(passages.map(\.to), in: lines) ? .wasSo : .changedSince
      }
      places.append((range, passage.to))
    }
    if places.isEmpty, isThere(passages.map(\.to), in: lines) { return .wasSo }
    for passage in passages where passage.from.text.isEmpty {
      guard let index = lines.index(for: passage.from, with: passage.to) else { return .changedSince }
      places.append((index..<index, passage.to))
    }
    places.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    let isDisjoint = zip(places, places.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound }
    return isDisjoint ? replaced(places, in: lines, secrets) : .changedSince
  }

  /// Whether the lines of these passages are in their tables.
  private func isThere(_ passages: [Passage], in lines: SettingsLines) -> Bool {
    var secrets = Secrets()
    let written = passages.filter { !$0.text.isEmpty }
    return !written.isEmpty
      && written.allSatisfy { lines.range(of: $0, isInTable: true, taking: &secrets) != nil }
  }

  /// Returns the text in which the lines of each range are replaced by those of a passage.
  private func replaced(
    _ places: [(range: Range<Int>, to: Passage)], in lines: SettingsLines, _ secrets: Secrets
  ) -> Turned {
    var result: [UInt8] = []
    var lacksSecret = false
    var next = 0
    let end = lines.lines.contains { $0.suffix(2).elementsEqual("\r\n".utf8) } ? "\r\n" : "\n"
    func append(_ line: [UInt8]) {
      // The last line may have had no end.
      if let last = result.last, last != UInt8(ascii: "\n") { result += end.utf8 }
      result += line
    }
    for place in places {
      lines.lines[next..<place.range.lowerBound].forEach(append)
      if place.range.isEmpty, place.range.lowerBound == lines.lines.count, lines.isAway(from: place.to),
        let last = lines.lines.last, !last.elementsEqual(end.utf8)
      {
        append(Array(end.utf8))
      }
      for line in place.to.lines {
        let (bytes, lacks) = line.filled(secrets)
        append(bytes)
        if lacks { lacksSecret = true }
      }
      next = place.range.upperBound
    }
    lines.lines[next...].forEach(append)
    return .text(String(decoding: result, as: UTF8.self), lacksSecret: lacksSecret)
  }
}

extension SettingsLines {
  /// Returns the range in which the file has the lines of a passage now, or `nil` if it doesn't have them. If
  /// it has them several times, the range closest to their former position is returned.
  ///
  /// - Parameter isInTable: whether to search only the passage's table. Otherwise, a passage that begins a
  ///   table is also found elsewhere, if it is there exactly once.
  fileprivate func range(
    of passage: FileEdit.Passage, isInTable: Bool = false, taking secrets: inout Secrets
  ) -> Range<Int>? {
    let wanted = passage.lines
    func matches(_ index: Int, _ secrets: inout Secrets) -> Bool {
      guard index + wanted.count <= lines.count else { return false }
      var taken = secrets
      for (line, masked) in zip(lines[index...], wanted) where !masked.matches(line, taking: &taken) {
        return false
      }
      secrets = taken
      return true
    }
    func found(_ index: Int) -> Range<Int> { index..<(index + wanted.count) }
    if let table = tables.last(where: { $0.name == passage.table }) {
      let expected = index(in: table, for: passage)
      let near = indices(of: table).sorted { abs($0 - expected) < abs($1 - expected) }
      for index in near where matches(index, &secrets) { return found(index) }
    }
    guard !isInTable, passage.hasTable else { return nil }
    var unused = Secrets()
    let places = lines.indices.filter { matches($0, &unused) }
    guard places.count == 1, let place = places.first, matches(place, &secrets) else { return nil }
    return found(place)
  }

  /// Returns the index at which the lines of `passage`, which are not in the file now, are inserted. Returns
  /// `nil` if their table is missing and they do not begin a table themselves.
  ///
  /// - Parameter empty: the position for the lines, as a passage without lines.
  fileprivate func index(for empty: FileEdit.Passage, with passage: FileEdit.Passage) -> Int? {
    if let table = tables.last(where: { $0.name == empty.table }) { return index(in: table, for: empty) }
    return passage.hasTable ? lines.count : nil
  }

  /// Whether `passage` is appended to the file, since it begins a table and the table before it no longer exists.
  fileprivate func isAway(from passage: FileEdit.Passage) -> Bool {
    passage.hasTable && !tables.contains { $0.name == passage.table }
  }

  /// Returns the index in a table for a passage: its former position, limited to the lines of the table.
  private func index(in table: Table, for passage: FileEdit.Passage) -> Int {
    let index = passage.gap >= 0 ? table.last + passage.gap : min(table.header + passage.offset, table.last)
    let all = indices(of: table)
    return min(max(index, all.lowerBound), all.upperBound)
  }
}
