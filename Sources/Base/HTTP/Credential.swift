import Basics
import Foundation

/// A token or password, bound to one origin: a header with it cannot be made for another. Descriptions, mirrors and
/// interpolations contain `<credential>` instead of it.
package struct Credential: Hashable, Sendable {
  private enum Kind: Hashable {
    case bearer(String)
    case basic(user: String, password: String)
    case header(name: String, value: String)
    case login(user: String, password: String)
  }

  /// The only server to which the credential may be sent.
  package let origin: Origin
  /// The user name that belongs to the token, if the service sends it in a separate header. It is no secret.
  package let user: String?
  private let kind: Kind

  private init(_ kind: Kind, _ origin: Origin, user: String? = nil) {
    self.kind = kind
    self.origin = origin
    self.user = user
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

  /// A name and a password that are sent only in the body of a login (`TransportRequest.Body.login`). Other requests
  /// send the token that the login returned, see `loggedIn`.
  package static func login(user: String, password: String, for origin: Origin) -> Credential {
    Credential(.login(user: user, password: password), origin)
  }

  /// Returns the credential for requests after a login, to the same origin: `Authorization: GoogleLogin auth=…`.
  package func loggedIn(auth: String) -> Credential {
    Credential(.header(name: "Authorization", value: "GoogleLogin auth=" + auth), origin)
  }

  /// Returns the name and password of a `basic` credential for `receiver`, for a server that requires a digest (RFC
  /// 7616). Returns `nil` for other credentials and origins.
  func digest(for receiver: Origin) -> (user: String, password: String)? {
    guard receiver == origin, case .basic(let user, let password) = kind else { return nil }
    return (user, password)
  }

  package var isLogin: Bool {
    if case .login = kind { true } else { false }
  }

  /// The form in which a service expects its token.
  package enum Scheme: Hashable, Sendable {
    /// `Authorization: Bearer …`, or `Basic` if there is a user name.
    case bearer
    /// `Authorization: Basic …`; the token is the password.
    case basic
    /// A header of this name, with a prefix before the token. If there is a user name and the service accepts both,
    /// `Basic` is used.
    case header(String, prefix: String = "", isBasicToo: Bool = false)
    /// A header of this name. The second name is used for an administrator's token, which is sent together with a user
    /// name.
    case headers(String, withUser: String)
    /// A login with name and password.
    case login

    /// Whether a user name changes the header that is sent.
    package var takesUser: Bool {
      switch self {
      case .header(_, _, let isBasicToo): isBasicToo
      case .bearer, .basic, .headers, .login: true
      }
    }
  }

  /// Creates the credential for a URL of the settings, in the scheme of its service. Without a token, the password in
  /// the URL is used.
  ///
  /// - Parameter user: the name that belongs to the token; `nil` means the name in the URL.
  package static func configured(
    _ scheme: Scheme, token: String?, user: String? = nil, address: String
  ) -> Credential? {
    guard let origin = Origin(address) else { return nil }
    let known = UserInfo(address)
    let user = user ?? known.flatMap { $0.user.isEmpty ? nil : $0.user }
    let given = known.flatMap { $0.password.isEmpty ? nil : $0.password }
    guard let secret = token ?? given else { return nil }
    switch scheme {
    case .bearer:
      return user.map { .basic(user: $0, password: secret, for: origin) } ?? .bearer(secret, for: origin)
    case .basic: return .basic(user: user ?? "", password: secret, for: origin)
    case .header(let name, let prefix, let isBasicToo):
      if isBasicToo, let user { return .basic(user: user, password: secret, for: origin) }
      return .header(name: name, value: prefix + secret, for: origin)
    case .headers(let name, let other):
      let kind = Kind.header(name: user == nil ? name : other, value: secret)
      return Credential(kind, origin, user: user)
    case .login: return .login(user: user ?? "", password: secret, for: origin)
    }
  }

  /// Creates the credential for a URL of the settings, from the token, or from the name and password in the URL (RFC
  /// 3986 section 3.2.1). Never call it with a URL from a response.
  ///
  /// - Parameter user: the name that belongs to the token, which then is a password.
  package static func configured(token: String? = nil, user: String? = nil, address: String) -> Credential? {
    // Most sources have no credential, and this runs at each poll.
    guard token != nil || address.utf8.contains(UInt8(ascii: "@")), let origin = Origin(address) else {
      return nil
    }
    if let token {
      return user.map { .basic(user: $0, password: token, for: origin) } ?? .bearer(token, for: origin)
    }
    return UserInfo(address).map { .basic(user: $0.user, password: $0.password, for: origin) }
  }

  /// Returns the header field for a request to `receiver`, or `nil` if the credential belongs to another origin or is
  /// unusable.
  package func field(for receiver: Origin) -> HeaderField? { receiver == origin && isUsable ? field : nil }

  /// Returns the body of a login at `receiver`, `application/x-www-form-urlencoded`, or `nil` for other credentials and
  /// origins.
  package func loginForm(for receiver: Origin) -> String? {
    guard receiver == origin, case .login(let user, let password) = kind else { return nil }
    return "Email=\(Self.formEncoded(user))&Passwd=\(Self.formEncoded(password))"
  }

  private static func formEncoded(_ text: String) -> String { text.percentEncoded(allowing: \.isUnreserved) }

  /// Whether all characters are allowed in the credential's header. A token has visible ASCII only (RFC 6750 section
  /// 2.1); a name and a password are encoded.
  var isUsable: Bool {
    switch kind {
    case .login, .basic: true
    case .bearer(let secret), .header(_, let secret):
      field?.isSendable == true && secret.utf8.allSatisfy { $0 >= 32 && $0 < 127 }
    }
  }

  /// The header field, or `nil` for a login, which is sent in a body.
  private var field: HeaderField? {
    switch kind {
    case .login: nil
    case .bearer(let token): HeaderField("Authorization", "Bearer " + token)
    case .basic(let user, let password):
      HeaderField("Authorization", "Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
    case .header(let name, let value): HeaderField(name, value)
    }
  }
}

/// The name and password before the `@` of an address.
package struct UserInfo: Hashable, Sendable {
  let user: String
  let password: String

  /// Returns the address without name and password, for display.
  package static func removed(from address: String) -> String {
    guard address.contains("@"), var parts = URLComponents(string: address), parts.user != nil else {
      return address
    }
    (parts.percentEncodedUser, parts.percentEncodedPassword) = (nil, nil)
    return parts.string ?? address
  }

  /// Returns the address of a link. It gets the name and password of the page's address if it has none itself and the
  /// origin is the same.
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
