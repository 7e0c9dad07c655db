import Limits

extension Limits {
  /// Bytes of a document in a file after whose reading their memory is given back.
  static let readPiece = 1 << 20
  /// Bytes of an XML declaration; the usual one has 40.
  static let xmlDeclarationBytes = 1 << 10
  /// Bytes of a page in which its charset is searched. Scripts in front of it have some 10 KiB.
  static let charsetLabelBytes = 1 << 16
  /// Bytes of a name in HTML; libxml2 splits longer names.
  static let htmlNameBytes = 100
}
