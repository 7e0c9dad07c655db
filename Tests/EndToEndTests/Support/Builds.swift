import TerminalHarness

/// A household with a feed of builds, of which every third failed. It is for tests of rules and saved lists.
extension Household {
  static func withBuilds(upTo count: Int = 3) throws -> Household {
    let household = try Household()
    try household.serveBuilds(upTo: count)
    try household.settingsOfBuilds()
    guard try household.run("poll", "--all").exit == .status(0) else {
      throw HouseholdFailure("the first poll failed")
    }
    return household
  }

  func serveBuilds(upTo count: Int) throws {
    try write(
      "build.xml",
      rss(
        "Builds",
        (1...count).reversed().map { item($0, "Build \($0) \($0.isMultiple(of: 3) ? "failed" : "passed")") }))
  }

  /// - Parameter more: tables after the source.
  func settingsOfBuilds(_ more: String = "") throws {
    try settings(
      "[poll]\ninitial_delay = \"1ms\"", sources: [("build", "\(home)/build.xml", "\n\(more)")])
  }
}
