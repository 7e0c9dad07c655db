import Basics
import Testing

@testable import Sync

@Suite struct SealedObjectTests {
  private let name = ObjectName(device: .random(), seqs: 3...9)
  private let key = SyncKey.random()

  // MARK: What was sealed once

  @Test(arguments: SealedSample.all)
  func aSampleOpens(_ sample: SealedSample) throws {
    let payload = try SealedObject.open(sample.object, name: sample.name, key: #require(SealedSample.key))
    #expect(payload == sample.payload)
    let acts = try Payload.decode(payload, of: sample.name).acts
    #expect(acts.map(\.act) == sample.acts)
    #expect(acts.map(\.offset) == Array(acts.indices))
    #expect(acts.filter(\.isPartial).map(\.offset) == sample.partial)
  }

  @Test(arguments: SealedSample.all)
  func aSampleIsTheSameAgain(_ sample: SealedSample) throws {
    let head = try Payload.decode(sample.payload, of: sample.name).head
    if sample.partial.isEmpty {
      #expect(Payload.encode(head, acts: sample.acts.map(ActCodec.encode)) == sample.payload)
    }
    // zlib's output isn't fixed, so only the header is the same.
    let key = try #require(SealedSample.key)
    let salt = try #require(SealedObject.Salt(bytes: sample.object[40..<56]))
    let sealed = try SealedObject.seal(sample.payload, name: sample.name, key: key, salt: salt)
    #expect(sealed[..<56] == sample.object[..<56])
    #expect(try SealedObject.open(sealed, name: sample.name, key: key) == sample.payload)
  }

  /// An interrupted transfer, and a disk that loses a bit.
  @Test(arguments: SealedSample.all)
  func cutOrChangedNoneOpens(_ sample: SealedSample) throws {
    let key = try #require(SealedSample.key)
    let name = try sample.name
    for length in sample.object.indices {
      #expect(failure(Array(sample.object[..<length]), name, key) != nil)
    }
    for bit in 0..<sample.object.count * 8 {
      var changed = sample.object
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(failure(changed, name, key) != nil)
    }
    #expect(failure(sample.object + [0], name, key) == .damaged(.tag))
  }

  // MARK: Why one doesn't open

  @Test func whatIsWrongIsSaid() throws {
    let payload = Array("anything".utf8)
    let sealed = try SealedObject.seal(payload, name: name, key: key)
    #expect(try SealedObject.open(sealed, name: name, key: key) == payload)
    #expect(failure(sealed, name, .random()) == .damaged(.tag))
    #expect(failure(sealed, ObjectName(device: name.device, seqs: 3...8), key) == .damaged(.name))
    #expect(failure(sealed, ObjectName(device: .random(), seqs: 3...9), key) == .damaged(.name))
    #expect(failure([], name, key) == .damaged(.header))
    #expect(failure(Array(sealed[..<56]), name, key) == .damaged(.tag))
    #expect(failure(Array(sealed[..<55]), name, key) == .damaged(.header))
    var changed = sealed
    changed[6] = 1
    #expect(failure(changed, name, key) == .damaged(.header))
  }

  /// The header after the number of the format may be different.
  @Test func aLaterFormatIsLeftAlone() {
    #expect(failure(Array("rdsy".utf8) + [2], name, key) == .anotherFormat(2))
    #expect(
      failure(Array("rdsy".utf8) + [255] + Array(repeating: 7, count: 500), name, key) == .anotherFormat(255))
    #expect(failure(Array("rdsy".utf8), name, key) == .damaged(.header))
  }

  @Test func whatAnotherProgramPackedWronglyIsDamaged() throws {
    let packed = Zlib.deflate(Array("anything".utf8))
    #expect(try SealedObject.open(sealedAlready(packed), name: name, key: key) == Array("anything".utf8))
    for wrong in [[], Array("anything".utf8), packed.dropLast(), packed + [0], Array(packed.dropFirst(2))] {
      #expect(failure(try sealedAlready(wrong), name, key) == .damaged(.packing))
    }
    let bomb = Zlib.deflate(Array(repeating: 0, count: Limits.payloadBytes + 1))
    #expect(failure(try sealedAlready(bomb), name, key) == .damaged(.tooLong))
  }

  @Test func nothingIsSealedThatCouldNotBeOpened() throws {
    #expect(throws: SealedObject.TooLong.self) {
      try SealedObject.seal(Array(repeating: 0, count: Limits.payloadBytes + 1), name: name, key: key)
    }
    #expect(
      failure(Array(repeating: 0, count: Limits.objectBytes + 1), name, key) == .damaged(.tooLong))
  }

  /// Two objects never share a key of the cipher.
  @Test func theSameActsAreSealedDifferentlyEachTime() throws {
    let one = try SealedObject.seal([1], name: name, key: key)
    let other = try SealedObject.seal([1], name: name, key: key)
    #expect(one[40..<56] != other[40..<56])
    #expect(one[56...] != other[56...])
  }

  private func failure(_ bytes: [UInt8], _ name: ObjectName, _ key: SyncKey) -> SealedObject.Failure? {
    do throws(SealedObject.Failure) {
      _ = try SealedObject.open(bytes, name: name, key: key)
      return nil
    } catch {
      return error
    }
  }

  /// Returns an object with any bytes instead of zlib's output, sealed correctly.
  private func sealedAlready(_ packed: [UInt8]) throws -> [UInt8] {
    let header = Array(try SealedObject.seal([], name: name, key: key)[..<56])
    let derived = SealedObject.derivedKey(key, salt: Array(header.suffix(16)))
    let cipher = Cipher(key: derived, nonce: Array(repeating: 0, count: 12), additional: header)
    return header + cipher.seal(packed)
  }
}
