import Foundation

/// A file that a person asked for by name.
struct SavedFile {
  let path: String

  /// - Parameters:
  ///   - typed: as a person wrote it: `~` is the home folder, and what does not begin with `/` is in the working directory.
  init(typed: String, home: String) {
    path = URL(fileURLWithPath: SourceAddress.expandingHome(typed, home: home)).path
  }

  /// Writes the bytes to a new file.
  ///
  /// - Parameter replacing: whether a file of that name is replaced, in one step; one that isn't a regular file never is.
  /// - Returns: false where there is such a file, and it is not to be replaced.
  /// - Throws: `ReplacedFile.Failure`, a clause such as "cannot be written: No space left on device".
  func write(_ bytes: Data, replacing: Bool) throws -> Bool {
    var existing = stat()
    if stat(path, &existing) == 0 {
      let kind = existing.st_mode & S_IFMT
      guard kind != S_IFDIR else { throw ReplacedFile.Failure("is a folder: give a name in it") }
      guard kind == S_IFREG else { throw ReplacedFile.Failure("is not a regular file") }
      guard replacing else { return false }
      try ReplacedFile(path: path).edit { _ in bytes }
      return true
    }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      // Made since it was looked for, or a symbolic link that leads nowhere.
      if errno == EEXIST, !replacing { return false }
      throw ReplacedFile.Failure("cannot be written", errno: errno)
    }
    defer { close(file) }
    do {
      try FileHandle(fileDescriptor: file, closeOnDealloc: false).write(contentsOf: bytes)
    } catch {
      // A part of a message would pass for all of it.
      unlink(path)
      throw ReplacedFile.Failure("cannot be written: \(SystemReason.words(error))")
    }
    return true
  }
}
