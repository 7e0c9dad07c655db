import HTML
import Limits

/// Entities that XML documents use: HTML's without declaring them, and the flat ones that they declare.
struct XMLEntities {

  /// Declared in the document's internal subset; values with further references or markup are left out, so
  /// that no value can grow when it is used.
  private var declared: [String: String] = [:]

  mutating func declare(_ name: String, _ value: String) {
    guard declared.count < Limits.entities, value.utf8.count <= Limits.entityBytes,
      declared[name] == nil,
      !value.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") })
    else { return }
    declared[name] = value
  }

  func value(of name: String) -> String? {
    if let value = declared[name] { return value }
    // XHTML's angle brackets; HTML moved the names to others later.
    switch name {
    case "lang": return "\u{2329}"
    case "rang": return "\u{232A}"
    default: return NamedCharacters.characters(of: name)
    }
  }
}
