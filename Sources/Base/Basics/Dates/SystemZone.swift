import Foundation
import Synchronization

/// The system's time zone: that of `TZ`, else of `/etc/localtime`.
///
/// Only the C library reads it: it has the rules of any file, and of the forms of `TZ` (POSIX.1-2017, section 8.3), whose
/// `UTC-3` is east of Greenwich. Foundation knows zones by their names only, and reads those forms differently.
package enum SystemZone {
  /// The file that it is read from; it may not exist, where `TZ` is a rule.
  package static let file: String = {
    guard let setting = getenv("TZ").map({ String(cString: $0) }) else { return "/etc/localtime" }
    let name = setting.hasPrefix(":") ? String(setting.dropFirst()) : setting
    return name.hasPrefix("/") ? name : "/usr/share/zoneinfo/\(name.isEmpty ? "Universal" : name)"
  }()

  /// Which file was read; a file that takes its place is another.
  private struct Stamp: Equatable {
    var device: dev_t
    var number: ino_t
    var seconds: Int
    var nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, number) = (status.st_dev, status.st_ino)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private struct Reading {
    var stamp: Stamp?
    var count = 0
  }

  private static let reading = Mutex(Reading(stamp: Stamp(file)))

  /// Reads the zone again if another file is there.
  package static func readAgainIfChanged() {
    let stamp = Stamp(file)
    reading.withLock { reading in
      guard reading.stamp != stamp else { return }
      reading = Reading(stamp: stamp, count: reading.count + 1)
      // tzset(3) reads a file again, unless TZ names it as before. Other spellings of its path name it too. The variable is
      // there already, so setenv(3) of glibc only changes a pointer, and other threads may read the environment meanwhile.
      if getenv("TZ") != nil, file.hasPrefix("/") {
        setenv("TZ", ":" + (reading.count.isMultiple(of: 2) ? "" : "/.") + file, 1)
      }
      tzset()
    }
  }

  /// The name of the zone, or the rule of a zone without a name: two zones have one name only if their clocks agree.
  package static var name: String {
    let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    if let folder = path.range(of: "/zoneinfo/") {
      if reading.withLock({ $0.stamp }) != nil { return String(path[folder.upperBound...]) }
      return getenv("TZ").map { String(cString: $0) } ?? path
    }
    return rule(of: path) ?? path
  }

  /// The last line of a file of zones: the rule of the years to come (RFC 9636 section 3.3).
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
  /// The longest suffix whose bytes all satisfy a condition.
  fileprivate func suffix(while condition: (UInt8) -> Bool) -> Data {
    self[(lastIndex { !condition($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
