/// The schemes of addresses that may be offered to open: a script, a file or a call is never one of them.
package enum LinkScheme: String, CaseIterable, Sendable {
  case http, https, mailto
  /// A source or a message of reddot's own: nothing outside is opened.
  case reddot

  /// In any case; nil for a scheme that isn't offered.
  package init?(_ name: some StringProtocol) { self.init(rawValue: name.lowercased()) }

  /// What an address begins with, up to its first colon.
  package init?(of address: String) {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    self.init(address[..<colon])
  }

  package var isWeb: Bool { self == .http || self == .https }
}
