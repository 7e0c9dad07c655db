import Basics
import CThreads
import Foundation

/// The files of a sync location that is a folder. Each call opens the folder again, since it may be mounted or replaced
/// meanwhile.
struct FolderFiles {
  let path: String
  /// The ways to name a file; tests use a file system that supports only some of them.
  var namings = Naming.allCases

  /// The beginning of the names of files that are still being written.
  private static let unfinished = ".tmp-"

  // MARK: Names

  /// Returns the names of all objects, ascending, and removes old files that were never written completely.
  ///
  /// - Parameter look: called with the path of each folder before the folder is read.
  func names(_ look: (String) -> Void = { _ in }) throws(PlaceFailure) -> [ObjectName] {
    look(path)
    let top = try openTop()
    defer { close(top) }
    var (names, seen): ([ObjectName], Int) = ([], 0)
    var folders: [DeviceID] = []
    try eachName(in: top, &seen) { name, _ throws(PlaceFailure) in
      if let device = DeviceID(folder: name) { folders.append(device) }
    }
    for device in folders.sorted() {
      look("\(path)/\(device.folder)")
      names += try files(of: device, in: top, &seen)
      guard names.count <= Limits.placeObjects else {
        throw .broken(place: path, reason: "it has more than \(Limits.placeObjects) objects")
      }
    }
    return names
  }

  /// Returns the objects of a machine, ascending.
  func names(of device: DeviceID) throws(PlaceFailure) -> [ObjectName] {
    let top = try openTop()
    defer { close(top) }
    var seen = 0
    return try files(of: device, in: top, &seen)
  }

  /// Returns the objects of a machine, ascending, and removes its old unfinished files. `seen` counts all names.
  private func files(of machine: DeviceID, in top: Int32, _ seen: inout Int) throws(PlaceFailure)
    -> [ObjectName]
  {
    guard let device = try openFolder(machine.folder, of: top) else { return [] }
    defer { close(device) }
    var files: [ObjectName] = []
    try eachName(in: device, &seen) { name, type throws(PlaceFailure) in
      if name.starts(with: Self.unfinished.utf8) {
        removeUnfinished(String(decoding: name, as: UTF8.self), in: device)
      } else if let object = ObjectName(device: machine, file: name), isFile(object.file, type, in: device) {
        files.append(object)
      }
    }
    return files.sorted()
  }

