import Foundation
import Messages
import Storage

/// The settings file on disk: read whole, appended to, and edited without touching what a person wrote.
package struct SettingsFile: Sendable {
  package var path: String
  package var home: String

  package init(path: String, home: String) {
    self.path = path
    self.home = home
  }

  /// Why the file could not be read or written.
  package struct Failure: Error, Sendable {
    package var path: String
    package var reason: String
  }

  /// The settings, or the defaults where there is no file yet.
  ///
  /// - Throws: `SettingsMistakes`, or `Failure` where the file cannot be read.
  package func load() throws -> Settings {
    guard let text = try text() else { return Settings() }
    return try reader().read(text)
  }

  /// Appends sources and keeps all that stands in the file, comments included.
  ///
  /// - Parameter sources: for each the TOML lines of its `[[source]]` table, the header not included.
  package func append(sources: [[String]]) throws {
    guard !sources.isEmpty else { return }
    var text = try text() ?? ""
    if !text.isEmpty, !text.hasSuffix("\n") { text += "\n" }
    for lines in sources {
      if !text.isEmpty { text += "\n" }
      text += "[[source]]\n" + lines.joined(separator: "\n") + "\n"
    }
    // Nothing is written that could not be read again.
    _ = try reader().read(text)
    try write(text)
  }

  /// Removes the `[[source]]` of a name, with its sub-tables; comments before the next table stay.
  ///
  /// - Returns: false where no source has the name.
  package func removeSource(named name: String) throws -> Bool {
    guard let text = try text() else { return false }
    let before = try reader().read(text)
    guard let index = before.sources.firstIndex(where: { $0.name == name }) else { return false }
    let path = "source[\(index)]"
    let blocks = SettingsLines(text).blocks.filter { $0.path == path || $0.path.hasPrefix("\(path).") }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for block in blocks.sorted(by: { $0.header > $1.header }) {
      lines.removeSubrange(block.header - 1..<block.last)
    }
    let shorter = lines.joined(separator: "\n")
    let after = try reader().read(shorter)
    guard after.sources.map(\.source) == before.sources.map(\.source).filter({ $0.name != name }) else {
      throw Failure(
        path: path,
        reason: "the source \"\(name)\" is written in a way that only you can edit: remove it there")
    }
    try write(shorter)
    return true
  }

  private func text() throws -> String? {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      return nil
    } catch {
      throw Failure(path: path, reason: "cannot be read: \(SystemReason.words(error))")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure(path: path, reason: "is not UTF-8 text")
    }
    return text
  }

  private func reader() -> SettingsReader {
    // A file that is not there yet will be made for its owner alone.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    let mode = attributes?[.posixPermissions] as? NSNumber
    return SettingsReader(
      file: path, home: home, isReadableByOthers: mode.map { $0.intValue & 0o077 != 0 } ?? false)
  }

  /// Writes beside the file and renames, so that a crash leaves the old file or the new one. A link to a file
  /// kept elsewhere (dotfiles) stays a link.
  private func write(_ text: String) throws {
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    do {
      let manager = FileManager.default
      try manager.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let mode = try? manager.attributesOfItem(atPath: target.path)[.posixPermissions]
      try Data(text.utf8).write(to: target, options: .atomic)
      try manager.setAttributes([.posixPermissions: mode ?? 0o600], ofItemAtPath: target.path)
    } catch {
      throw Failure(path: path, reason: "cannot be written: \(SystemReason.words(error))")
    }
  }
}

/// A TOML value for text: a basic string with what must be escaped (TOML 1.0, section String).
package enum TOMLText {
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 32 || scalar.value == 127:
        result += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
