import Basics
import Testing

@testable import Sync

/// Names that another implementation must derive too: parts of SHA-256 digests, made once with Python's `hashlib`.
@Suite struct WireNamesTests {
  @Test func sourcesAreCalledByTheirNames() {
    #expect(WireUID(syncAs: "mail").bytes.hex == "4d083deaefcf7c6af4d582581b38d55b")
    #expect(WireUID(shared: "ci").bytes.hex == "8020a2f1055a809bc3c6f87263663c53")
    #expect(WireUID(shared: "mail") != WireUID(syncAs: "mail"))
  }

  @Test func messagesAreCalledByTheirIDsAsStored() {
    #expect(Act.Target.key(ofRemoteID: "12345678") == 0xef79_7c81_18f0_2dfb)
    #expect(Act.Target.key(ofRemoteID: "") == 0xe3b0_c442_98fc_1c14)
    // They look the same, but have other bytes.
    #expect(Act.Target.key(ofRemoteID: "\u{e9}") != Act.Target.key(ofRemoteID: "e\u{301}"))
  }

  @Test func occasionsAreNeverZero() {
    #expect(Act.Target.occasion(of: "2026-11-25T09:30:00Z") == 0x4d93_427b_6c7a_008b)
    #expect(Act.Target.occasion(ofContentHash: 0xdead_beef) == 0x07be_7196_6e25_3fc3)
    #expect(Act.Target.occasion(ofPush: Stamp(rawValue: 77)) == 77)
    #expect(Act.Target.notZero(0) == 1)
    #expect(Act.Target.notZero(.max) == .max)
  }

  // MARK: Paths

  @Test func objectsHaveOnePath() throws {
    let device = try #require(DeviceID(bytes: 0xa0...0xaf))
    let name = ObjectName(device: device, seqs: 1...204_000)
    #expect(name.path == "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf/000000000001-000000204000.ops")
    #expect(ObjectName(path: name.path) == name)
    #expect(ObjectName(path: ObjectName.marker.path) == .marker)
    #expect(
      ObjectName.marker.path == "00000000000000000000000000000000/000000000000-000000000000.ops")
  }

  /// Conflict copies, temporary files and other files in a folder.
  @Test func otherPathsAreNotObjects() {
    let device = "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"
    let zero = "00000000000000000000000000000000"
    for path in [
      "", "/", device, "\(device)/", "\(device)/.tmp-1234",
      "\(device)/000000000001-000000000002.sync-conflict-20261126.ops",
      "\(device)/000000000001-000000000002.ops~", "\(device)/000000000001-000000000002.OPS",
      "\(device)/000000000002-000000000001.ops", "\(device)/000000000000-000000000001.ops",
      "\(device)/000000000000-000000000000.ops", "\(zero)/000000000001-000000000001.ops",
      "\(device)/00000000001-000000000001.ops", "\(device)/+00000000001-000000000001.ops",
      "\(device)/-00000000001-000000000001.ops", "\(device)/00000000000x-000000000001.ops",
      "\(device.uppercased())/000000000001-000000000001.ops",
      "\(device.dropLast())g/000000000001-000000000001.ops",
      "/\(device)/000000000001-000000000001.ops", "\(device)//00000000001-000000000001.ops",
      "\(device)/٠٠٠٠٠٠-000000000001.ops", "\(device)/000000000001-000000000001.ops\n",
    ] {
      #expect(ObjectName(path: path) == nil, "\(path)")
    }
  }

  @Test func theNumberOfActsNeverOverflows() {
    #expect(ObjectName.marker.actCount == 0)
    #expect(ObjectName(device: .random(), seqs: 4...4).actCount == 1)
    #expect(ObjectName(device: .random(), seqs: 0...(.max)).actCount == .max)
    #expect(ObjectName(device: .random(), seqs: .min ... .max).actCount == .max)
  }

  @Test func aFileHasTheDigestOfItsBytes() throws {
    let device = try #require(DeviceID(bytes: 0..<16))
    let digest = ObjectDigest(of: Array("abc".utf8))
    let name = ObjectName(device: device, seqs: 7...12, digest: digest)
    // FIPS 180-4 has the digest of "abc".
    let file = "000000000007-000000000012-ba7816bf8f01cfea.ops"
    #expect(name.file == file)
    #expect(name.path == "000102030405060708090a0b0c0d0e0f/\(file)")
    #expect(ObjectName(device: device, file: ArraySlice(file.utf8)) == name)
    // A path without digests is that of a sync location in which no other program writes.
    #expect(ObjectName(path: name.path) == nil)
    for other in [
      "000000000007-000000000012-BA7816BF8F01CFEA.ops", "000000000007-000000000012-ba7816bf8f01cfe.ops",
      "000000000007-000000000012-ba7816bf8f01cfeax.ops", "000000000007-000000000012_ba7816bf8f01cfea.ops",
      "000000000007-000000000012-ba7816bf8f01cfeg.ops", "000000000012-000000000007-ba7816bf8f01cfea.ops",
      "000000000007-000000000012-ba7816bf8f01cfea.sync-conflict-20261126.ops",
    ] {
      #expect(ObjectName(device: device, file: ArraySlice(other.utf8)) == nil, "\(other)")
    }
    let marker = "000000000000-000000000000-ba7816bf8f01cfea.ops"
    #expect(ObjectName(device: .marker, file: ArraySlice(marker.utf8)) == nil)
    let plain = name.with(nil)
    #expect([name, name.with(ObjectDigest(of: [])), plain].sorted().first == plain)
  }
}
