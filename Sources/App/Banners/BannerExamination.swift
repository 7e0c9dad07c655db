import Banners
package import Formats
package import Foundation
import Messages
import Services
package import Storage
import Transport

/// Fetches a control file and judges it as an inbox would that opened now; nothing is stored, and no launch is
/// counted.
package struct BannerExamination: Sendable {
  package var surroundings: Surroundings
  package var settings: Settings
  /// nil where there is no database yet.
  package var store: Store?
  /// What stands in place of the truth.
  package var now: Date?
  package var isOnWifi: Bool?
  package var appVersion: String?
  package var osVersion: String?
  /// A file of states.
  package var stateFile: String?

  /// - Parameters:
  ///   - config, database: override the XDG paths; no database is made.
  package init(config: String?, database: String?, surroundings: Surroundings) throws {
    self.surroundings = surroundings
    settings = try SettingsFile(
      path: config ?? surroundings.directories.settingsFile, home: surroundings.home
    ).load()
    store = try surroundings.existingStore(database)
  }

  /// - Parameter target: an address, a path, or `-` for standard input.
  /// - Throws: `FetchFailure`, or a failure that has a sentence.
  package func explain(_ target: String) async throws -> BannerExplanation {
    let file = try Self.controlFile(try await bytes(of: target), name: GivenFile.name(of: target))
    var states: [String: BannerState] = [:]
    if let stateFile {
      let bytes = try GivenFile.read(stateFile)
      do {
        states = try BannerStates.read(bytes)
      } catch let failure as JSONFailure {
        throw GivenFile.Failure(name: GivenFile.name(of: stateFile), failure)
      }
    }
    let features = try store?.features().filter(\.isEnabled).map(\.name) ?? []
    let world = BannerSurroundings(
      now: now ?? surroundings.now(), isOnWifi: isOnWifi ?? DefaultRoute().isWifi,
      appVersion: appVersion ?? configuredAppVersion(target) ?? surroundings.version,
      osVersion: osVersion ?? settings.osVersion ?? SystemVersion.current, features: Set(features))
    return BannerExplanation(file, states: states, in: world)
  }

  /// - Throws: where the bytes are no control file at all.
  package static func controlFile(_ bytes: Data, name: String) throws(GivenFile.Failure) -> ControlFile {
    let file: ControlFile
    do throws(JSONFailure) {
      file = try ControlFileReader.read(bytes)
    } catch {
      throw GivenFile.Failure(name: name, error)
    }
    if let problem = file.problems.first {
      throw GivenFile.Failure(name: name, reason: "\(problem.at) \(problem.message)")
    }
    return file
  }

  /// The `app_version` of the source whose control file this is.
  private func configuredAppVersion(_ target: String) -> String? {
    let address = address(of: target)
    return settings.sources.first { $0.source.kind == .banners && $0.source.address == address }?
      .source.appVersion
  }

  private func address(of target: String) -> String {
    SourceAddress.normalized(target, home: surroundings.home) ?? URL(fileURLWithPath: target).absoluteString
  }

  private func bytes(of target: String) async throws -> Data {
    if target == "-" { return try GivenFile.read(target) }
    let address = address(of: target)
    if let url = URL(string: address), url.isFileURL { return try GivenFile.read(url.path) }
    let transport = LiveTransport(surroundings.transportOptions)
    let source = Source(id: SourceID(0), name: "", kind: .banners, address: address)
    let answer = await Fetcher(transport: transport).fetch(
      source, position: PollPosition(), accept: "application/json, */*;q=0.5",
      context: PollContext(now: surroundings.now()))
    await transport.shutdown()
    switch answer {
    case .document(let document): return document.bytes
    case .failed(let failure, _): throw failure
    case .notModified: throw FetchFailure.malformed(line: nil, reason: "304 without having been asked")
    }
  }
}
