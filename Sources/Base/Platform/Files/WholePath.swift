import Basics
import Foundation

/// Makes paths absolute. Every path is converted once, where it is read, so that later code never gets a relative path
/// or one that looks like a URL.
///
/// SQLite takes a name that begins with `file:` for a URL with options. A lock's name is derived from the database's
/// name, so a database with two names would have two locks.
package enum WholePath {
  /// Returns an absolute path.
  ///
  /// - Parameter path: an absolute path, or one relative to the working directory.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    let folder = FileManager.default.currentDirectoryPath
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }

  /// Returns the path of the file that a path leads to, without links. Neither the file nor its folders need to exist.
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
      // The target of this link may not exist yet.
      let target = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
      return resolved(target.hasPrefix("/") ? target : "\(parent)/\(target)", links: links - 1)
    }
    return parent == "/" ? "/\(name)" : "\(parent)/\(name)"
  }

  /// Returns the folder and the last name of an absolute path, or `nil` for the root.
  private static func split(_ path: String) -> (folder: String, name: String)? {
    var parts = path.split(onBytes: "/").map(String.init)
    guard let name = parts.popLast() else { return nil }
    return ("/" + parts.joined(separator: "/"), name)
  }
}
