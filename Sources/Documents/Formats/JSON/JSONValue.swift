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

  /// Creates an object without searching for duplicates.
  ///
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

  /// Returns the position of a key, or `nil` if there is none.
  private func place(of key: String) -> Int? {
    for place in members.indices where sameBytes(members[place].key, key) { return place }
    return nil
  }
}

/// Collects the members of an object while it is parsed. A later duplicate replaces the earlier value, in its position.
///
/// The members are at the end of a list that nested objects share, so that each object is allocated once, with its
/// exact size.
struct JSONObjectBuilder {
  /// The position of the object's first member in the shared list.
  private let start: Int
  /// The positions of the members, keyed by their keys, once there are too many to compare one by one.
  private var places: [KeyBytes: Int] = [:]

  /// The number of members from which `places` is used.
  private static let indexedFrom = 32

  init(_ shared: [JSONObject.Member]) { start = shared.count }

  /// Adds a member at the end of the shared list, or replaces the value of an equal key.
  mutating func add(_ key: String, _ value: JSONValue, to shared: inout [JSONObject.Member]) {
    if let place = place(of: key, in: shared) {
      shared[place].value = value
    } else {
      shared.append(JSONObject.Member(key: key, value: value))
    }
  }

  /// Returns the position of an equal key, or `nil` for a new key. In a large object, the new key is added to
  /// `places`.
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

  /// Removes the members of the object from the shared list, and returns them.
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

/// Whether two strings have the same bytes. `==` would also match strings that are only canonically equivalent in
/// Unicode. Usually comparing the lengths is enough.
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

/// Whether two buffers of the same length have the same bytes.
@inline(__always)
func sameBytes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
  guard let first = a.baseAddress, let second = b.baseAddress else { return true }
  return memcmp(first, second, a.count) == 0
}
