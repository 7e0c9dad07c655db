import Banners
import Formats
import Foundation
import Messages
import Platform
import Profile
import Settings
import Storage

/// Fetches a control file and judges it as if the inbox opened now; nothing is stored, and no launch is
/// counted.
struct BannerExamination: Sendable {
  var environment: Environment
  var settings: Settings
  /// The store, or `nil` if there is no database yet.
  var store: Store?
  /// The time, the network and the versions that are used instead of the real ones; `nil` uses the real one.
  var now: Date?
  var isOnWifi: Bool?
  var appVersion: String?
  var osVersion: String?
  /// The path of a file of states.
  var stateFile: String?

  /// - Parameters:
  ///   - config, database: paths that override the XDG paths; no database is created.
  init(config: String?, database: String?, environment: Environment) throws {
    self.environment = environment
    settings = try environment.settings(config: config)
    store = try environment.existingStore(database)
  }

  /// Judges the banners of a control file.
  ///
  /// - Parameter target: a URL, a path, or `-` for standard input.
  /// - Throws: `FetchFailure`, or a `UserFacingError`.
  func explain(_ target: String) async throws -> BannerExplanation {
    let given = GivenControlFile(target: target, environment: environment, settings: settings)
    let file = try await given.read()
    return try explanation(of: file, from: given.address)
  }

  private func explanation(of file: ControlFile, from address: String) throws -> BannerExplanation {
    let now = now ?? environment.now()
    let features = try store?.features.all(at: now).filter(\.isEnabled).map(\.name) ?? []
    let world = BannerEnvironment(
      now: now, isOnWifi: isOnWifi ?? DefaultRoute().isWifi,
      appVersion: appVersion ?? configuredAppVersion(address) ?? environment.version,
      osVersion: osVersion ?? settings.osVersion ?? SystemVersion.current, features: Set(features))
    return BannerExplanation(file, states: try states(), in: world)
  }

  private func states() throws -> [String: BannerState] {
    guard let stateFile else { return [:] }
    let bytes = try GivenFile.read(stateFile)
    do {
      return try BannerStates.read(bytes)
    } catch let failure as JSONFailure {
      throw GivenFile.Failure(name: GivenFile.name(of: stateFile), failure)
    }
  }

  /// Returns the `app_version` of the source with this control file.
  private func configuredAppVersion(_ address: String) -> String? {
    settings.sources.first { $0.source.kind == .banners && $0.source.address == address }?.source.appVersion
  }
}
