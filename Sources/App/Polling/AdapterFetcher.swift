import Formats
import Foundation
import Interface
package import Messages
import Polling
import Screen
import Services
import Storage
import Transport

/// The poller's way out: the adapter of each source's kind, with the source's credential.
package actor AdapterFetcher: PollFetching {
  private let transport: LiveTransport
  private let adapters: SourceAdapters
  private let credentials: Credentials
  private let surroundings: Surroundings
  private let installed: Date
  private var origins: [String: CredentialOrigin]
  private var language: String
  private var words: Words

  package init(_ workspace: Workspace) {
    surroundings = workspace.surroundings
    transport = LiveTransport(workspace.surroundings.transportOptions)
    adapters = SourceAdapters(transport: transport)
    credentials = Credentials(environment: workspace.surroundings.environment)
    installed = (try? workspace.store.installed()) ?? workspace.surroundings.now()
    origins = Self.origins(workspace)
    language = workspace.language
    words = workspace.words
  }

  /// The settings changed.
  package func sourcesChanged(_ workspace: Workspace) {
    origins = Self.origins(workspace)
    language = workspace.language
    words = workspace.words
  }

  package func shutDown() async { await transport.shutdown() }

  package func poll(_ source: Source, from position: PollPosition) async -> PollOutcome {
    if source.kind == .schedule {
      let words = words
      let adapter = ScheduleAdapter(
        surroundings: surroundings, installed: installed, language: words.language,
        missedBefore: { words.count(.missedBefore, $0).text })
      return adapter.poll(source, from: position)
    }
    guard let adapter = adapters.adapter(for: source.kind) else {
      return .failed(.file(path: source.address, reason: "sources of this kind are not polled"), PollHints())
    }
    var context = PollContext(now: surroundings.now(), language: language, installed: installed)
    if let origin = origins[source.name] {
      do throws(Credentials.Failure) {
        context.credential = .bearer(try credentials.token(from: origin))
      } catch {
        return .failed(.credentials(reason: error.reason), PollHints())
      }
    }
    return await adapter.poll(source, position: position, context: context)
  }

  private static func origins(_ workspace: Workspace) -> [String: CredentialOrigin] {
    Dictionary(
      workspace.settings.sources.compactMap { source in source.credential.map { (source.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}

extension Surroundings {
  var transportOptions: LiveTransport.Options {
    var options = LiveTransport.Options(version: version, now: now)
    options.proxies = ProxySettings(environment: environment)
    return options
  }
}
