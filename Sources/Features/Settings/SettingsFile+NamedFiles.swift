import Basics
import Formats
import Foundation
import Platform

extension SettingsFile {
  /// Returns the absolute paths of the existing files that settings name: programs and their arguments, tokens,
  /// certificates, files that are sources, and the strings in folders of `<language>.lproj`.
  ///
  /// - Parameter text: valid settings.
  package func namedFiles(in text: String) -> [String] {
    var found: [String] = []
    for path in Self.values(in: text).flatMap(paths) where !found.contains(path) { found.append(path) }
    return found
  }

  /// Returns the paths among `paths` that settings name, whether the files exist or not.
  ///
  /// - Parameters:
  ///   - paths: absolute paths.
  ///   - texts: several versions of valid settings.
  package func named(_ paths: [String], in texts: [String]) -> Set<String> {
    let named = Set(texts.flatMap(Self.values).flatMap(candidates))
    return Set(paths.filter { named.contains($0) || Self.folder(withTexts: $0).map(named.contains) == true })
  }

  /// Returns all strings that are values in settings.
  private static func values(in text: String) -> [String] {
    // Valid settings can be parsed.
    guard let document = try? TOMLDocument(text) else { return [] }
    var texts: [String] = []
    collect(.table(document.root), into: &texts)
    return texts
  }

  private static func collect(_ value: TOMLValue, into texts: inout [String]) {
    if let text = value.string { texts.append(text) }
    value.array?.forEach { collect($0, into: &texts) }
    value.table?.values.forEach { collect($0, into: &texts) }
  }

  /// Returns the possible paths in a string, which may be a path, or a command with paths in it.
  private func candidates(in text: String) -> [String] {
    let words = text.split { $0.isWhitespace || "\"'`;&|<>()=".contains($0) }.map(String.init)
    return ([text] + words).compactMap(path)
  }

  /// Returns the paths of the existing files that a string names.
  private func paths(in text: String) -> [String] {
    candidates(in: text).flatMap { path -> [String] in
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return [] }
      return isFolder.boolValue ? Self.texts(in: path) : [path]
    }
  }

  /// Returns the absolute path for a word, or `nil` if the word is not a path.
  private func path(_ word: String) -> String? {
    var word = Directories.expandingHome(word, home: home)
    if word.hasPrefix("file://") { word = URL(string: word)?.path ?? "" }
    guard word.contains("/"), !word.contains("://"), !word.utf8.contains(0) else { return nil }
    // Programs run in the folder of the settings.
    let folder = URL(fileURLWithPath: ReplacedFile.folder(of: path), isDirectory: true)
    return URL(fileURLWithPath: word, relativeTo: folder).standardizedFileURL.path
  }

  /// Returns the paths of the existing files `<language>.lproj/Localizable.strings` in a folder.
  private static func texts(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".lproj") }.sorted().map { "\(folder)/\($0)/Localizable.strings" }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }

  /// Returns the folder that contains the `.lproj` folder of a translation's path, or `nil` for other paths.
  private static func folder(withTexts path: String) -> String? {
    let parts = path.split(onBytes: "/")
    guard parts.count > 2, parts.last == "Localizable.strings", parts[parts.count - 2].hasSuffix(".lproj")
    else {
      return nil
    }
    return "/" + parts.dropLast(2).joined(separator: "/")
  }
}
