import Basics
import Calendars
import Foundation
package import Messages
import Platform
package import Services

extension CalendarReading {
  /// Reads a calendar file, or all `.ics` files of a folder as one calendar. Folders inside the folder are separate
  /// calendars.
  package static func read(_ path: String) throws(FetchFailure) -> CalendarReading {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return try CalendarReading(bytes(path, limit: Limits.calendarBytes))
    }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw .file(path: path, reason: SystemReason.words(error))
    }
    return CalendarReading(
      files(names.filter(isCalendar).sorted(), of: path))
  }

  /// Whether a file name is that of a calendar that isn't hidden.
  private static func isCalendar(_ name: String) -> Bool {
    name.lowercased().hasSuffix(".ics") && !name.hasPrefix(".")
  }

  /// Returns the names of the folders inside a folder that are calendars.
  package static func calendars(in path: String) -> [String] {
    func names(_ path: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }
    return names(path).sorted().prefix(Limits.calendarFiles).filter {
      names("\(path)/\($0)").contains(where: isCalendar)
    }
  }

  /// Reads files of a folder. A file that cannot be used is reported as a problem, and the others are used.
  private static func files(_ names: [String], of path: String) -> [CalendarFile] {
    var files: [CalendarFile] = []
    var left = Limits.calendarBytes
    var count = 0
    for (number, name) in names.enumerated() {
      guard number < Limits.calendarFiles else {
        return files + [
          CalendarFile(
            unread: names[number...], at: "",
            "more than \(Limits.calendarFiles) files; the rest are left out")
        ]
      }
      guard count <= Limits.calendarItems else {
        return files + [
          CalendarFile(
            unread: names[number...], at: name,
            "more than \(Limits.calendarItems) events; the rest are left out")
        ]
      }
      let file = file(name, of: path, &left)
      count += file.items.count
      files.append(file)
    }
    return files
  }

  /// Reads one file, or returns a file without events that reports the problem.
  ///
  /// - Parameter left: the number of bytes that the remaining files may have together.
  private static func file(_ name: String, of folder: String, _ left: inout Int) -> CalendarFile {
    do throws(FetchFailure) {
      let path = "\(folder)/\(name)"
      var status = stat()
      // Reading a pipe would block.
      guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
        throw .file(path: path, reason: "it is not a regular file")
      }
      let bytes = try bytes(path, limit: left)
      left -= bytes.count
      guard let file = CalendarFile.read(bytes, name: name) else {
        throw .malformed(line: nil, reason: noCalendar)
      }
      return file
    } catch {
      let reason =
        switch error {
        case .tooLarge: "all files together are larger than \(Limits.calendarBytes >> 20) MiB"
        case .file(_, let reason), .malformed(_, let reason): reason
        case _: "cannot be read"
        }
      return CalendarFile(unread: [name], at: name, reason)
    }
  }

  /// Reads a file of limited size.
  private static func bytes(_ path: String, limit: Int) throws(FetchFailure) -> Data {
    do throws(BoundedFile.Failure) {
      return try BoundedFile.read(path, limit: max(0, limit))
    } catch {
      throw .boundedFile(error, path: path)
    }
  }
}

extension FetchFailure {
  /// Converts a failure to read a file into that of a poll.
  static func boundedFile(_ failure: BoundedFile.Failure, path: String) -> FetchFailure {
    switch failure {
    case .tooLarge(let limit): .tooLarge(limit: limit)
    case .missing: .file(path: path, reason: SystemReason.words(errno: ENOENT))
    case .system(let code): .file(path: path, reason: SystemReason.words(errno: code))
    case .tooSlow: .file(path: path, reason: "it is not a regular file")
    }
  }
}
