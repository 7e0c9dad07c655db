import Basics
package import Foundation

/// A new file below a folder. An existing file is never replaced, and no link leads out of the folder: the folders of
/// the path are opened one after the other, without following links.
package struct NewFile {
  /// The reason why the file cannot be created.
  package enum Obstacle: Error, Hashable {
    /// A file with this name already exists.
    case exists
    /// A part of the path, or the file itself, is a symbolic link.
    case link(String)
    /// A part of the path is a file.
    case file(String)
    /// The reason as a clause, for example "cannot be written: No space left on device".
    case failure(String)
  }

  package let path: String
  private let folder: String
  private let parts: [String]

  /// - Parameters:
  ///   - folder: the folder, which may be a link itself.
  ///   - name: the relative path, with `/` between its parts.
  package init(below folder: String, _ name: String) {
    self.folder = folder
    parts = name.split(onBytes: "/").map(String.init)
    path = folder + "/" + parts.joined(separator: "/")
  }

  /// Returns the obstacle that prevents the creation of the file now, or `nil` if there is none.
  package func obstacle() -> Obstacle? {
    var path = folder
    for (index, part) in parts.enumerated() {
      path += "/" + part
      var status = stat()
      guard lstat(path, &status) == 0 else { return errno == ENOENT ? nil : failure(errno) }
      let kind = status.st_mode & S_IFMT
      if kind == S_IFLNK { return .link(path) }
      if index == parts.count - 1 { return .exists }
      if kind != S_IFDIR { return .file(path) }
    }
    return nil
  }

  /// Creates the file, with mode 0700 for a program and 0600 otherwise. Missing folders are created with 0700.
  package func write(_ bytes: Data, isProgram: Bool) throws(Obstacle) {
    guard let name = parts.last, !parts.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw failure(EINVAL)
    }
    let parent = try openParent()
    defer { close(parent) }
    let descriptor = openat(
      parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0o600)
    // O_EXCL does not follow a link either.
    guard descriptor >= 0 else { throw errno == EEXIST ? obstacle() ?? .exists : failure(errno) }
    defer { close(descriptor) }
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: bytes)
    } catch {
      // A partly written program could be taken for a complete one.
      unlinkat(parent, name, 0)
      throw .failure("cannot be written: \(SystemReason.words(error))")
    }
    guard fchmod(descriptor, isProgram ? 0o700 : 0o600) == 0, fsync(descriptor) == 0 else {
      let code = errno
      unlinkat(parent, name, 0)
      throw failure(code)
    }
  }

  /// Opens the folder of the file, and creates missing folders.
  private func openParent() throws(Obstacle) -> Int32 {
    var current = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard current >= 0 else { throw failure(errno) }
    for part in parts.dropLast() {
      if mkdirat(current, part, 0o700) != 0, errno != EEXIST {
        let code = errno
        close(current)
        throw failure(code)
      }
      let next = openat(current, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      let code = errno
      close(current)
      guard next >= 0 else {
        throw [ELOOP, ENOTDIR].contains(code) ? obstacle() ?? failure(code) : failure(code)
      }
      current = next
    }
    return current
  }

  private func failure(_ code: Int32) -> Obstacle {
    .failure("cannot be written: \(SystemReason.words(errno: code))")
  }
}
