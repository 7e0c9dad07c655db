import Banners
import Foundation

/// The program that runs the scripts of views, each in a process of its own.
package struct BannerScripts: Hashable, Sendable {
  /// An executable that calls `serve()` when it is given `arguments`.
  package var path: String
  package var arguments: [String]

  package init(path: String, arguments: [String]) {
    self.path = path
    self.arguments = arguments
  }

  /// Runs scripts until standard input ends, confined.
  package static func serve() { ScriptHost.run() }
}
