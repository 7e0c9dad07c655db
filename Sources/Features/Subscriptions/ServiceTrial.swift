import Foundation
import HTTP
package import Messages
import Platform
package import Profile
import Services
import Settings
import Storage

/// Polls a service as its first poll would, without storing anything.
struct ServiceTrial {
  let environment: Environment
  let settings: Settings

  /// The content of the last part, the permission that the token lacks if that was checked, and all parts.
  typealias Answer = (content: PollContent, missing: MissingScope?, parts: [PollOutcome])

  /// Polls a service.
  ///
  /// - Parameter checksScope: whether the permissions of the token are also requested.
  /// - Throws: `FetchFailure`.
  func poll(
    _ entry: SourceEntry, checksScope: Bool = false
  ) async throws -> Answer {
    let source = entry.source.source(id: Source.unregistered)
    guard let facts = SourceAdapters.facts(of: source.kind) else {
      throw FetchFailure.invalidAddress(source.address)
    }
    var token: String?
    if let origin = entry.credential {
      do {
        token = try await Credentials(environment: environment.variables, programs: environment.programs)
          .token(from: origin, within: entry.tokenTimeout)
      } catch {
        throw FetchFailure.credentials(reason: error.reason)
      }
    }
    var context = PollContext(now: environment.now(), language: environment.language ?? "en")
    context.connectTimeout = entry.connectTimeout
    context.credential = .configured(facts.scheme, token: token, user: entry.user, address: source.address)
    let transport = LiveTransport(environment.transportOptions(settings))
    let adapters = SourceAdapters(transport: transport)
    let parts = await WorkThreads().run { [context] in
      await adapters.firstParts(of: source, context: context)
    }
    let outcome = parts.last
    var missing: MissingScope?
    if checksScope, outcome.map({ if case .failed = $0 { false } else { true } }) ?? true {
      missing = await adapters.missingScope(of: source, context: context)
    }
    await transport.shutdown()
    switch outcome {
    case .content(let content, _)?: return (content, missing, parts)
    case .notModified?, nil: return (PollContent(messages: []), missing, parts)
    case .failed(let failure, _)?: throw failure
    }
  }
}

extension FetchFailure {
  /// Whether the connection failed, so that another server on the same host may be reachable.
  var isOfConnection: Bool {
    switch self {
    case .refused, .unreachable, .tls, .timedOut, .cutOff: true
    case _: false
    }
  }
}

extension Examiner {
  /// Polls a service as a first poll would, and returns the output of `reddot inspect`.
  ///
  /// - Parameter target: the name of a source in the settings, which is polled with its token, or the address of a
  ///   service whose `kind` is given.
  /// - Returns: `nil` if the target is neither.
  /// - Throws: `FetchFailure`.
  package func report(
    service target: String, kind: SourceKind?, in profile: @autoclosure () throws -> Profile, asJSON: Bool
  ) async throws -> Report? {
    guard let entry = try entry(target, kind, profile) else { return nil }
    let content = try await ServiceTrial(environment: environment, settings: try settings()).poll(entry)
      .content
    let inspection = Inspection(of: content, kind: entry.source.kind)
    let text = asJSON ? inspection.json(at: environment.now()) : inspection.text(environment)
    return Report(text: text, isKnown: true)
  }

  /// Returns the entry of a service to be polled, or `nil` if the target is no service.
  private func entry(
    _ target: String, _ kind: SourceKind?, _ profile: () throws -> Profile
  ) throws -> SourceEntry? {
    if let address = SourceAddress.normalized(target, home: environment.home) {
      guard let kind, SourceAdapters.facts(of: kind) != nil, !address.hasPrefix("file:") else { return nil }
      let api = SourceAdapters.address(of: address, kind: kind)
      return SourceEntry(source: ConfiguredSource(name: kind.rawValue, kind: kind, address: api))
    }
    // A file may have the name of a source.
    guard !FileManager.default.fileExists(atPath: target), target != "-" else { return nil }
    return try profile().settings.sources.first {
      $0.name == target && SourceAdapters.facts(of: $0.source.kind) != nil
    }
  }
}
