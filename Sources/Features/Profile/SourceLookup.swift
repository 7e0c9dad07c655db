import Foundation
package import Messages
import Platform

/// Finds the source, or the folder, that a person named.
package struct SourceLookup: Sendable {
  private let sources: [(source: Source, title: String)]

  /// - Parameter sources: each with what lists call it.
  init(_ sources: [(source: Source, title: String)]) { self.sources = sources }

  /// Why a name names nothing, or too much.
  package struct Failure: UserFacingError, Hashable {
    package var sentence: String
  }

  /// A name or a title; where none is exactly that, one that differs in case and accents.
  package func source(_ text: String) throws(Failure) -> Source {
    if let source = try known(text) { return source }
    if let folder = folder(text) {
      let names = sources.map(\.source).filter { folder.contains($0.folder) }.map { "\"\($0.name)\"" }
      throw Failure(
        sentence: "\"\(text)\" is a folder; give one of its sources: \(names.joined(separator: ", "))")
    }
    throw unknown(text, takesFolders: false)
  }

  /// The same, but nil where nothing has that name.
  package func known(_ text: String) throws(Failure) -> Source? { try find(text) }

  /// A source as above, else a folder.
  package func scope(_ text: String) throws(Failure) -> InboxQuery.Scope {
    if let source = try find(text) { return .source(source.id) }
    if let folder = folder(text) { return .folder(folder) }
    throw unknown(text)
  }

  /// The sources of a name: one, or those of a folder.
  package func sources(_ text: String) throws(Failure) -> [Source] {
    switch try scope(text) {
    case .source(let id): sources.map(\.source).filter { $0.id == id }
    case .folder(let folder): sources.map(\.source).filter { folder.contains($0.folder) }
    case .all, .starred, .snoozed, .dismissed, .hidden, .list: []
    }
  }

  /// The names and titles of all sources.
  var names: [String] { sources.map(\.source.name) + sources.map(\.title) }

  /// The folders that there are, and those around them, in the order of the settings.
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
      return Failure(sentence: "no source is called \"\(text)\"; none is configured yet")
    }
    let names = sources.map(\.source.name)
    // A list that fits in a line or two says more than one guess.
    if names.count <= 8 {
      return Failure(sentence: "no source is called \"\(text)\"; there are \(names.joined(separator: ", "))")
    }
    let meant = NearestName.question(
      text, in: names + sources.map(\.title) + (takesFolders ? folders.map(\.path) : []))
    return Failure(
      sentence: "no source is called \"\(text)\"" + (meant.isEmpty ? ";" : meant)
        + " reddot sources lists them")
  }
}
