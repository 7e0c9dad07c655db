import Foundation
import TerminalHarness

/// Runs commands as the user `nobody`.
enum Nobody {
  private static let setpriv = "/usr/bin/setpriv"
  private static let words = ["--reuid=65534", "--regid=65534", "--clear-groups"]

  static let isAvailable: Bool = {
    guard FileManager.default.isExecutableFile(atPath: setpriv) else { return false }
    do {
      let test = ["/usr/bin/test", "-x", BuiltProduct.path("reddot")]
      return try Running(setpriv, words + test, environment: [:]).waitForEnd().exit == .status(0)
    } catch {
      return false
    }
  }()

  static func run(_ household: Household, _ command: [String], path: String? = nil) throws -> Ran {
    var environment = household.environment
    if let path { environment["PATH"] = path }
    let words = (geteuid() == 0 ? [setpriv] + words : []) + [BuiltProduct.path("reddot")] + command
    return try Running(words[0], Array(words.dropFirst()), environment: environment).waitForEnd()
  }
}
