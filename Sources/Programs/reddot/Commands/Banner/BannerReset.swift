import Foundation
import Messages
import Platform
import Storage
package import Workspace

/// `reddot banner reset`: deletes the state of banners: displays, launches and flags.
package struct BannerReset: Sendable {
  private let workspace: Workspace

  package init(_ workspace: Workspace) { self.workspace = workspace }

  /// There is no such state. A misspelled name must not look like a success.
  package struct Unknown: UserFacingError, Hashable {
    package var name: String
    package var source: String?
    /// The banners with a stored state.
    package var known: [String]

    package var sentence: String {
      let place = source.map { " of \($0)" } ?? ""
      let names =
        known.isEmpty ? "nothing is remembered of any" : "there are \(known.joined(separator: ", "))"
      return "nothing is remembered of a banner \"\(name)\"\(place); \(names)"
    }
  }

  /// - Parameters:
  ///   - name: nil means every banner.
  ///   - source: the name of a source; nil means of all.
  /// - Returns: a line for each deleted state.
  /// - Throws: `Unknown`, `SourceLookup.Failure` or `StoreFailure`; then nothing was deleted.
  package func run(name: String?, source: String?) throws -> [String] {
    let id = try source.map { try workspace.source(named: $0).id }
    let forgotten = try workspace.store.banners.forget(named: name, of: id)
    if forgotten.isEmpty {
      guard let name else { return ["nothing was remembered"] }
      throw Unknown(name: name, source: source, known: try known(in: id))
    }
    return forgotten.map { "forgot \(SafeOutput.line($0.name)) of \(SafeOutput.line($0.sourceName))" }
  }

  private func known(in source: SourceID?) throws(StoreFailure) -> [String] {
    let sources = source.map { [$0] } ?? workspace.sources.filter { $0.kind == .banners }.map(\.id)
    var names: Set<String> = []
    for source in sources { names.formUnion(try workspace.store.banners.all(of: source).keys) }
    return Array(names.sorted().prefix(20))
  }
}
