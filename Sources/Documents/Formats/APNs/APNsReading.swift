package import Basics
package import Foundation

extension APNsPayload {
  /// A received payload and its problems. Keys with wrong values are left out.
  package struct Reading: Hashable, Sendable {
    package var payload: APNsPayload
    package var problems: [FormatProblem]
  }

  /// Reads a payload: `aps` and the app's own keys.
  package static func read(_ object: JSONObject, at path: String = "$") -> Reading {
    var payload = APNsPayload()
    payload.extra = object
    payload.extra["aps"] = nil
    guard let aps = object["aps"]?.object else {
      let found = object["aps"]?.kindInWords ?? "missing"
      let problem = FormatProblem(
        at: JSONPath.key("aps", under: path),
        message: object["aps"] == nil ? "is missing" : "must be an object, not \(found)")
      return Reading(payload: payload, problems: [problem])
    }
    let path = JSONPath.key("aps", under: path)
    var mismatches: [APNsMismatch] = []
    payload.unknown = keys.read(aps, into: &payload, &mismatches)
    let problems = mismatches.map {
      FormatProblem(at: "\(path).\($0.key)", message: "must be \($0.expected), not \($0.value.kindInWords)")
    }
    return Reading(payload: payload, problems: problems)
  }

  /// A document's payload with its size, for `reddot apns read`.
  package struct Document: Hashable, Sendable {
    package var payload: APNsPayload
    /// The bytes of the JSON, without surrounding white space.
    package var size: Int
    /// The problems of the payload and its size, and the keys that Apple does not document.
    package var problems: [FormatProblem]
  }

  /// Reads a payload from the bytes of a document.
  ///
  /// - Parameter limit: the maximum size in bytes; a larger payload is reported as a problem.
  /// - Throws: `JSONFailure` if the bytes are not a JSON object.
  package static func document(
    _ bytes: Data, limit: Int = APNsPayload.sizeLimit
  ) throws(JSONFailure) -> Document {
    let value = try JSONReader.parse(bytes)
    guard let object = value.object else {
      throw JSONFailure(line: 1, column: 1, reason: .unexpected(value.kindInWords, expected: "an object"))
    }
    let reading = read(object)
    var problems = reading.problems
    for member in reading.payload.unknown.members {
      problems.append(
        FormatProblem(
          at: JSONPath.key(member.key, under: "$.aps"), message: "is not a key that Apple documents")
      )
    }
    if case .parts(let parts)? = reading.payload.alert {
      for member in parts.unknown.members {
        problems.append(
          FormatProblem(
            at: JSONPath.key(member.key, under: "$.aps.alert"), message: "is not a key that Apple documents"))
      }
    }
    let size = trimmedCount(bytes)
    if size > limit {
      problems.append(
        FormatProblem(at: "$", message: APNsRefusal.tooLarge(bytes: size, limit: limit).description))
    }
    return Document(payload: reading.payload, size: size, problems: problems)
  }

  /// Returns the number of bytes without surrounding white space.
  private static func trimmedCount(_ bytes: Data) -> Int {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return 0 }
    return last - first + 1
  }

  /// Creates a payload from a request, which has Apple's keys at the top level and the app's own keys under `extra`.
  ///
  /// - Throws: `APNsRefusal` for the first key that is unknown, of a wrong type or out of range.
  package static func making(from value: JSONValue) throws(APNsRefusal) -> APNsPayload {
    guard var request = value.object else { throw .notAnObject(found: value.kindInWords) }
    var payload = APNsPayload()
    if let extra = request["extra"] {
      guard let object = extra.object else {
        throw .invalid(key: "extra", expected: "an object", found: extra.kindInWords)
      }
      if object["aps"] != nil { throw .reservedKey("aps") }
      payload.extra = object
      request["extra"] = nil
    }
    var mismatches: [APNsMismatch] = []
    let unknown = keys.read(request, into: &payload, &mismatches)
    if let key = unknown.members.first?.key { throw .unknownKey(key) }
    if case .parts(let parts)? = payload.alert, let key = parts.unknown.members.first?.key {
      throw .unknownKey("alert.\(key)")
    }
    if let mismatch = mismatches.first { throw mismatch.refusal }
    return payload
  }
}
