import Basics

/// The entities of an XML document: those of HTML, which often are not declared, and simple ones that the document
/// declares.
struct XMLEntities {

  /// The entities declared in the document's internal subset. Values with references or markup are left out, so that no
  /// value can grow when it is expanded.
  private var declared: [String: String] = [:]

  /// Adds a declared entity, unless it has references, is too long, or already exists.
  mutating func declare(_ name: String, _ value: String) {
    guard declared.count < Limits.entities, value.utf8.count <= Limits.entityBytes,
      declared[name] == nil,
      !value.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") })
    else { return }
    declared[name] = value
  }

  /// The value of an entity, or `nil` if it is unknown.
  func value(of name: String) -> String? {
    if let value = declared[name] { return value }
    // These are the angle brackets of XHTML; HTML uses the names for other characters.
    switch name {
    case "lang": return "\u{2329}"
    case "rang": return "\u{232A}"
    default: return NamedCharacters.characters(of: name)
    }
  }
}
