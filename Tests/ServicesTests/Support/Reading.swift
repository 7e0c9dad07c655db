import Basics
import Foundation
import HTTP
import Messages
import Services
import Testing

/// Returns the messages of one response with a service's list.
func read(_ kind: SourceKind, _ answer: String, address: String = "https://service.example") -> Inspection {
  Inspector.inspect(Data(answer.utf8), kind: kind, address: address, context: PollContext(now: now))
}

/// Returns the only message of one element of a list.
func readOne(_ kind: SourceKind, _ element: String) throws -> IncomingMessage {
  let inspection = read(kind, "[\(element)]")
  #expect(inspection.problems == [])
  #expect(inspection.format == kind.rawValue)
  return try #require(inspection.messages.first)
}

/// Returns a source of a service, and a context with the token for its server.
func service(_ kind: SourceKind, _ address: String) throws -> (source: Source, context: PollContext) {
  let facts = try #require(SourceAdapters.facts(of: kind))
  var source = source(address, kind)
  source.settings.writableMarks = facts.writableMarks
  let credential = Credential.configured(
    facts.scheme, token: "tk", user: facts.needsUser ? "ann" : nil,
    address: SourceAdapters.address(of: address, kind: kind))
  return (source, PollContext(now: now, credential: credential))
}

/// Sends acts with a script of requests.
func carry(
  _ kind: SourceKind, _ address: String, _ acts: [OutgoingAct], _ exchanges: Exchange...
) async throws -> WriteBackResult {
  let (source, context) = try service(kind, address)
  return try await ScriptedTransport.run(exchanges) { transport in
    try #require(await SourceAdapters(transport: transport).carry(acts, of: source, context: context))
  }
}

func act(_ number: Int, _ id: String, _ mark: OutgoingMark, handle: String? = nil) -> OutgoingAct {
  OutgoingAct(
    id: OutgoingID(Int64(number)), message: MessageID(Int64(number)), remoteID: RemoteID(id), mark: mark,
    made: now, handle: handle)
}
