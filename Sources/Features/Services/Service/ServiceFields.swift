import Formats
import Messages

extension JSONFields {
  /// Returns the members of an object that are strings, in their order. A member of another type is a problem.
  mutating func texts(_ key: String) -> [(name: String, value: String)] {
    (object(key)?.members ?? []).compactMap { member in
      if let text = member.value.text { return (member.key, text) }
      report(key, "has a \(member.key) that is not a string but \(member.value.kindInWords)")
      return nil
    }
  }
}

extension ServiceFailure {
  /// Whether the server does not have the address that was requested.
  var isUnknownAddress: Bool { status == 404 || status == 405 || status == 410 }
}
