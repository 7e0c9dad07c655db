import Basics
import Foundation
import TestBasics
import Testing

@testable import Hub

/// Documents in every store.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct HubStoreDocumentTests {
  private let start = HubPremises.start

  private func path(_ words: String...) throws -> DocumentPath { try #require(DocumentPath(words)) }

  private func document(
    _ name: String, _ bytes: Data, _ type: DocumentType = .png, at time: Date = HubPremises.start
  ) throws -> HubDocument {
    HubDocument(path: try path(name), type: type, body: bytes, modified: time)
  }

  @Test(arguments: StoreKind.allCases) func aDocumentIsReplacedAndRemoved(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let (ops, later) = (HubPremises.ops, start.addingTimeInterval(60))
    // Every byte value, and no byte at all.
    let first = try document("a", Data(0...255))
    #expect(try await hub.put(first, into: ops, token: 7, address: "192.0.2.1") == .stored)
    #expect(try await hub.document(first.path, of: ops) == first)
    #expect(try await hub.documentHead(first.path, of: ops) == first.head)
    // The same document again keeps its time.
    let again = try document("a", Data(0...255), at: later)
    #expect(try await hub.put(again, into: ops, token: 7, address: nil) == .unchanged)
    #expect(try await hub.document(first.path, of: ops) == first)
    let asText = try document("a", Data(0...255), .plain, at: later)
    #expect(try await hub.put(asText, into: ops, token: 7, address: nil) == .updated)
    let empty = try document("a", Data(), at: later)
    #expect(try await hub.put(empty, into: ops, token: -3, address: "fe80::1%eth0") == .updated)
    #expect(try await hub.document(first.path, of: ops) == empty)
    try await hub.removeDocument(first.path, of: ops, token: nil, address: nil, now: later)
    #expect(try await hub.document(first.path, of: ops) == nil)
    #expect(try await hub.documentHead(first.path, of: ops) == nil)
    await #expect(throws: HubFailure.notFound) {
      try await hub.removeDocument(first.path, of: ops, token: nil, address: nil, now: later)
    }
    let acts = try await hub.audit(since: 0, limit: 100).filter { $0.key == "a" }
    #expect(
      acts.map(\.act) == ["document stored", "document updated", "document updated", "document removed"])
    #expect(acts.map(\.token) == [7, 7, -3, nil])
    #expect(acts.map(\.time) == [start, later, later, later] && acts[0].address == "192.0.2.1")
  }

  @Test(arguments: StoreKind.allCases) func allTogetherHaveALimit(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let bytes = Data(count: Limits.hubDocumentBytes)
    func put(_ number: Int, _ bytes: Data) async throws -> PublishResult.State {
      try await hub.put(try document("\(number).png", bytes), into: HubPremises.ops, token: nil, address: nil)
    }
    let count = Limits.hubDocumentsBytes / Limits.hubDocumentBytes
    for number in 0..<count - 1 { #expect(try await put(number, bytes) == .stored) }
    // If many are stored at the same time, only one gets the last free place.
    let stored = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<4 {
        group.addTask {
          do { return try await put(count + number, bytes) == .stored } catch {
            #expect(error as? HubFailure == .documentsAreFull)
            return false
          }
        }
      }
      return await group.reduce(0) { $1 ? $0 + 1 : $0 }
    }
    #expect(stored == 1)
    await #expect(throws: HubFailure.documentsAreFull) { try await put(-1, Data([1])) }
    // A document that replaces another one needs no free place.
    #expect(try await put(0, Data([1])) == .updated)
    #expect(try await put(-1, Data([1])) == .stored)
  }

  @Test(arguments: StoreKind.allCases) func aDocumentGoesWithItsFeed(_ kind: StoreKind) async throws {
    let premises = try HubPremises(kind)
    let hub = try premises.hub()
    let none = try #require(FeedName("none"))
    let one = try document("a", Data([1]))
    await #expect(throws: HubFailure.notFound) {
      try await hub.put(one, into: none, token: nil, address: nil)
    }
    await #expect(throws: HubFailure.notFound) {
      try await hub.removeDocument(one.path, of: none, token: nil, address: nil, now: start)
    }
    #expect(try await hub.document(one.path, of: none) == nil)
    #expect(try await hub.put(one, into: HubPremises.ops, token: nil, address: nil) == .stored)
    _ = try premises.open().remove(feed: HubPremises.ops)
    #expect(try await hub.document(one.path, of: HubPremises.ops) == nil)
  }
}
