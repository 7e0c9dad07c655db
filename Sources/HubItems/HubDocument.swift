package import Foundation
import Messages

/// A file that a feed's readers may get: a control file, a view, a picture, a schedule file.
package struct HubDocument: Hashable, Sendable {
  package var path: DocumentPath
  package var type: DocumentType
  package var body: Data
  /// SHA-256 of the body, 32 bytes.
  package var hash: [UInt8]
  /// When it became what it is.
  package var modified: Date

  /// - Parameter hash: nil: it is computed.
  package init(path: DocumentPath, type: DocumentType, body: Data, hash: [UInt8]? = nil, modified: Date) {
    (self.path, self.type, self.body, self.modified) = (path, type, body, modified)
    self.hash =
      hash
      ?? body.withUnsafeBytes { bytes in
        SHA256.digest(bytes.assumingMemoryBound(to: UInt8.self))
      }
  }
}
