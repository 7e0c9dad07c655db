import Foundation

/// A token or password, bound to one origin: a header with it cannot be made for another. Descriptions, mirrors and
/// interpolations contain `<credential>` instead of it.
package struct Credential: Hashable, Sendable {
  private enum Kind: Hashable {
    case bearer(String)
    case basic(user: String, password: String)
    case header(name: String, value: String)
  }

  /// The only server that it may be sent to.
  package let origin: Origin
  private let kind: Kind

  private init(_ kind: Kind, _ origin: Origin) {
    self.kind = kind
    self.origin = origin
  }

  /// `Authorization: Bearer …` (RFC 6750).
  package static func bearer(_ token: String, for origin: Origin) -> Credential {
    Credential(.bearer(token), origin)
  }

  /// `Authorization: Basic …` (RFC 7617), as UTF-8.
  package static func basic(user: String, password: String, for origin: Origin) -> Credential {
    Credential(.basic(user: user, password: password), origin)
  }

  /// A header that the service defines, such as `X-Gotify-Key`.
  package static func header(name: String, value: String, for origin: Origin) -> Credential {
    Credential(.header(name: name, value: value), origin)
  }

  /// The credential for an address of the settings: the token, else the name and password in the
  /// address (RFC 3986 section 3.2.1). Never call it with an address from a response.
  package static func configured(token: String? = nil, address: String) -> Credential? {
    guard let origin = Origin(address) else { return nil }
    if let token { return .bearer(token, for: origin) }
    return UserInfo(address).map { .basic(user: $0.user, password: $0.password, for: origin) }
  }

  /// The header field for a request to `receiver`; nil if that isn't its own origin, or if it isn't usable.
  func field(for receiver: Origin) -> HeaderField? { receiver == origin && isUsable ? field : nil }

  /// False if it has characters that are not allowed in a header (line ends, controls).
  var isUsable: Bool { field.isSendable }

  private var field: HeaderField {
    switch kind {
    case .bearer(let token): HeaderField("Authorization", "Bearer " + token)
    case .basic(let user, let password):
      HeaderField("Authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    case .header(let name, let value): HeaderField(name, value)
    }
  }
}

/// The name and password before the `@` of an address.
package struct UserInfo {
  let user: String
  let password: String

  /// The address without them, to be shown.
  package static func removed(from address: String) -> String {
    guard address.contains("@"), var parts = URLComponents(string: address), parts.user != nil else {
      return address
    }
    (parts.percentEncodedUser, parts.percentEncodedPassword) = (nil, nil)
    return parts.string ?? address
  }

  /// The address of a link, with the name and password of the page's address if it has none and the origin is the same.
  package static func carried(from page: String, to address: String) -> String {
    guard let origin = Origin(page), origin == Origin(address), let known = URLComponents(string: page),
      known.user != nil, var parts = URLComponents(string: address), parts.user == nil
    else { return address }
    parts.percentEncodedUser = known.percentEncodedUser
    parts.percentEncodedPassword = known.percentEncodedPassword
    return parts.string ?? address
  }

  init?(_ address: String) {
    let text = address.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let parts = URLComponents(string: text), let user = parts.user else { return nil }
    self.user = user
    password = parts.password ?? ""
  }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "<credential>" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HeaderField {
  /// Whether the name is a token and the value has no control characters (RFC 9110 sections 5.1 and 5.5).
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
