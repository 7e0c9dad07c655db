import Foundation
import Messages
import Services
import Testing

/// 2026-11-20T09:00:00Z.
let now = Date(timeIntervalSince1970: 1_795_165_200)

func source(_ address: String = "http://feeds.example/a", _ kind: SourceKind = .feed) -> Source {
  Source(id: SourceID(1), name: "a", kind: kind, address: address)
}

func poll(
  _ source: Source, from position: PollPosition = PollPosition(),
  context: PollContext = PollContext(now: now), spoolFolder: String? = nil,
  _ exchanges: [Exchange]
) async throws -> PollOutcome {
  try await ScriptedTransport.run(exchanges) { transport in
    let adapters = SourceAdapters(transport: transport, spoolFolder: spoolFolder)
    let adapter = try #require(adapters.adapter(for: source.kind))
    return await adapter.poll(source, position: position, context: context)
  }
}

extension PollOutcome {
  var content: PollContent? {
    if case .content(let content, _) = self { content } else { nil }
  }

  var failure: FetchFailure? {
    if case .failed(let failure, _) = self { failure } else { nil }
  }

  var notModified: PollPosition? {
    if case .notModified(let position, _) = self { position } else { nil }
  }
}
