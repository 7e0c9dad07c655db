import Foundation

package enum ErrorOutput {
  package static func write(_ text: String) {
    do {
      try FileHandle.standardError.write(contentsOf: Data(text.utf8))
    } catch {
      // The disk is full or the reader has gone, and there is no other place to report this.
    }
  }
}
