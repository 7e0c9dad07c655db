import Basics
import Foundation

@testable import Sync

/// Objects of other machines: any bytes are acts or damaged, acts are a part of the bytes, and the same after writing
/// and reading them again.
enum ObjectClaims {
  private static let device = DeviceID(bytes: 1...16) ?? .marker
  private static let key = SyncKey(fileText: String(repeating: "5", count: 64))
  private static let limit = 1 << 20

  static func check(_ bytes: Data) throws(Violation) {
    var choices = Choices(bytes)
    let count = choices.next(below: 256)
    let document = [UInt8](choices.rest)
    try acts(document, count == 0 ? .marker : ObjectName(device: device, seqs: 1...Int64(count)))
    try sealed([UInt8](bytes))
    if let inflated = try? Zlib.inflate(document, limit: limit) {
      try claim(inflated.count <= limit, "\(document.count) bytes became \(inflated.count)")
      try claimEqual(try? Zlib.inflate(Zlib.deflate(inflated), limit: limit), inflated, "what was packed")
    }
    try names(String(decoding: bytes, as: UTF8.self))
  }

  private static func acts(_ payload: [UInt8], _ name: ObjectName) throws(Violation) {
    guard let (head, acts) = try? Payload.decode(payload, of: name) else { return }
    try claimEqual(acts.map(\.offset), Array(0..<name.actCount), "the numbers of acts")
    try claim(head.machine.utf8.count <= Limits.machineNameBytes, "a machine's name is too long")
    var size = 0
    for act in acts {
      try claim((0..<Stamp.limit).contains(act.act.stamp.rawValue), "a stamp is \(act.act.stamp)")
      try claim(act.act.undoes >= 0, "it undoes \(act.act.undoes)")
      for group in act.act.groups {
        try claim(group.field.isKnown, "the field \(group.field) is not known")
        size += 16 + 8 * group.targets.count
        if case .bytes(let value) = group.value { size += value.count }
      }
    }
    try claim(size <= payload.count, "\(payload.count) bytes became \(size)")
    // The acts are sorted, without unknown parts; from then on they are always the same.
    let written = Payload.encode(head, acts: acts.map { ActCodec.encode($0.act) })
    guard let again = try? Payload.decode(written, of: name) else {
      throw Violation(description: "what was written doesn't read")
    }
    try claimEqual(again.acts.map(\.isPartial), acts.map { _ in false }, "acts that were written")
    let twice = Payload.encode(again.head, acts: again.acts.map { ActCodec.encode($0.act) })
    try claimEqual(twice, written, "acts written twice")
  }

  private static func sealed(_ bytes: [UInt8]) throws(Violation) {
    let name = ObjectName(device: device, seqs: 1...2)
    guard let key else { throw Violation(description: "the key doesn't read") }
    try claim(
      (try? SealedObject.open(bytes, name: name, key: key)) == nil, "an object opened that nobody sealed")
    // This treats the header as valid.
    if let own = try? SealedObject.seal([], name: name, key: key) {
      let forged = Array(own[..<56]) + bytes
      try claim(
        (try? SealedObject.open(forged, name: name, key: key)) == nil, "an object opened that nobody sealed")
    }
  }

  private static func names(_ text: String) throws(Violation) {
    if let name = ObjectName(path: text) { try claimEqual(name.path, text, "a path") }
    if let name = ObjectName(device: device, file: ArraySlice(text.utf8)) {
      try claimEqual(name.file, text, "the name of a file")
    }
    if let key = try? SyncKey(text: text) {
      try claim((try? SyncKey(text: key.text)) == key, "a key that was written is another")
    }
    if let key = SyncKey(fileText: text) {
      try claim(SyncKey(fileText: key.fileText) == key, "a key's file that was written is another")
    }
  }
}
