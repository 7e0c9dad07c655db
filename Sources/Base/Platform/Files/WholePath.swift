import Basics
import Foundation

/// A path made whole, once, where it is read: never relative, and never an address.
///
/// SQLite takes a name that begins with `file:` for an address with options. The name of a lock is made of that of the database: one
/// database under two names had two locks.
package enum WholePath {
  /// Returns an absolute path.
  ///
  /// - Parameter path: absolute, or relative to the working directory.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let folder = FileManager.default.currentDirectoryPath
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// Returns the path of the file that a path leads to, without links; neither the file nor its folders need to be there.
  package static func resolved(_ path: String) -> String { resolved(absolute(path), links: 40) }

  private static func resolved(_ path: String, links: Int) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    guard let (folder, name) = split(path), links > 0 else { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    let parent = resolved(folder, links: links - 1)
    if count > 0 {
      // A link to a file that isn't there yet.
      let target = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      return resolved(target.hasPrefix("/") ? target : "\(parent)/\(target)", links: links - 1)
    }
    return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
  }

  /// The folder and the last name of an absolute path; `nil` for the root.
  private static func split(_ path: String) -> (folder: String, name: String)? {
    var parts = path.split(exactly: "/").map(String.init)
    guard let name = parts.popLast() else { return nil }
    return ("/" + parts.joined(separator: "/"), name)
  }
}
