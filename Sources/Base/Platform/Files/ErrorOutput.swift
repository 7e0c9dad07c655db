import Foundation

/// Standard error.
package enum ErrorOutput {
  package static func write(_ text: String) {
    do {
      try FileHandle.standardError.write(contentsOf: Data(text.utf8))
    } catch {
      // The disk is full, or the reader is gone. There is no other place where this could be said.
    }
  }
}
