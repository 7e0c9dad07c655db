/// A JSON value that keeps the order of its keys and the spelling of its numbers (RFC 8259).
package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// As written, so that integers of any length and `1.0` survive.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// A JSON object in document order. A later duplicate key replaces the earlier value in its place;
/// keys are compared byte by byte.
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

  package init(_ members: [Member] = []) {
    self.members = []
    for member in members { self[member.key] = member.value }
  }

  /// The value of a key; setting nil removes the member, setting a new key appends it. O(members).
  package subscript(key: String) -> JSONValue? {
    get { members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value }
    set {
      let place = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
      switch (place, newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): members.remove(at: place)
      case (nil, let value?): members.append(Member(key: key, value: value))
      case (nil, nil): break
      }
    }
  }
}
