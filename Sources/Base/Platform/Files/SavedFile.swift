package import Foundation

/// A file to save to, by the name that the user typed.
package struct SavedFile {
  package let path: String

  /// - Parameters:
  ///   - typed: the name as typed. `~` is the home folder, and a relative path is in the working directory.
  package init(typed: String, home: String) {
    path = URL(fileURLWithPath: Directories.expandingHome(typed, home: home)).path
  }

  /// Writes the bytes to a new file.
  ///
  /// - Parameter replacing: whether an existing file is replaced, atomically; only regular files are.
  /// - Returns: `false` if the file exists and must not be replaced.
  /// - Throws: `ReplacedFile.Failure`, a clause such as "cannot be written: No space left on device".
  package func write(_ bytes: Data, replacing: Bool) throws -> Bool {
    var existing = stat()
    if stat(path, &existing) == 0 {
      let kind = existing.st_mode & S_IFMT
      guard kind != S_IFDIR else { throw ReplacedFile.Failure("is a folder; give the name of a file in it") }
      guard kind == S_IFREG else { throw ReplacedFile.Failure("is not a regular file") }
      guard replacing else { return false }
      try ReplacedFile(path: path).edit { _ in bytes }
      return true
    }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      // The file was created since the check, or the path is a broken symbolic link.
      if errno == EEXIST, !replacing { return false }
      throw ReplacedFile.Failure("cannot be written", errno: errno)
    }
    defer { close(file) }
    do {
      try FileHandle(fileDescriptor: file, closeOnDealloc: false).write(contentsOf: bytes)
    } catch {
      // A partly written message could be taken for a complete one.
      unlink(path)
      throw ReplacedFile.Failure("cannot be written: \(SystemReason.words(error))")
    }
    return true
  }
}
