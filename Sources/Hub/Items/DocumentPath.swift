import Basics

/// The path of a document inside its feed: `banners/control.json`.
package struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// - Parameter names: the names between the slashes, decoded.
  /// - Returns: `nil` unless all together have at most `Limits.hubDocumentPathBytes`, and each is not empty, is not `.`
  ///   or `..`, and has no slash, backslash or control character.
  package init?(_ names: some Sequence<String>) {
    let names = Array(names)
    let text = names.joined(separator: "/")
    guard !names.isEmpty, text.utf8.count <= Limits.hubDocumentPathBytes,
      names.allSatisfy({ name in
        !name.isEmpty && name != "." && name != ".."
          && name.unicodeScalars.allSatisfy {
            $0 != "/" && $0 != "\\" && $0.properties.generalCategory != .control
          }
      })
    else { return nil }
    self.text = text
  }

  package var description: String { text }
}
