import Foundation
import Synchronization

/// The system's time zone: that of `TZ`, or of `/etc/localtime` if `TZ` is not set.
///
/// Only the C library reads it: it supports any zone file and the forms of `TZ` (POSIX.1-2017, section 8.3), in which
/// `UTC-3` is east of Greenwich. Foundation knows zones only by name, and reads those forms differently.
package enum SystemZone {
  /// The file that contains the zone; it may not exist if `TZ` is a rule.
  package static let file: String = {
    guard let setting = getenv("TZ").map({ String(cString: $0) }) else { return "/etc/localtime" }
    let name = setting.hasPrefix(":") ? String(setting.dropFirst()) : setting
    return name.hasPrefix("/") ? name : "/usr/share/zoneinfo/\(name.isEmpty ? "Universal" : name)"
  }()

  /// The identity of the file that was read; a replaced file has another one.
  private struct Stamp: Equatable {
    var device: dev_t
    var number: ino_t
    var seconds: Int
    var nanoseconds: Int

    /// Reads the identity of a file, or returns `nil` if it does not exist.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, number) = (status.st_dev, status.st_ino)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  /// The identity of the zone file when the zone was last read, and the number of times the zone was read
  /// again.
  private struct Reading {
    var stamp: Stamp?
    var count = 0
  }

  /// The last reading, shared by all threads.
  private static let reading = Mutex(Reading(stamp: Stamp(file)))

  /// Reads the zone again if its file was replaced.
  package static func readAgainIfChanged() {
    let stamp = Stamp(file)
    reading.withLock { reading in
      guard reading.stamp != stamp else { return }
      reading = Reading(stamp: stamp, count: reading.count + 1)
      // tzset(3) reads a file again only if TZ has changed, so TZ gets another spelling of the same path. The variable
      // already exists, so setenv(3) of glibc only changes a pointer, and other threads may read the environment
      // meanwhile.
      if getenv("TZ") != nil, file.hasPrefix("/") {
        setenv("TZ", ":" + (reading.count.isMultiple(of: 2) ? "" : "/.") + file, 1)
      }
      tzset()
    }
  }

  /// The name of the zone, or its rule if it has no name. Two zones have the same value only if their clocks
  /// always agree.
  package static var name: String {
    let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    if let folder = path.range(of: "/zoneinfo/") {
      if reading.withLock({ $0.stamp }) != nil { return String(path[folder.upperBound...]) }
      return getenv("TZ").map { String(cString: $0) } ?? path
    }
    return rule(of: path) ?? path
  }

  /// Returns the last line of a zone file: the rule for future years (RFC 9636 section 3.3).
  private static func rule(of path: String) -> String? {
    guard let handle = FileHandle(forReadingAtPath: path), let size = try? handle.seekToEnd() else {
      return nil
    }
    defer { try? handle.close() }
    try? handle.seek(toOffset: size > 256 ? size - 256 : 0)
    guard let end = try? handle.read(upToCount: 256), end.last == 10 else { return nil }
    let rule = end.dropLast().suffix(while: { $0 != 10 })
    return rule.isEmpty ? nil : String(decoding: rule, as: UTF8.self)
  }
}

extension Data {
  /// Returns the longest suffix whose bytes all satisfy a condition.
  fileprivate func suffix(while condition: (UInt8) -> Bool) -> Data {
    self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
