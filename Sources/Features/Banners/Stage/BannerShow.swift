import Formats
import Foundation
package import Platform
import Profile

/// A banner that is shown without judging its conditions, so that its publisher can test it.
package struct BannerShow: Sendable {
  let candidate: BannerCandidate
  /// The problems of the banner, one line for each. The banner can be shown anyway.
  package var problems: [String] { candidate.banner.problems.map(\.line) }

  /// Reads a control file, and chooses the banner to show.
  ///
  /// - Parameters:
  ///   - target: a URL, a path, or `-` for standard input.
  ///   - banner: the banner's name, or `nil` for the first banner whose entry names a view.
  ///   - config: the path of the settings, or `nil` for the XDG path.
  /// - Throws: `FetchFailure`, or a `UserFacingError`.
  package static func load(
    _ target: String, banner: String?, config: String?, environment: Environment
  ) async throws -> BannerShow {
    let settings = try environment.settings(config: config)
    let given = GivenControlFile(target: target, environment: environment, settings: settings)
    return try BannerShow(try await given.read(), banner: banner, name: GivenFile.name(of: target))
  }

  /// Chooses the banner with a name, or the first banner that can be shown.
  ///
  /// - Parameter name: the file's name in error messages.
  init(_ file: ControlFile, banner: String?, name: String) throws(Refusal) {
    let whole = file.banners.filter { $0.entry.flatMap($0.view) != nil }
    guard let banner else {
      guard let first = whole.first else { throw .none(file: name) }
      candidate = BannerCandidate(origin: .given(name: name), banner: first)
      return
    }
    guard let named = file.banners.first(where: { $0.name.utf8.elementsEqual(banner.utf8) }) else {
      throw .unknown(banner: banner, file: name, known: file.banners.map(\.name))
    }
    guard named.entry.flatMap(named.view) != nil else { throw .noView(banner: banner, file: name) }
    candidate = BannerCandidate(origin: .given(name: name), banner: named)
  }

  /// The reason why no banner of the file can be shown.
  package enum Refusal: UserFacingError, Hashable {
    case none(file: String)
    case unknown(banner: String, file: String, known: [String])
    case noView(banner: String, file: String)

    package var sentence: String {
      switch self {
      case .none(let file):
        "\(file) contains no banner whose entry names a view; run reddot publisher banner explain to see the reason"
      case .unknown(let banner, let file, let known):
        "\(file) contains no banner named \"\(banner)\"; "
          + (known.isEmpty ? "it has no banners" : "banners: \(known.prefix(20).joined(separator: ", "))")
      case .noView(let banner, let file): "\(file): the entry of \"\(banner)\" names no view of it"
      }
    }
  }
}
