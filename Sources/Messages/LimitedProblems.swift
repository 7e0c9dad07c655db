/// Problems up to a limit. The last one gives the number of the others.
package struct LimitedProblems: Sendable {
  private var kept: [PollProblem] = []
  private var count = 0
  private let limit: Int

  /// - Parameter limit: at least 1.
  package init(limit: Int) { self.limit = limit }

  package mutating func append(_ problem: PollProblem) {
    count += 1
    if kept.count < limit { kept.append(problem) }
  }

  package var all: [PollProblem] {
    if count <= limit { return kept }
    let rest = count - limit + 1
    return kept.dropLast() + [PollProblem(at: "", message: "and \(rest) more problems")]
  }
}

extension [PollProblem] {
  /// Returns at most this many problems. The last one gives the number of the others.
  package func limited(to limit: Int) -> [PollProblem] {
    if count <= limit { return self }
    var problems = LimitedProblems(limit: limit)
    forEach { problems.append($0) }
    return problems.all
  }
}
