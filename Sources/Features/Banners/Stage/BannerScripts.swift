import Foundation

/// The program that runs the scripts of views, with a separate process for each view.
package struct BannerScripts: Hashable, Sendable {
  /// The path of an executable that calls `serve()` if it gets `arguments`.
  package var path: String
  package var arguments: [String]

  package init(path: String, arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  /// Runs scripts in a sandbox until standard input ends.
  package static func serve() { ScriptHost.run() }
}
