import Basics
package import Foundation

/// Removes one layer of gzip, zlib or zstd from a file.
package enum Unpacked {
  /// - Returns: the unchanged bytes if they are not packed.
  package static func bytes(_ packed: Data) throws(ContentDecoder.Failure) -> Data {
    let decoder = ContentDecoder(codings: [], limit: Limits.responseBytes)
    let result = packed.withUnsafeBytes { bytes in
      Result { () throws(ContentDecoder.Failure) in try decoder.append(bytes) }
    }
    try result.get()
    guard try decoder.finish() else { throw .cutOff }
    return decoder.decoded()
  }
}