  /// Calls `body` with the name and type of each entry of a folder. Throws if `seen` exceeds `Limits.placeNames`.
  private func eachName(
    in folder: Int32, _ seen: inout Int, _ body: (ArraySlice<UInt8>, UInt8) throws(PlaceFailure) -> Void
  ) throws(PlaceFailure) {
    // The stream closes its descriptor.
    let copy = fcntl(folder, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw failure(errno) }
    guard let stream = fdopendir(copy) else {
      let code = errno
      close(copy)
      throw failure(code)
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw failure(errno) }
        return
      }
      seen += 1
      guard seen <= Limits.placeNames else {
        throw .broken(place: path, reason: "it has more than \(Limits.placeNames) files")
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in ArraySlice(bytes.prefix { $0 != 0 }) }
      try body(name, entry.pointee.d_type)
    }
  }

  private func isFile(_ name: @autoclosure () -> String, _ type: UInt8, in folder: Int32) -> Bool {
    // Some file systems don't return the type with the name.
    if Int(type) != Int(DT_UNKNOWN) { return Int(type) == Int(DT_REG) }
    return status(name(), in: folder) != nil
  }

  /// Returns the status of a file, or `nil` if the name is not that of a file.
  private func status(_ name: String, in folder: Int32) -> stat? {
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return status
  }

  private func removeUnfinished(_ name: String, in folder: Int32) {
    guard let status = status(name, in: folder), status.st_uid == geteuid(),
      // This is the system's clock, like the file's time.
      time(nil) - Self.modified(status).tv_sec > Limits.unfinishedObjectSeconds
    else { return }
    // A file that can't be removed is harmless.
    unlinkat(folder, name, 0)
  }

  private static func modified(_ status: stat) -> timespec {
    status.st_mtim
  }

  // MARK: Objects

  /// Returns the sizes and times of existing objects.
  func states(of names: [ObjectName]) throws(PlaceFailure) -> [ObjectName: ObjectState] {
    if names.isEmpty { return [:] }
    let top = try openTop()
    defer { close(top) }
    var states: [ObjectName: ObjectState] = [:]
    for (device, names) in Dictionary(grouping: names, by: \.device) {
      guard let folder = try openFolder(device.folder, of: top) else { continue }
      defer { close(folder) }
      for name in names {
        guard let status = status(name.file, in: folder) else { continue }
        let time = Self.modified(status)
        states[name] = ObjectState(
          size: Int64(status.st_size), modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
      }
    }
    return states
  }

  /// Returns the bytes of an object, or `nil` if it does not exist or its name is that of a folder, link or other
  /// non-file.
  ///
  /// - Parameter limit: the maximum number of bytes; `nil` means all of an object.
  func bytes(of name: ObjectName, limit: Int? = nil) throws(PlaceFailure) -> [UInt8]? {
    let top = try openTop()
    defer { close(top) }
    let (folder, file) = try parts(of: name)
    guard let device = try openFolder(folder, of: top) else { return nil }
    defer { close(device) }
    return try read(file, in: device, limit: limit ?? Limits.placeObjectBytes + 1)
  }

  /// Writes an object's file, and returns once it is on the disk.
  func write(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    let (folder, file) = try parts(of: name)
    guard bytes.count <= Limits.placeObjectBytes else {
      throw .broken(place: path, reason: "an object cannot have \(bytes.count) bytes")
    }
    let top = try openTop(making: name == .marker)
    defer { close(top) }
    let isNew = mkdirat(top, folder, 0o700) == 0
    guard isNew || errno == EEXIST else { throw failure(errno) }
    if isNew { try synchronise(top) }
    guard let device = try openFolder(folder, of: top) else {
      throw .broken(place: path, reason: "\(folder) is not a folder")
    }
    defer { close(device) }
    // An existing file is not written again completely.
    if let result = try compare(file, bytes, in: device) { return result }
    let temporary = Self.temporary()
    do throws(PlaceFailure) {
      try writeFile(temporary, bytes, in: device)
      if try giveName(file, to: temporary, in: device) {
        try synchronise(device)
        return .done
      }
    } catch {
      unlinkat(device, temporary, 0)
      throw error
    }
    unlinkat(device, temporary, 0)
    // Another program created it meanwhile. A network's folder may also report our own link as a failure.
    if let result = try compare(file, bytes, in: device) { return result }
    throw .broken(place: path, reason: "\(folder)/\(file) is not a file")
  }

  /// Replaces the bytes of an object. Readers get either the old bytes or the new ones.
  func replace(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) {
    let (folder, file) = try parts(of: name)
    let top = try openTop()
    defer { close(top) }
    guard let device = try openFolder(folder, of: top) else { throw failure(ENOENT) }
    defer { close(device) }
    let temporary = Self.temporary()
    do throws(PlaceFailure) {
      try writeFile(temporary, bytes, in: device)
      guard renameat(device, temporary, device, file) == 0 else { throw failure(errno) }
    } catch {
      unlinkat(device, temporary, 0)
      throw error
    }
    try synchronise(device)
  }

  /// Returns a random name for a file that is being written.
  private static func temporary() -> String {
    "\(unfinished)\(String(UInt64.random(in: 0 ... .max), radix: 16))"
  }

  func remove(_ name: ObjectName) throws(PlaceFailure) {
    let (folder, file) = try parts(of: name)
    let top = try openTop()
    defer { close(top) }
    guard let device = try openFolder(folder, of: top) else { return }
    defer { close(device) }
    guard isFile(file, UInt8(DT_UNKNOWN), in: device) else { return }
    guard unlinkat(device, file, 0) == 0 || errno == ENOENT else { throw failure(errno) }
    try synchronise(device)
  }

  /// Compares an existing file with the bytes to write. Returns `nil` if there is no file with the name.
  private func compare(_ file: String, _ bytes: [UInt8], in folder: Int32) throws(PlaceFailure) -> PutResult?
  {
    guard let there = try read(file, in: folder, synchronised: true) else { return nil }
    guard there == bytes else { return .anotherIsThere }
    try synchronise(folder)
    return .done
  }

  /// - Parameters:
  ///   - limit: the maximum number of bytes. The default is one more than an object can have.
  ///   - synchronised: whether to write the file to the disk first, since its writer may have been stopped before that.
  private func read(
    _ file: String, in folder: Int32, limit: Int = Limits.placeObjectBytes + 1, synchronised: Bool = false
  ) throws(PlaceFailure) -> [UInt8]? {
    // Opening a pipe with this name must not block.
    let descriptor = openat(folder, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      // It is a link or a socket, or does not exist.
      if [ENOENT, ELOOP, ENXIO].contains(errno) { return nil }
      throw failure(errno)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(Int(status.st_size), limit))
    var buffer = [UInt8](repeating: 0, count: min(limit, 64 << 10))
    while bytes.count < limit {
      let count = Foundation.read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    if synchronised { try synchronise(descriptor) }
    return bytes
  }

  private func writeFile(_ name: String, _ bytes: [UInt8], in folder: Int32) throws(PlaceFailure) {
    let descriptor = openat(
      folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      rest = rest.dropFirst(count)
    }
    guard fsync(descriptor) == 0 else { throw failure(errno) }
  }

  /// The ways to give a file its name, the best one first. Some file systems have no links (those of USB sticks, and of
  /// some networks), and some of these can't rename without replacing.
  enum Naming: CaseIterable { case link, renameIfAbsent, lookAndRename }

  /// Gives a finished temporary file its final name.
  ///
  /// - Returns: `false` if the name exists.
  private func giveName(_ name: String, to temporary: String, in folder: Int32) throws(PlaceFailure) -> Bool {
    var code: Int32 = 0
    for naming in namings {
      code = Self.giveName(name, to: temporary, in: folder, by: naming)
      if code == 0 { return true }
      if code == EEXIST { return false }
      guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS, EMLINK, EINVAL, EXDEV].contains(code) else { break }
    }
    throw failure(code)
  }

  /// - Returns: 0, or an error number of errno(3).
  private static func giveName(
    _ name: String, to temporary: String, in folder: Int32, by naming: Naming
  ) -> Int32 {
    switch naming {
    case .link:
      guard linkat(folder, temporary, folder, name, 0) == 0 else { return errno }
      unlinkat(folder, temporary, 0)
      return 0
    case .renameIfAbsent:
      return renameat2(folder, temporary, folder, name, 1 /* RENAME_NOREPLACE */) == 0 ? 0 : errno
    case .lookAndRename:
      // Another machine uses other names, and only one process of this machine writes at a time.
      var status = stat()
      if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
      guard errno == ENOENT else { return errno }
      return renameat(folder, temporary, folder, name) == 0 ? 0 : errno
    }
  }

  // MARK: Folders

  /// Opens the folder of the sync location, and creates it if `making` is set and it does not exist.
  private func openTop(making: Bool = false) throws(PlaceFailure) -> Int32 {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    var descriptor = open(path, flags)
    if descriptor < 0, errno == ENOENT, making {
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure(errno) }
      descriptor = open(path, flags)
      // Its name is on the disk before it contains anything.
      let parent = openat(descriptor, "..", flags)
      if parent >= 0 {
        defer { close(parent) }
        try synchronise(parent)
      }
    }
    guard descriptor >= 0 else { throw failure(errno) }
    return descriptor
  }

  /// Returns the folder, or `nil` if it does not exist; a link doesn't count.
  private func openFolder(_ name: String, of top: Int32) throws(PlaceFailure) -> Int32? {
    let descriptor = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      if [ENOENT, ENOTDIR, ELOOP].contains(errno) { return nil }
      throw failure(errno)
    }
    return descriptor
  }

  private func synchronise(_ descriptor: Int32) throws(PlaceFailure) {
    while fsync(descriptor) != 0 {
      if errno == EINTR { continue }
      // Some file systems can't synchronise a folder.
      guard [EINVAL, ENOTSUP, EOPNOTSUPP, ENOSYS, EROFS].contains(errno) else { throw failure(errno) }
      return
    }
  }

  /// Returns the names of an object's folder and file. Throws for a name that no object can have.
  private func parts(of name: ObjectName) throws(PlaceFailure) -> (folder: String, file: String) {
    // A number with more digits would not result in the name of an object.
    guard ObjectName(device: name.device, file: ArraySlice(name.file.utf8)) == name else {
      throw .broken(place: path, reason: "\(name.path) is not the name of an object")
    }
    return (name.device.folder, name.file)
  }

  func failure(_ code: Int32) -> PlaceFailure {
    let reason = String(cString: strerror(code))
    return switch code {
    case ENOENT: .missing(place: path)
    case EACCES, EPERM, EROFS: .notAllowed(place: path, reason: reason)
    case ENOSPC, EDQUOT: .full(place: path)
    case _: .broken(place: path, reason: reason)
    }
  }
}
