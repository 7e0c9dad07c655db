import Foundation
import Messages
import Platform
import Profile
import Storage
import Words

/// `reddot publisher banner reset`: deletes the state of banners: displays, launches and flags.
struct BannerReset: Sendable {
  private let profile: Profile

  init(_ profile: Profile) { self.profile = profile }

  /// An error: no banner with this name has a stored state. Without the error, a misspelled name would look like a
  /// success.
  struct Unknown: UserFacingError, Hashable {
    var name: String
    var source: String?
    /// The banners with a stored state.
    var known: [String]

    var sentence: String {
      let place = source.map { " of \($0)" } ?? ""
      let names =
        known.isEmpty ? "no banner has a state" : "banners: \(known.joined(separator: ", "))"
      return "no state of a banner named \"\(name)\"\(place); \(names)"
    }
  }

  /// Deletes the states of banners.
  ///
  /// - Parameters:
  ///   - name: the banner, or `nil` for every banner.
  ///   - source: the name of a source, or `nil` for all.
  /// - Returns: a line for each deleted state.
  /// - Throws: `Unknown`, `SourceLookup.Failure` or `StoreFailure`; nothing was deleted then.
  func run(name: String?, source: String?) throws -> [String] {
    let id = try source.map { try profile.source(named: $0).id }
    let forgotten = try profile.store.banners.forget(named: name, of: id)
    if forgotten.isEmpty {
      guard let name else { return ["no state was stored"] }
      throw Unknown(name: name, source: source, known: try known(in: id))
    }
    return forgotten.map { "forgot \(SafeOutput.line($0.name)) of \(SafeOutput.line($0.sourceName))" }
  }

  private func known(in source: SourceID?) throws(StoreFailure) -> [String] {
    let sources = source.map { [$0] } ?? profile.sources.filter { $0.kind == .banners }.map(\.id)
    var names: Set<String> = []
    for source in sources { names.formUnion(try profile.store.banners.all(of: source).keys) }
    return Array(names.sorted().prefix(20))
  }
}
