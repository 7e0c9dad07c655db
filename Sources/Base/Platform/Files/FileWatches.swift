import Basics
import Foundation
import Glibc

/// The watched directories of some files, and the meaning of an event in one of them (inotify(7)).
struct FileWatches {
  /// The relation between a name in a directory and a watched file.
  private struct Interest: Hashable {
    var file: String
    /// Whether the name is the file itself, not a link or a directory of its path.
    var isFile: Bool
  }

  private let events: SystemFileEvents
  private let open: Set<String>
  private var files: Set<String> = []
  /// The names in directories whose events matter, keyed by the directory's watch.
  private var names: [Int32: [String: Set<Interest>]] = [:]
  /// The watched folders, in which the events of every file matter, keyed by the folder's watch.
  private var folders: [Int32: Set<String>] = [:]
  /// The files whose paths contain a directory, keyed by the directory's watch.
  private var ways: [Int32: Set<String>] = [:]

  /// The events that are watched for the entries of a directory on the path of a file.
  private static let entries = UInt32(
    IN_MODIFY | IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
  /// The events that are watched for the files in a watched folder.
  private static let content = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
  /// The events that are watched for a directory itself.
  private static let itself = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)

  init(_ events: SystemFileEvents, open: Set<String>) {
    self.events = events
    self.open = open
  }

  /// Watches these files from now on, and no others.
  mutating func watch(_ files: Set<String>) {
    self.files = files
    follow()
  }

  /// Follows the path of every file again and watches its existing part. A directory is watched before it is read, so
  /// that a change in between is noticed.
  private mutating func follow() {
    let old = Set(ways.keys)
    names = [:]
    folders = [:]
    ways = [:]
    for file in files { follow(file) }
    for watch in old.subtracting(ways.keys) { events.stopWatching(watch) }
  }

  /// Follows the path of a file through directories and links, and watches its existing part.
  private mutating func follow(_ file: String) {
    var rest = URL(fileURLWithPath: file).standardizedPathComponents
    var directory = "/"
    var links = 0
    while let name = rest.popLast() {
      if name == ".." {
        directory = (directory as NSString).deletingLastPathComponent
        continue
      }
      // Only names in the path cause events, so that other files of the directory cause no wake-up.
      guard let watch = add(directory, Self.itself, for: file) else { return }
      let path = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
      var status = stat()
      let isThere = lstat(path, &status) == 0
      let kind = isThere ? status.st_mode & S_IFMT : 0
      if isThere, kind == S_IFDIR, !rest.isEmpty {
        directory = path
        continue
      }
      names[watch, default: [:]][name, default: []].insert(Interest(file: file, isFile: rest.isEmpty))
      guard add(directory, Self.entries, for: file) != nil else { return }
      // The entry may have been created or replaced before its directory was watched.
      guard lstat(path, &status) == 0 else { return }
      if status.st_mode & S_IFMT == S_IFLNK {
        links += 1
        guard links <= Limits.symbolicLinks, let target = Self.destination(of: path) else { return }
        let components = target.split(onBytes: "/").filter { $0 != "." }.reversed().map(String.init)
        if target.hasPrefix("/") { directory = "/" }
        rest += components
      } else if !rest.isEmpty {
        guard status.st_mode & S_IFMT == S_IFDIR else { return }
        directory = path
      } else if status.st_mode & S_IFMT == S_IFDIR, let watch = add(path, Self.content, for: file) {
        folders[watch, default: []].insert(file)
      }
    }
  }

  /// Watches a directory that is on the path of a file; returns the number of the watch.
  private mutating func add(_ directory: String, _ mask: UInt32, for file: String) -> Int32? {
    guard let watch = events.watch(directory, mask | UInt32(IN_MASK_ADD)) else { return nil }
    ways[watch, default: []].insert(file)
    return watch
  }

  /// Returns the target of a link, or `nil` if the file is no longer a link. In that case an event follows,
  /// after which the whole path is followed again.
  private static func destination(of link: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: link)
  }

  /// Reads the events, and follows the paths again if one of them has changed.
  ///
  /// - Returns: the files that have changed or may have changed.
  mutating func readEvents() -> Set<String> {
    var changed: Set<String> = []
    var isWayChanged = false
    events.read { event, name in
      let meaning = meaning(of: event, String(decoding: name, as: UTF8.self))
      changed.formUnion(meaning.changed)
      if meaning.isWayChanged { isWayChanged = true }
    }
    if isWayChanged { follow() }
    return changed
  }

  /// Returns the files that an event may have changed, and whether paths must be followed again.
  private func meaning(of event: inotify_event, _ name: String) -> (
    changed: Set<String>, isWayChanged: Bool
  ) {
    // The system's queue has overflowed.
    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return (files, true) }
    if event.mask & Self.itself != 0 { return (ways[event.wd] ?? [], true) }
    var changed = event.mask & Self.content == 0 ? [] : folders[event.wd] ?? []
    guard let interests = names[event.wd]?[name] else { return (changed, false) }
    let isWrite = event.mask & UInt32(IN_MODIFY | IN_CLOSE_WRITE) != 0
    for interest in interests {
      let isOpen = open.contains(interest.file)
      if isWrite, !interest.isFile { continue }
      if event.mask & UInt32(IN_MODIFY) != 0, !isOpen { continue }
      if event.mask & UInt32(IN_CREATE) != 0, interest.isFile, Self.isEmpty(interest.file) { continue }
      changed.insert(interest.file)
    }
    return (changed, !isWrite)
  }
}

extension FileWatches {
  /// Whether the file was created, but not written and closed yet.
  private static func isEmpty(_ file: String) -> Bool {
    var status = stat()
    return stat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
  }
}

extension URL {
  /// The names from the last to the first, without `.`; `..` is kept, since it depends on links.
  fileprivate var standardizedPathComponents: [String] {
    path.split(onBytes: "/").filter { $0 != "." }.reversed().map(String.init)
  }
}
