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
      result.append(Run(text: run.text.prefix(columns: left), style: run.style, link: run.link))
      break
    }
    return result
  }

  /// The text itself where it fits, else what fits with the ellipsis, in the style of what it follows.
  package func truncated(to columns: Int, ellipsis: SafeText = "…") -> StyledText {
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

  /// As ``SafeText/wrapped(to:)``, each part keeping its style and link.
  package func wrapped(to columns: Int) -> [StyledText] {
    guard columns > 0 else { return [] }
    if self.columns <= columns { return [self] }
    let clusters = clusters()
    return LineBreaker.lines(clusters, columns: columns).map { slice(clusters, $0) }
  }

  /// Lines of exactly that many columns, cut wherever they end, all spaces kept: for code.
  package func cut(to columns: Int) -> [StyledText] {
    guard columns > 0 else { return [] }
    if self.columns <= columns { return [self] }
    let clusters = clusters()
    var lines: [StyledText] = []
    var start = 0
    var used = 0
    for (index, cluster) in clusters.enumerated() {
      if used + Int(cluster.columns) > columns, index > start {
        lines.append(slice(clusters, start..<index))
        start = index
        used = 0
      }
      used += Int(cluster.columns)
    }
    lines.append(slice(clusters, start..<clusters.count))
    return lines
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
      let run = runs[Int(number)]
      result.append(Run(text: run.text.slice(clusters, start..<end), style: run.style, link: run.link))
      start = end
    }
    return result
  }
}
