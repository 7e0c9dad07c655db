package import Foundation
import Synchronization

/// The system's time zone: that of `TZ`, else of `/etc/localtime`.
///
/// The C library counts its offsets and has the rules of any file. Foundation knows zones by their names only, and looks for
/// the system's once.
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
      #if canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
      #else
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      #endif
    }
  }

  private struct Reading {
    var stamp: Stamp?
    /// Looked for when Foundation's calendar is needed, which takes a while.
    var zone: TimeZone?
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

  /// For Foundation.
  package static var zone: TimeZone {
    reading.withLock { reading in
      if let zone = reading.zone { return zone }
      let zone = named ?? matching
      reading.zone = zone
      return zone
    }
  }

  /// The name of the zone is the end of its file's path.
  private static var named: TimeZone? {
    let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
    guard let folder = path.range(of: "/zoneinfo/") else { return nil }
    return TimeZone(identifier: String(path[folder.upperBound...]))
  }

  /// For a file without a name: what Foundation makes of it, or the offset of now.
  private static var matching: TimeZone {
    NSTimeZone.resetSystemTimeZone()
    var (now, wall) = (time(nil), tm())
    let offset = localtime_r(&now, &wall) == nil ? 0 : wall.tm_gmtoff
    let known = TimeZone.autoupdatingCurrent
    return known.secondsFromGMT() == offset ? known : TimeZone(secondsFromGMT: offset) ?? .gmt
  }
}
