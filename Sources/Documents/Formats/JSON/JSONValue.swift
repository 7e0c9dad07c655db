import Basics
import Foundation

/// A JSON value that keeps the order of its keys and the spelling of its numbers (RFC 8259).
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// A number as written, so that integers of any length and `1.0` are kept.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// A JSON object in document order. The value of a later duplicate key replaces the earlier one, in its position.
/// Keys are compared byte by byte.
package struct JSONObject: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue
    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  package private(set) var members: [Member]

  /// Creates an object, in time linear in the number of members.
  package init(_ members: [Member] = []) {
    var kept: [Member] = []
    var builder = JSONObjectBuilder(kept)
    for member in members { builder.add(member.key, member.value, to: &kept) }
    self.members = kept
  }

  /// - Parameter members: the members, with distinct keys.
  init(distinct members: [Member]) { self.members = members }

  /// The value of a key. Setting `nil` removes the member, setting a new key appends it. O(members).
  package subscript(key: String) -> JSONValue? {
    get { place(of: key).map { members[$0].value } }
    set {
      let place = place(of: key)
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  private func place(of key: String) -> Int? {
    for place in members.indices where sameBytes(members[place].key, key) { return place }
    return nil
  }
}

/// Collects members as in `JSONObject`: a later duplicate replaces the earlier value, in its position.
///
/// The members are at the end of a list that nested objects share, so that each object is allocated once,
/// with its exact size.
struct JSONObjectBuilder {
  private let start: Int
  /// The indices by key, once there are too many members to compare one by one.
  private var places: [KeyBytes: Int] = [:]

  private static let indexedFrom = 32

  init(_ shared: [JSONObject.Member]) { start = shared.count }

  mutating func add(_ key: String, _ value: JSONValue, to shared: inout [JSONObject.Member]) {
    if let place = place(of: key, in: shared) {
      shared[place].value = value
    } else {
      shared.append(JSONObject.Member(key: key, value: value))
    }
  }

  /// Returns the position of an equal key; a new one is indexed.
  private mutating func place(of key: String, in shared: [JSONObject.Member]) -> Int? {
    guard shared.count - start >= Self.indexedFrom else {
      return shared[start...].firstIndex { sameBytes($0.key, key) }
    }
    if places.isEmpty {
      for place in start..<shared.count { places[KeyBytes(shared[place].key)] = place }
    }
    let known = places[KeyBytes(key)]
    if known == nil { places[KeyBytes(key)] = shared.count }
    return known
  }

  /// Whether the object has more members than allowed.
  func isTooLarge(_ shared: [JSONObject.Member]) -> Bool { shared.count - start > Limits.jsonMembers }

  /// Moves the members out of the list.
  func finish(_ shared: inout [JSONObject.Member]) -> [JSONObject.Member] {
    let members = Array(shared[start...])
    shared.removeSubrange(start...)
    return members
  }
}

/// A dictionary's key that is compared by bytes, not by Unicode's canonical equivalence.
struct KeyBytes: Hashable {
  let key: String

  init(_ key: String) { self.key = key }

  static func == (a: Self, b: Self) -> Bool { sameBytes(a.key, b.key) }

  func hash(into hasher: inout Hasher) {
    var key = key
    key.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// Compares byte by byte, since `==` would also match strings that are only canonically equivalent in Unicode. Usually
/// the length is enough.
@inline(__always)
func sameBytes(_ a: String, _ b: String) -> Bool {
  a.utf8.count == b.utf8.count && sameBytesOfSameLength(a, b)
}

private func sameBytesOfSameLength(_ a: String, _ b: String) -> Bool {
  var (a, b) = (a, b)
  return a.withUTF8 { a in
    b.withUTF8 { b in sameBytes(a, b) }
  }
}

/// Compares strings of the same length.
@inline(__always)
func sameBytes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let first = a.baseAddress, let second = b.baseAddress else { return true }
  return memcmp(first, second, a.count) == 0
}
