import Foundation
import HTTP
import Messages

/// The file of a source with a `file:` URL. The validator consists of inode, size and modification time.
struct LocalFile {
  var url: URL
  /// The maximum number of bytes, also after decompression.
  var limit: Int

  /// Reads the file, unless its validator shows that it has not changed since the last poll.
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
    // The inode differs if the file was replaced by one of the same size and time.
    let tag = "\(status.st_ino)-\(status.st_size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    if position.validators.etag == tag { return .notModified(position, PollHints()) }
    guard Int(status.st_size) <= limit else { return .failed(.tooLarge(limit: limit), PollHints()) }
    // A file may be compressed, for example feed.xml.gz.
    let decoder = ContentDecoder(
      codings: [], limit: limit, announced: Int(status.st_size))
    do throws(FetchFailure) { try read(descriptor, size: Int(status.st_size), to: decoder) } catch {
      return .failed(error, PollHints())
    }
    return .document(
      Fetcher.Document(
        bytes: decoder.decoded(), address: url.absoluteString, charset: nil, mediaType: nil,
        validators: Validators(etag: tag), hints: PollHints(), movedTo: nil, movedCount: 0))
  }

  /// Reads to the end of the file, which may have grown since its size was read.
  private func read(_ descriptor: Int32, size: Int, to decoder: ContentDecoder) throws(FetchFailure) {
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(max(size, 4095) + 1, 1 << 18), alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = Foundation.read(descriptor, piece.baseAddress, piece.count)
      if count == 0 { break }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw .file(path: url.path, reason: String(cString: strerror(errno)))
      }
      do throws(ContentDecoder.Failure) {
        try decoder.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      } catch {
        throw failure(error)
      }
    }
    var isWhole = false
    do throws(ContentDecoder.Failure) { isWhole = try decoder.finish() } catch { throw failure(error) }
    if !isWhole { throw .cutOff(received: decoder.received) }
  }

  private func failure(_ failure: ContentDecoder.Failure) -> FetchFailure {
    FetchFailure(RequestFailure(failure, limit: limit, received: 0))
  }
}
