extension StyledText {
  /// Returns the longest beginning that fits.
  package func prefix(columns limit: Int) -> StyledText {
    guard columns > limit else { return self }
    var result = StyledText()
    for run in runs {
      let left = limit - result.columns
      guard run.text.columns > left else {
        result.append(run)
        continue
      }
      var cut = run
      cut.text = run.text.prefix(columns: left)
      result.append(cut)
      break
    }
    return result.withoutGraphics
  }

  /// The text without pictures, so that half blocks are shown. A picture has one size and cannot be cut.
  private var withoutGraphics: StyledText {
    guard runs.contains(where: { $0.graphic != nil }) else { return self }
    return StyledText(
      runs: runs.map { run in
        var run = run
        run.graphic = nil
        return run
      })
  }

  /// Returns the text if it fits, or its beginning with the ellipsis in the style of the text before it.
  package func truncated(to columns: Int, ellipsis: SafeText) -> StyledText {
    guard self.columns > columns else { return self }
    guard columns >= ellipsis.columns, columns > 0 else { return .empty }
    var result = prefix(columns: columns - ellipsis.columns)
    result.append(ellipsis, style: result.runs.last?.style ?? runs.first?.style ?? .plain)
    return result
  }

  /// The line without the spaces at its end.
  package var withoutSpacesAtEnd: StyledText {
    var end = columns
    for run in runs.reversed() {
      let spaces = run.text.text.utf8.reversed().prefix { $0 == 0x20 }.count
      end -= spaces
      if spaces < run.text.columns { break }
    }
    return prefix(columns: end)
  }

  /// Returns the text with spaces of this style appended, up to this many columns.
  package func padded(to columns: Int, style: Style = .plain) -> StyledText {
    guard self.columns < columns else { return self }
    var result = self
    result.append(.spaces(columns - self.columns), style: style)
    return result
  }

  /// Wraps the text like ``SafeText/wrapped(to:)``. Each part keeps its style and link, and runs that must stay whole
  /// do if a line has room for them.
  ///
  /// - Parameter continuation: the beginning of a line that continues a word longer than its line; left out if the
  ///   lines are too narrow for it.
  package func wrapped(to columns: Int, continuation: StyledText = .empty) -> [StyledText] {
    guard columns > 0 else { return [] }
    if self.columns <= columns { return [self] }
    let mark = StyledText.fitting(continuation, columns)
    var clusters = clusters()
    keepWholeRuns(&clusters, columns: columns)
    return LineBreaker.lines(clusters, columns: columns, mark: mark.columns).map { line in
      line.goesOn ? mark + slice(clusters, line.clusters) : slice(clusters, line.clusters)
    }
  }

  /// Returns lines of exactly this many columns, cut at any character, with all spaces kept, for code.
  ///
  /// - Parameter continuation: the beginning of all lines but the first; left out if the lines are too narrow for it.
  package func cut(to columns: Int, continuation: StyledText = .empty) -> [StyledText] {
    guard columns > 0 else { return [] }
    if self.columns <= columns { return [self] }
    let mark = StyledText.fitting(continuation, columns)
    let clusters = clusters()
    var lines: [StyledText] = []
    var start = 0
    var used = 0
    for (index, cluster) in clusters.enumerated() {
      if used + Int(cluster.columns) > columns, index > start {
        lines.append((start == 0 ? .empty : mark) + slice(clusters, start..<index))
        start = index
        used = mark.columns
      }
      used += Int(cluster.columns)
    }
    lines.append((start == 0 ? .empty : mark) + slice(clusters, start..<clusters.count))
    return lines
  }

  /// Returns the continuation mark if at least two thirds of a line remain for text.
  private static func fitting(_ mark: StyledText, _ columns: Int) -> StyledText {
    3 * mark.columns <= columns ? mark : .empty
  }

  /// Keeps runs together that must stay whole. Neighbouring ones form one whole, since they are parts of the same
  /// thing.
  private func keepWholeRuns(_ clusters: inout [Cluster], columns: Int) {
    guard runs.contains(where: \.isWhole) else { return }
    var start = 0
    while start < clusters.count {
      guard runs[Int(clusters[start].run)].isWhole else {
        start += 1
        continue
      }
      var end = start
      var width = 0
      while end < clusters.count, runs[Int(clusters[end].run)].isWhole {
        width += Int(clusters[end].columns)
        end += 1
      }
      if width <= columns {
        for index in start + 1..<max(start + 1, end) { clusters[index].isKept = true }
      }
      start = end
    }
  }

  private func clusters() -> [Cluster] {
    var clusters: [Cluster] = []
    clusters.reserveCapacity(columns)
    for (index, run) in runs.enumerated() { run.text.appendClusters(to: &clusters, run: index) }
    return clusters
  }

  /// Returns the part in a range of the text's clusters.
  private func slice(_ clusters: [Cluster], _ range: Range<Int>) -> StyledText {
    var result = StyledText()
    var start = range.lowerBound
    while start < range.upperBound {
      let number = clusters[start].run
      var end = start
      while end < range.upperBound, clusters[end].run == number { end += 1 }
      var run = runs[Int(number)]
      run.text = run.text.slice(clusters, start..<end)
      run.graphic = nil
      result.append(run)
      start = end
    }
    return result
  }
}
