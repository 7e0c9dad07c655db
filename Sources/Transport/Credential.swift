import Foundation

/// A secret that opens a source. It shows itself to nobody but the server: descriptions, mirrors and
/// interpolations say `<credential>`.
package struct Credential: Hashable, Sendable {
  private enum Kind: Hashable {
    case bearer(String)
    case basic(user: String, password: String)
    case header(name: String, value: String)
  }

  private let kind: Kind

  private init(_ kind: Kind) { self.kind = kind }

  /// `Authorization: Bearer …` (RFC 6750).
  package static func bearer(_ token: String) -> Credential { Credential(.bearer(token)) }

  /// `Authorization: Basic …` (RFC 7617), as UTF-8.
  package static func basic(user: String, password: String) -> Credential {
    Credential(.basic(user: user, password: password))
  }

  /// A header of the service's own, such as `X-Gotify-Key`.
  package static func header(name: String, value: String) -> Credential {
    Credential(.header(name: name, value: value))
  }

  /// The header line that carries it; nil where it holds what no header may (line ends, controls).
  var field: HeaderField? {
    let field =
      switch kind {
      case .bearer(let token): HeaderField("Authorization", "Bearer " + token)
      case .basic(let user, let password):
        HeaderField("Authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
      case .header(let name, let value): HeaderField(name, value)
      }
    return field.isSendable ? field : nil
  }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<credential>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HeaderField {
  /// A token as name and no control characters in the value (RFC 9110 sections 5.1 and 5.5).
  var isSendable: Bool {
    !name.isEmpty && name.utf8.allSatisfy(Self.isTokenByte)
      && value.utf8.allSatisfy { $0 == 9 || $0 >= 32 && $0 != 127 }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
