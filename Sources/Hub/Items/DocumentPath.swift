import Basics

/// Where a document is inside its feed: `banners/control.json`.
package struct DocumentPath: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// - Parameter names: those between the slashes, decoded.
  /// - Returns: nil unless each has something, none is `.` or `..` or has a slash, a backslash or a control character, and all
  ///   are at most `Limits.hubDocumentPathBytes`.
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
