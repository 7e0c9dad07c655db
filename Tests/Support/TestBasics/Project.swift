package import Foundation

/// The project's folder, in which tests read its pages and samples.
package enum Project {
  package static let folder = URL(filePath: #filePath.components(separatedBy: "/Tests/")[0])

  /// - Parameter path: a path below the folder, such as `README.md`.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appending(path: path), encoding: .utf8)
  }
}
