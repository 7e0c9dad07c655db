import Basics

/// The schemes of URLs that may be opened: never scripts, files or phone numbers.
package enum LinkScheme: String, CaseIterable, Sendable {
  case http, https, mailto
  /// A source or a message in reddot, for which no other program is started.
  case reddot

  /// Creates the scheme with a name, ignoring case, or returns `nil` for other names.
  package init?(_ name: some StringProtocol) { self.init(utf8: name.utf8) }

  /// Creates the scheme with a name in UTF-8, ignoring case, or returns `nil` for other names.
  init?(utf8 name: some Sequence<UInt8>) {
    let known = Self.allCases.first {
      $0.rawValue.utf8.elementsEqual(name.lazy.map(\.lowercasedASCII))
    }
    guard let known else { return nil }
    self = known
  }

  /// Creates the scheme of a URL, which ends at the first colon, or returns `nil` if it is none of these
  /// schemes.
  package init?(of address: String) {
    guard let colon = address.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    self.init(address[..<colon])
  }

  package var isWeb: Bool { self == .http || self == .https }
}
