import Basics
import Foundation
import Platform

/// The folder next to the database in which hooks store events as records. Another process adds them to the database,
/// so that a hook waits neither for the database nor for a program.
struct HookSpool: Sendable {
  let folder: String

  /// - Parameter database: the path of the database.
  init(database: String) { folder = database + ".hooks" }

  /// The reason why a record could not be written or read.
  enum Failure: UserFacingError, Hashable {
    case cannotWrite(path: String, reason: String)
    /// The spool cannot be read; the reason is a sentence.
    case notReadable(String)
    /// The spool has the maximum number of records, since nothing was stored for a long time.
    case full(path: String)

    var sentence: String {
      switch self {
      case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)"
      case .notReadable(let sentence): sentence
      case .full(let path):
        "\(path) has \(Limits.hookRecords) files that are not stored; run reddot poll to store them"
      }
    }
  }

  /// Writes a record, either completely or not at all. The record isn't forced to the disk: the caller must not wait
  /// for that.
  ///
  /// - Parameter id: an id that differs between all records of the same time.
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
    // Names are sorted by time.
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
      // This is the first start on this machine.
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw .cannotWrite(path: folder, reason: SystemReason.words(error))
      }
      return
    }
    // The size of a folder grows with the names in it, and reading it costs nothing.
    var status = stat()
    guard stat(folder, &status) == 0 else { throw failure() }
    if Int(status.st_size) >= Limits.hookRecords * 64, try names().count >= Limits.hookRecords {
      throw .full(path: folder)
    }
  }

  private func failure() -> Failure { .cannotWrite(path: folder, reason: SystemReason.words(errno: errno)) }

  /// Returns the names of the waiting records, oldest first.
  func names() throws(Failure) -> [String] { try entries().filter { !$0.hasPrefix(".") }.sorted() }

  /// Removes the unfinished files of hooks that were killed.
  ///
  /// - Parameter now: the current time. Only files that are older than `Limits.hookUnfinishedSeconds` are removed.
  /// - Returns: the removals that failed.
  func removeUnfinished(at now: Date) throws(Failure) -> [Failure] {
    var failures: [Failure] = []
    for name in try entries() where name.hasPrefix(".") && !Self.keptNames.contains(name) {
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

  /// Whether the spool is empty.
  var isEmpty: Bool {
    guard let directory = opendir(folder) else { return true }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      if entry.pointee.d_name.0 != Int8(bitPattern: UInt8(ascii: ".")) { return false }
    }
    return true
  }

  /// Reads a record.
  ///
  /// - Returns: `nil` if the file isn't a record.
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

  /// Removes a record, which would otherwise be stored repeatedly.
  func remove(_ name: String) throws(Failure) {
    guard unlink("\(folder)/\(name)") == 0 || errno == ENOENT else {
      throw .cannotWrite(path: "\(folder)/\(name)", reason: SystemReason.words(errno: errno))
    }
  }

  /// Moves a record that can't be stored to a separate folder, with a file for the reason. If that folder has very many
  /// records, the oldest are deleted.
  ///
  /// - Returns: the new path of the record.
  func setAside(_ name: String, because reason: String) throws(Failure) -> String {
    guard mkdir(refused, 0o700) == 0 || errno == EEXIST,
      rename("\(folder)/\(name)", "\(refused)/\(name)") == 0
    else { throw failure() }
    // The log also has the reason.
    try? Data("\(reason)\n".utf8).write(to: URL(fileURLWithPath: "\(refused)/\(name)\(Self.reasonEnd)"))
    for old in namesSetAside.dropLast(Limits.hookRecordsSetAside) {
      // An entry may be a folder.
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

  /// The number of records that could not be stored, their folder and the remedy, or `nil` if there are none.
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
  private static let jobsName = ".jobs"
  private static let keptNames: Set<String> = [lockName, refusedName, jobsName]
  private static let reasonEnd = ".reason"

  /// Returns the jobs that hooks reported recently. If their file is missing, two jobs of one project may have the same
  /// title; nothing else needs the file.
  func jobs() -> HookJobs {
    let bytes = try? BoundedFile.read("\(folder)/\(Self.jobsName)", limit: Limits.hookJobsBytes)
    return bytes.flatMap { try? JSONDecoder().decode(HookJobs.self, from: $0) } ?? HookJobs()
  }

  /// Stores the jobs. Only the process that has the lock calls this.
  func keep(_ jobs: HookJobs) {
    let bytes = try? JSONEncoder().encode(jobs)
    try? bytes?.write(to: URL(fileURLWithPath: "\(folder)/\(Self.jobsName)"), options: .atomic)
  }

  /// Changes the jobs outside of the process that stores records. If that process runs, the change is not kept.
  func changeJobs<Value>(_ body: (inout HookJobs) -> Value) -> Value {
    try? makeFolder()
    let lock = tryLock()
    defer { lock?.release() }
    let before = jobs()
    var jobs = before
    let value = body(&jobs)
    if lock != nil, jobs != before { keep(jobs) }
    return value
  }

  /// Returns the lock for storing the waiting records, or `nil` while another process has it. That process checks for
  /// records once more after it has released the lock, so records from before this call are not forgotten.
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

    /// Releases the lock; a second call does nothing.
    func release() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }

    deinit { release() }
  }
}
