import Basics
import Formats
import Foundation
import Messages
import Platform
import Profile
import Settings
import Storage

/// A banner that is to be shown, with the source or file that it is from.
struct BannerCandidate: Sendable {
  /// The origin of a banner.
  enum Origin: Hashable, Sendable {
    /// A banner of a source, whose state and flags are stored.
    case source(SourceID, name: String)
    /// A banner of a file that a publisher tests. Its state and flags are not stored.
    case given(name: String)

    var name: String {
      switch self {
      case .source(_, let name), .given(let name): name
      }
    }
  }

  var origin: Origin
  var banner: ControlFile.Banner

  /// The source for which the banner's state is stored, or `nil` if nothing is stored.
  var source: SourceID? {
    if case .source(let id, _) = origin { id } else { nil }
  }
}

/// Judges the stored control file of a source, once in a session: counts the launch, then chooses the banner to show.
struct BannerJudgement: Sendable {
  var profile: Profile
  var route: DefaultRoute
  /// The timeout of an `app_version_command`.
  var versionTime = Limits.versionTime

  /// The result of judging a source's control file.
  struct Result: Sendable {
    /// The banner to show, or `nil` for none.
    var candidate: BannerCandidate?
    /// The control file, or `nil` if no valid one is stored. No launch is counted then.
    var file: ControlFile?
    /// The reason why `app_version_command` failed, or `nil` if it did not, or wasn't needed.
    var versionFailure: String?
  }

  /// Counts the launch and judges the source's banners.
  func run(_ source: Source) async throws(StoreFailure) -> Result {
    let id = source.id
    let copy = try await profile.store.inBackground { store throws(StoreFailure) in
      try store.documents.goodCopy(of: id)
    }
    guard let copy, let file = Self.read(copy.bytes) else { return Result() }
    let version = await AppVersion(profile, deadline: versionTime).resolve(source)
    let names = file.banners.map(\.name)
    let now = profile.environment.now()
    let (states, features) = try await profile.store.inBackground { store throws(StoreFailure) in
      (try store.banners.countLaunch(of: names, in: id, at: now), try store.features.all(at: now))
    }
    let environment = BannerEnvironment(
      now: now, isOnWifi: route.isWifi, appVersion: version.text,
      osVersion: profile.settings.osVersion ?? SystemVersion.current,
      features: Set(features.filter(\.isEnabled).map(\.name)))
    let shown = BannerJudge.judge(file, states: states, in: environment).shown
    let banner = file.banners.first { $0.name.utf8.elementsEqual((shown ?? "").utf8) }
    let candidate =
      shown == nil ? nil : banner.map { BannerCandidate(origin: .source(id, name: source.name), banner: $0) }
    return Result(candidate: candidate, file: file, versionFailure: version.failure)
  }

  /// Reads a stored control file. This does not fail, because only valid files are stored.
  private static func read(_ bytes: Data) -> ControlFile? {
    do throws(JSONFailure) {
      return try ControlFileReader.read(bytes)
    } catch {
      return nil
    }
  }
}
