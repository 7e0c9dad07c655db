import Foundation
package import Messages
import Platform

/// Finds the source, or the folder, with a name that the user typed.
package struct SourceLookup: Sendable {
  private let sources: [(source: Source, title: String)]

  /// - Parameter sources: the sources with their titles in lists.
  init(_ sources: [(source: Source, title: String)]) { self.sources = sources }

  /// An error that explains why a name matches no source, or several.
  package struct Failure: UserFacingError, Hashable {
    package var sentence: String
  }

  /// Returns the source with a name or a title. If none matches exactly, case and accents are ignored.
  package func source(_ text: String) throws(Failure) -> Source {
    if let source = try known(text) { return source }
    if let folder = folder(text) {
      let names = sources.map(\.source).filter { folder.contains($0.folder) }.map { "\"\($0.name)\"" }
      throw Failure(
        sentence: "\"\(text)\" is a folder; give one of its sources: \(names.joined(separator: ", "))")
    }
    throw unknown(text, takesFolders: false)
  }

  /// Returns the source with a name or a title, or `nil` if there is none.
  package func known(_ text: String) throws(Failure) -> Source? { try find(text) }

  /// Returns the source with a name or a title, or the folder with the name if there is no such source.
  package func scope(_ text: String) throws(Failure) -> InboxQuery.Scope {
    if let source = try find(text) { return .source(source.id) }
    if let folder = folder(text) { return .folder(folder) }
    throw unknown(text)
  }

  /// Returns the source with a name, or the sources of the folder with the name.
  package func sources(_ text: String) throws(Failure) -> [Source] {
    switch try scope(text) {
    case .source(let id): sources.map(\.source).filter { $0.id == id }
    case .folder(let folder): sources.map(\.source).filter { folder.contains($0.folder) }
    case .all, .starred, .snoozed, .dismissed, .hidden, .waiting, .list: []
    }
  }

  /// The names and titles of all sources.
  var names: [String] { sources.map(\.source.name) + sources.map(\.title) }

  /// The folders of the sources, and the folders that contain these, in the order of the settings.
  package var folders: [Folder] {
    var folders: [Folder] = []
    for source in sources {
      for folder in source.source.folder?.chain ?? [] where !folders.contains(folder) {
        folders.append(folder)
      }
    }
    return folders
  }

  private func folder(_ text: String) -> Folder? {
    guard let wish = Folder(text) else { return nil }
    let folders = folders
    return folders.first { $0 == wish }
      ?? folders.first { SearchText.folded($0.path) == SearchText.folded(wish.path) }
  }

  private func find(_ text: String) throws(Failure) -> Source? {
    let ways: [(Source, String) -> Bool] = [
      { source, _ in source.name == text }, { _, title in title == text },
      { source, _ in SearchText.folded(source.name) == SearchText.folded(text) },
      { _, title in SearchText.folded(title) == SearchText.folded(text) },
    ]
    for way in ways {
      let found = sources.filter { way($0.source, $0.title) }
      if found.count == 1 { return found[0].source }
      if found.count > 1 {
        let names = found.map { "\"\($0.source.name)\"" }.joined(separator: ", ")
        throw Failure(sentence: "\"\(text)\" may be \(names); give one of these names")
      }
    }
    return nil
  }

  private func unknown(_ text: String, takesFolders: Bool = true) -> Failure {
    guard !sources.isEmpty else {
      return Failure(sentence: "no source named \"\(text)\"; run reddot add to add the first source")
    }
    let names = sources.map(\.source.name)
    // A list that fits in a line or two helps more than one guess.
    if names.count <= 8 {
      return Failure(sentence: "no source named \"\(text)\"; sources: \(names.joined(separator: ", "))")
    }
    let meant = NearestName.question(
      text, in: names + sources.map(\.title) + (takesFolders ? folders.map(\.path) : []))
    return Failure(
      sentence: "no source named \"\(text)\"" + (meant.isEmpty ? ";" : meant)
        + " reddot sources lists them")
  }
}
