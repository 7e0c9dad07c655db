import Foundation
import Messages

/// A `file:` source. Its validator is made of inode, size and modification time.
struct LocalFile {
  var url: URL
  var limit: Int

  func read(_ position: PollPosition) -> Fetcher.Answer {
    let path = url.path
    // Opening a pipe would block until it has a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      return .failed(.file(path: path, reason: String(cString: strerror(errno))), PollHints())
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failed(.file(path: path, reason: "it is not a regular file"), PollHints())
    }
    // The inode differs if another file of the same size and time has replaced it.
    let tag = "\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    if position.validators.etag == tag { return .notModified(position, PollHints()) }
    guard Int(status.st_size) <= limit else { return .failed(.tooLarge(limit: limit), PollHints()) }
    do {
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
      let bytes = try handle.read(upToCount: limit + 1) ?? Data()
      guard bytes.count <= limit else { return .failed(.tooLarge(limit: limit), PollHints()) }
      return .document(
        Fetcher.Document(
          bytes: bytes, address: url.absoluteString, charset: nil, mediaType: nil,
          validators: Validators(etag: tag), hints: PollHints(), movedTo: nil, movedCount: 0))
    } catch {
      return .failed(.file(path: path, reason: Self.reason(error)), PollHints())
    }
  }

  private static func reason(_ error: any Error) -> String {
    let outer = error as NSError
    let inner = outer.userInfo[NSUnderlyingErrorKey] as? NSError ?? outer
    if inner.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(inner.code))) }
    switch (error as? CocoaError)?.code {
    case CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile: return "the file does not exist"
    case CocoaError.fileReadNoPermission: return "its permissions do not allow it"
    case _: return inner.localizedDescription
    }
  }
}
