import Foundation

/// The operating system's message for an error, without Foundation's wording.
package enum SystemReason {
  package static func words(_ error: any Error) -> String {
    let outer = error as NSError
    let inner = outer.userInfo[NSUnderlyingErrorKey] as? NSError ?? outer
    if inner.domain == NSPOSIXErrorDomain { return words(errno: Int32(inner.code)) }
    switch (error as? CocoaError)?.code {
    case CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile: return words(errno: ENOENT)
    case CocoaError.fileReadNoPermission, CocoaError.fileWriteNoPermission: return words(errno: EACCES)
    case CocoaError.fileWriteOutOfSpace: return words(errno: ENOSPC)
    case CocoaError.fileWriteVolumeReadOnly: return words(errno: EROFS)
    case CocoaError.fileReadInapplicableStringEncoding, CocoaError.fileReadCorruptFile:
      return "is not UTF-8 text"
    case _: return inner.localizedDescription
    }
  }

  package static func words(errno code: Int32) -> String { String(cString: strerror(code)) }
}
