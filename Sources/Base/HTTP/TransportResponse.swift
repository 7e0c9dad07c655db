import Basics
package import Foundation

/// The response of a server, after redirects.
package struct TransportResponse: Hashable, Sendable {
  package var status: Int
  package var headers: HeaderFields
  /// The decompressed body. If the response is not a success (2xx), it contains at most the first
  /// `Limits.errorBodyBytes` that arrived.
  package var body: Data
  package var end = BodyEnd.complete
  /// The URL of the response, without name, password and fragment.
  package var finalURL: String
  /// The URL of the response if there were redirects and all were permanent (301 or 308).
  package var permanentlyMovedTo: String?

  package init(
    status: Int, headers: HeaderFields = HeaderFields(), body: Data = Data(), finalURL: String,
    permanentlyMovedTo: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.finalURL = finalURL
    self.permanentlyMovedTo = permanentlyMovedTo
  }
}

/// The way in which the transfer of a body ended. A body that isn't `complete` may be cut off, which only its parser
/// can find out.
package enum BodyEnd: Hashable, Sendable {
  /// The length or the last chunk shows that the body is complete.
  case complete
  /// The body ended with the connection (RFC 9112 section 6.3), so that a body that is cut off looks the same.
  case unmarked
  /// The transfer ended with an error; only for requests with `acceptsBrokenEnd`.
  case broken(RequestFailure)
}

/// One field of a header, unchanged; values from servers are untrusted text.
package struct HeaderField: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// Header fields in their order. The case of names makes no difference (RFC 9110 section 5.1).
package struct HeaderFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  package var fields: [HeaderField]

  package init(_ fields: [HeaderField] = []) { self.fields = fields }

  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { HeaderField($0, $1) })
  }

  /// The first value of a header.
  package subscript(name: String) -> String? { all(name).first }

  package func all(_ name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// Returns the members of a comma-separated list, over all its lines (RFC 9110 section 5.6.1).
  func list(_ name: String) -> [String] {
    all(name).flatMap { $0.split(onBytes: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}
