/// The schemes of addresses that may be opened: never scripts, files or phone numbers.
package enum LinkScheme: String, CaseIterable, Sendable {
  case http, https, mailto
  /// A source or a message in reddot: no other program is started.
  case reddot

  /// Case does not matter; nil for other schemes.
  package init?(_ name: some StringProtocol) { self.init(rawValue: name.lowercased()) }

  /// The scheme of an address, up to its first colon.
  package init?(of address: String) {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    self.init(address[..<colon])
  }

  package var isWeb: Bool { self == .http || self == .https }
}
