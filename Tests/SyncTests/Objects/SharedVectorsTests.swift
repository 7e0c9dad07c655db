import Basics
import Foundation
import TestBasics
import Testing

@testable import Sync

/// The objects of the contract, with their keys and contents. They are not part of the project: they are in
/// `sync/vectors.json` in the folder `shared` next to it.
@Suite(
  .enabled(
    if: SharedVectors.isThere, "skipped: there is no ../shared/sync/vectors.json beside the project"))
struct SharedVectorsTests {
  private let vectors: SharedVectors
  private let key: SyncKey

  init() throws {
    vectors = try SharedVectors.read()
    key = try #require(SyncKey(fileText: vectors.master_key))
  }

  @Test func keysAreReadAndWritten() throws {
    #expect(key.text == vectors.key_text)
    #expect(try SyncKey(text: vectors.key_text) == key)
    for text in vectors.key_texts_accepted { #expect(try SyncKey(text: text) == key) }
    for text in vectors.key_texts_refused {
      #expect(throws: SyncKey.ParseFailure.self) { try SyncKey(text: text) }
    }
  }

  @Test func namesAreThose() {
    for source in vectors.source_uids {
      if let name = source.shared { #expect(WireUID(shared: name).bytes.hex == source.uid) }
      if let name = source.sync_as { #expect(WireUID(syncAs: name).bytes.hex == source.uid) }
    }
    for message in vectors.message_keys {
      #expect(Act.Target.key(ofRemoteID: message.remote_id) == UInt64(message.key, radix: 16))
    }
    for occasion in vectors.occasions {
      let found =
        occasion.occasion.map(Act.Target.occasion(of:))
        ?? occasion.content_hash.flatMap { UInt64($0, radix: 16) }.map(Act.Target.occasion(ofContentHash:))
      #expect(found == UInt64(occasion.bytes, radix: 16))
    }
  }

  @Test func objectsOpen() throws {
    #expect(!vectors.objects.isEmpty)
    for object in vectors.objects {
      let name = try #require(ObjectName(path: object.path))
      #expect(name.path == object.path)
      let bytes = try SharedVectors.bytes(object.object)
      let payload = try SharedVectors.bytes(object.payload)
      #expect(
        SealedObject.derivedKey(key, salt: Array(bytes[40..<56])).hex == object.derived_key, "\(object.name)")
      #expect(try SealedObject.open(bytes, name: name, key: key) == payload, "\(object.name)")
      let again = try SealedObject.seal(payload, name: name, key: key)
      #expect(try SealedObject.open(again, name: name, key: key) == payload, "\(object.name)")
    }
  }

  @Test func payloadsAreTheActs() throws {
    for object in vectors.objects {
      let name = try #require(ObjectName(path: object.path))
      let payload = try SharedVectors.bytes(object.payload)
      let (head, acts) = try Payload.decode(payload, of: name)
      #expect(head.level == 1)
      #expect(head.written == object.decoded.written)
      #expect(head.machine == object.decoded.machine)
      #expect(head.program == object.decoded.program)
      #expect(try acts.map(\.act) == object.decoded.acts.map { try $0.act() }, "\(object.name)")
      for (read, act) in zip(acts, object.decoded.acts) { #expect(read.isPartial == act.isPartial) }
      if acts.allSatisfy({ !$0.isPartial }) {
        #expect(Payload.encode(head, acts: acts.map { ActCodec.encode($0.act) }) == payload, "\(object.name)")
      }
    }
  }

  @Test func theOthersAreRefused() throws {
    let original = try #require(
      vectors.objects.first { $0.name == "one read" }.flatMap { ObjectName(path: $0.path) })
    #expect(!vectors.refused.isEmpty)
    for refused in vectors.refused {
      let bytes = try SharedVectors.bytes(refused.object)
      // The name is that of the original object, and that in the header.
      let first = Int64(bytes[24..<32].hex, radix: 16) ?? 0
      let last = Int64(bytes[32..<40].hex, radix: 16) ?? 0
      let own = try ObjectName(
        device: #require(DeviceID(bytes: bytes[8..<24])), seqs: first...max(first, last))
      for name in [original, own] {
        let failure = #expect(throws: SealedObject.Failure.self) {
          try SealedObject.open(bytes, name: name, key: key)
        }
        #expect((failure == .anotherFormat(2)) == refused.why.hasPrefix("newer format"), "\(refused.name)")
      }
    }
  }

  @Test func cutOrChangedNoneOpens() throws {
    for object in vectors.objects {
      let name = try #require(ObjectName(path: object.path))
      let bytes = try SharedVectors.bytes(object.object)
      for length in bytes.indices {
        #expect(throws: SealedObject.Failure.self) {
          try SealedObject.open(Array(bytes[..<length]), name: name, key: key)
        }
      }
      for bit in 0..<bytes.count * 8 {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        #expect(throws: SealedObject.Failure.self) { try SealedObject.open(changed, name: name, key: key) }
      }
    }
  }
}

/// The file in its original form.
struct SharedVectors: Decodable, Sendable {
  struct Source: Decodable { var uid: String, shared: String?, sync_as: String? }
  struct MessageKey: Decodable { var remote_id: String, key: String }
  struct Occasion: Decodable { var bytes: String, occasion: String?, content_hash: String? }
  struct Object: Decodable {
    var name: String, path: String, derived_key: String, payload: String, object: String, decoded: Content
  }
  struct Content: Decodable { var written: Int64, machine: String, program: String, acts: [ReadableAct] }
  struct Refused: Decodable { var name: String, object: String, why: String }

  struct ReadableAct: Decodable {
    struct Group: Decodable {
      var source: String, field: UInt64, value: Value, targets: [Target]
    }
    struct Target: Decodable { var key: String, occasion: String? }

    var kind: UInt64, stamp: Int64, undoes: Int64, groups: [Group]
    /// The number of bytes after the readable part.
    var unread: Int?

    var isPartial: Bool { unread != nil || groups.contains { !Act.Field(rawValue: $0.field).isKnown } }

    /// Returns the act without parts that this program doesn't know.
    func act() throws -> Act {
      Act(
        kind: Act.Kind(rawValue: kind), stamp: Stamp(rawValue: stamp), undoes: undoes,
        groups: try groups.map { group in
          Act.Group(
            source: try #require(WireUID(bytes: SharedVectors.bytes(group.source))),
            field: Act.Field(rawValue: group.field), value: group.value.value,
            targets: try group.targets.map {
              Act.Target(
                key: try #require(UInt64($0.key, radix: 16)),
                occasion: try #require(UInt64($0.occasion ?? "0", radix: 16)))
            })
        }.filter { $0.field.isKnown })
    }
  }

  /// A value: null, a number or a string.
  struct Value: Decodable {
    var value: Act.Value

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .none
      } else if let number = try? container.decode(Int64.self) {
        value = .integer(number)
      } else {
        value = .bytes(Array(try container.decode(String.self).utf8))
      }
    }
  }

  var master_key: String, key_text: String, key_texts_accepted: [String], key_texts_refused: [String]
  var source_uids: [Source], message_keys: [MessageKey], occasions: [Occasion]
  var objects: [Object], refused: [Refused]

  private static let file = Project.folder.appending(path: "../shared/sync/vectors.json").standardized

  static var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }

  static func read() throws -> SharedVectors {
    try JSONDecoder().decode(SharedVectors.self, from: Data(contentsOf: file))
  }

  static func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex.utf8)) }
}
