import Limits

// The hub: what publishers, readers and their networks may ask of it.
extension Limits {
  /// Days from now to an end or a beginning that is given as a span: 100 years.
  static let hubSpanDays = 36_500
  /// Items of a delivery; of more alerts only the count is said.
  static let hubHookItems = 500
  /// Bytes of an item's texts that a delivery gives: a line, an address, the body. Escaped, they fit into an item.
  static let hubHookLineBytes = 500
  static let hubHookAddressBytes = 4000
  static let hubHookBodyBytes = 8000
  static let hubHookTags = 10
  /// Signatures of a delivery that are compared.
  static let hubHookSignatures = 10
  /// Seconds by which the time of a signature may differ from ours.
  static let hubHookSeconds = 300.0
  /// Bytes of a webhook's secret, at least.
  package static let hubHookSecretBytes = 16
  /// Fields of a form.
  static let hubFormFields = 100
  /// Bytes of the path of a document.
  static let hubDocumentPathBytes = 500
  /// Problems of a document that an answer names.
  static let hubDocumentProblems = 100
}
