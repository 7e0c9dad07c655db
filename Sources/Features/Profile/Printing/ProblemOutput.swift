package import Basics
package import Formats
import Foundation
package import Messages
import Platform
import Words

extension JSONObject {
  /// Creates an object with members in this order.
  package init(pairs: [(String, JSONValue)]) { self.init(pairs.map { Member(key: $0.0, value: $0.1) }) }
}

extension FormatProblem {
  /// The problem as one line, `at: message`, sanitized.
  package var line: String { SafeOutput.line(at.isEmpty ? message : "\(at): \(message)") }
}

extension [FormatProblem] {
  /// Returns one sentence about the number of entries that could not be read, with the first reason, or `nil` if
  /// nothing was left out. Every command that prints or adds entries uses it.
  ///
  /// - Parameters:
  ///   - source: the source whose problems `reddot why` lists.
  ///   - document: the name of the file that was read.
  package func leftOutSentence(of source: String, document: String? = nil) -> String? {
    guard let first = first(where: { $0.leftOut > 0 }) else { return nil }
    let count = leftOut == 1 ? "1 entry was left out" : "\(leftOut) entries were left out"
    let place = [document, first.at.isEmpty ? nil : first.at].compactMap(\.self).joined(separator: ":")
    let list = self.count > 1 ? "; reddot why \(ShellWord.quoted(source)) lists all problems" : ""
    return SafeOutput.line(
      place.isEmpty ? "\(count): \(first.message)\(list)" : "\(count): \(place): \(first.message)\(list)")
  }
}

extension Source {
  /// The name of the source's file, or `nil` if the source is a folder or not on this machine.
  package var fileName: String? {
    guard let url = URL(string: self.address), url.isFileURL else { return nil }
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    return isThere && !isFolder.boolValue ? url.lastPathComponent : nil
  }
}
