extension StyledText {
  /// As much of the beginning as fits.
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

  /// A picture has one size: what is cut shows half blocks.
  private var withoutGraphics: StyledText {
    guard runs.contains(where: { $0.graphic != nil }) else { return self }
    return StyledText(
      runs: runs.map { run in
        var run = run
        run.graphic = nil
        return run
      })
  }

  /// The text itself where it fits, else what fits with the ellipsis, in the style of what it follows.
  package func truncated(to columns: Int, ellipsis: SafeText) -> StyledText {
    guard self.columns > columns else { return self }
    guard columns >= ellipsis.columns, columns > 0 else { return .empty }
    var result = prefix(columns: columns - ellipsis.columns)
    result.append(ellipsis, style: result.runs.last?.style ?? runs.first?.style ?? .plain)
    return result
  }

  /// Spaces of that style added at the end up to that many columns.
  package func padded(to columns: Int, style: Style = .plain) -> StyledText {
    guard self.columns < columns else { return self }
    var result = self
    result.append(.spaces(columns - self.columns), style: style)
    return result
  }

  /// As ``SafeText/wrapped(to:)``, each part keeping its style and link. Runs that are to stay whole do where a line has room
  /// for them.
  ///
  /// - Parameter continuation: what a line begins with that goes on with a word which was longer than its line; left out
  ///   where the lines are too narrow for it.
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

  /// Lines of exactly that many columns, cut wherever they end, all spaces kept: for code.
  ///
  /// - Parameter continuation: what all of them but the first begin with; left out where the lines are too narrow for it.
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

  /// At least two thirds of a line are for its text.
  private static func fitting(_ mark: StyledText, _ columns: Int) -> StyledText {
    3 * mark.columns <= columns ? mark : .empty
  }

  /// Neighbours are one whole: they are the parts of one thing.
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
