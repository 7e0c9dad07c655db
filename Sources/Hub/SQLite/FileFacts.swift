import Foundation

/// The identity, size and owner of the file at a path, following symbolic links (stat(2)).
struct FileFacts {
  /// The device number of the file system, and the file's inode number in it.
  private let fileSystem: Int
  private let file: Int
  /// The number of bytes.
  let size: Int
  let user: uid_t
  let group: gid_t

  /// Returns `nil` if there is no file, or its properties can't be read.
  init?(_ path: String) {
    let path = URL(filePath: path).resolvingSymlinksInPath().path
    guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
      let fileSystem = facts[.systemNumber] as? NSNumber, let file = facts[.systemFileNumber] as? NSNumber,
      let size = facts[.size] as? NSNumber, let user = facts[.ownerAccountID] as? NSNumber,
      let group = facts[.groupOwnerAccountID] as? NSNumber
    else { return nil }
    (self.fileSystem, self.file, self.size) = (fileSystem.intValue, file.intValue, size.intValue)
    (self.user, self.group) = (user.uint32Value, group.uint32Value)
  }

  /// Whether two paths lead to the same file.
  func isSameFile(as other: FileFacts?) -> Bool { fileSystem == other?.fileSystem && file == other?.file }
}
