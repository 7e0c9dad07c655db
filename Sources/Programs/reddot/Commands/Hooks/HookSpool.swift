import Basics
import Foundation
import Platform

/// The folder beside the database in which hooks leave what happened: it is stored by another process, so that a hook waits
/// neither for the database nor for a program.
struct HookSpool: Sendable {
  let folder: String

  /// - Parameter database: the path of the database.
  init(database: String) { folder = database + ".hooks" }

  /// Why nothing could be left.
  enum Failure: UserFacingError, Hashable {
    case cannotWrite(path: String, reason: String)
    /// A sentence.
    case notReadable(String)
    /// Nothing was stored for a long time.
    case full(path: String)

    var sentence: String {
      switch self {
      case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)"
      case .notReadable(let sentence): sentence
      case .full(let path):
        "\(path) has \(Limits.hookRecords) files that were not stored: reddot poll stores them"
      }
    }
  }

  /// Leaves a record, whole or not at all. It isn't forced to the disk: who hands it over must not wait for that.
  ///
  /// - Parameter id: differs for all that come at once.
  func add(_ record: HookRecord, id: String) throws(Failure) {
    let bytes: [UInt8]
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      bytes = Array(try encoder.encode(record))
    } catch {
      throw .cannotWrite(path: folder, reason: "\(error)")
    }
    try makeFolder()
    // By time.
    let digits = String(max(0, record.at))
    let name = String(repeating: "0", count: max(0, 16 - digits.count)) + "\(digits)-\(id)"
    let partial = "\(folder)/.\(name)"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure() }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let failure = failure()
        close(descriptor)
        unlink(partial)
        throw failure
      }
      rest = rest.dropFirst(count)
    }
    close(descriptor)
    guard rename(partial, "\(folder)/\(name)") == 0 else {
      let failure = failure()
      unlink(partial)
      throw failure
    }
  }

  private func makeFolder() throws(Failure) {
    if mkdir(folder, 0o700) == 0 { return }
    guard errno == EEXIST else {
      guard errno == ENOENT else { throw failure() }
      // The first start of all.
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw .cannotWrite(path: folder, reason: SystemReason.words(error))
      }
      return
    }
    // The size of a folder grows with the names in it, and asking for it costs nothing.
    var status = stat()
    guard stat(folder, &status) == 0 else { throw failure() }
    if Int(status.st_size) >= Limits.hookRecords * 64, try names().count >= Limits.hookRecords {
      throw .full(path: folder)
    }
  }

  private func failure() -> Failure { .cannotWrite(path: folder, reason: SystemReason.words(errno: errno)) }

  /// The names of what waits, oldest first.
  func names() throws(Failure) -> [String] { try entries().filter { !$0.hasPrefix(".") }.sorted() }

  /// Removes what hooks left that were killed while they wrote it.
  ///
  /// - Parameter now: only what is older than `Limits.hookUnfinishedSeconds` then.
  /// - Returns: the failures to remove one.
  func removeUnfinished(at now: Date) throws(Failure) -> [Failure] {
    var failures: [Failure] = []
    for name in try entries() where name.hasPrefix(".") && name != Self.lockName && name != Self.refusedName {
      var status = stat()
      guard stat("\(folder)/\(name)", &status) == 0 else { continue }
      if now.timeIntervalSince1970 - Double(status.st_mtim.tv_sec) > Limits.hookUnfinishedSeconds {
        do throws(Failure) { try remove(name) } catch { failures.append(error) }
      }
    }
    return failures
  }

  private func entries() throws(Failure) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw .notReadable("\(folder) cannot be read: \(SystemReason.words(error))")
    }
  }

  /// Whether something waits.
  var isEmpty: Bool {
    guard let directory = opendir(folder) else { return true }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      if entry.pointee.d_name.0 != Int8(bitPattern: UInt8(ascii: ".")) { return false }
    }
    return true
  }

  /// - Returns: nil for a file that isn't a record.
  func record(_ name: String) throws(Failure) -> HookRecord? {
    let bytes: Data
    do throws(BoundedFile.Failure) {
      bytes = try BoundedFile.read("\(folder)/\(name)", limit: Limits.hookBytes * 8)
    } catch .tooLarge, .tooSlow {
      return nil
    } catch {
      throw .notReadable("\(folder)/\(name) \(error.reason)")
    }
    return try? JSONDecoder().decode(HookRecord.self, from: bytes)
  }

  /// What stays would be stored again and again.
  func remove(_ name: String) throws(Failure) {
    guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
      throw .cannotWrite(path: "\(folder)/\(name)", reason: SystemReason.words(errno: errno))
    }
  }

  /// Keeps a record that can't be stored in its own folder, with a file for the reason. If there are very many, the oldest are deleted.
  ///
  /// - Returns: the path of the file.
  func setAside(_ name: String, because reason: String) throws(Failure) -> String {
    guard mkdir(refused, 0o700) == 0 || errno == EEXIST,
      rename("\(folder)/\(name)", "\(refused)/\(name)") == 0
    else { throw failure() }
    // The log has the reason too.
    try? Data("\(reason)\n".utf8).write(to: URL(fileURLWithPath: "\(refused)/\(name)\(Self.reasonEnd)"))
    for old in namesSetAside.dropLast(Limits.hookRecordsSetAside) {
      // One may be a folder.
      try? FileManager.default.removeItem(atPath: "\(refused)/\(old)")
      unlink("\(refused)/\(old)\(Self.reasonEnd)")
    }
    return "\(refused)/\(name)"
  }

  /// The names of the records that could not be stored, oldest first.
  private var namesSetAside: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: refused)) ?? []
    return names.filter { !$0.hasSuffix(Self.reasonEnd) }.sorted()
  }

  /// The number of records that could not be stored, their folder and what to do; `nil` if there are none.
  var setAsideSentence: String? {
    let names = namesSetAside
    guard let last = names.last else { return nil }
    let count = names.count == 1 ? "1 record of a hook" : "\(names.count) records of hooks"
    let bytes = try? BoundedFile.read("\(refused)/\(last)\(Self.reasonEnd)", limit: 4096)
    let reason = bytes.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines) }
    return "\(count) could not be stored" + (reason.map { "; the last: \($0)" } ?? "")
      + "; move what you want to keep from \(refused) back to \(folder), and delete the rest"
  }

  private var refused: String { "\(folder)/\(Self.refusedName)" }
  private static let refusedName = ".refused"
  private static let reasonEnd = ".reason"

  /// The right to store what waits; nil while another process has it. That one looks once more after it has let go, so what was
  /// left before this call isn't forgotten.
  func tryLock() -> Lock? { Lock("\(folder)/\(Self.lockName)") }

  private static let lockName = ".storing"

  final class Lock {
    private var descriptor: Int32

    fileprivate init?(_ path: String) {
      descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { return nil }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        return nil
      }
    }

    /// Again does nothing.
    func release() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }

    deinit { release() }
  }
}
