import Basics
package import Foundation
import Messages

/// A file that a feed's readers may request: a control file, a view, a picture, a schedule file.
package struct HubDocument: Hashable, Sendable {
  /// The properties of a document without its bytes.
  package struct Head: Hashable, Sendable {
    package var type: DocumentType
    /// SHA-256 of the body, 32 bytes.
    package var hash: [UInt8]
    /// The time of its last change.
    package var modified: Date

    package init(type: DocumentType, hash: [UInt8], modified: Date) {
      (self.type, self.hash, self.modified) = (type, hash, modified)
    }
  }

  package var path: DocumentPath
  package var head: Head
  package var body: Data

  /// Creates a stored document.
  package init(path: DocumentPath, head: Head, body: Data) {
    (self.path, self.head, self.body) = (path, head, body)
  }

  /// Creates a new document.
  package init(path: DocumentPath, type: DocumentType, body: Data, modified: Date) {
    self.init(
      path: path, head: Head(type: type, hash: SHA256.digest(body.bytes), modified: modified), body: body)
  }
}
