package import Calendars
import Files
package import Foundation
import Limits
package import Messages

/// What a calendar has: a file, or all `.ics` files of a folder.
package struct CalendarReading: Sendable {
  package var title: String?
  package var items: [CalendarItem] = []
  package var problems: [PollProblem] = []
  /// Whether it is a folder without `.ics` files: a calendar that is still empty, or something else.
  package var isEmptyFolder = false

  package init() {}

  /// - Parameter name: of the file, where there are several.
  /// - Throws: `malformed` for bytes that aren't a calendar.
  package init(_ bytes: Data, name: String? = nil) throws(FetchFailure) {
    guard let file = CalendarFile.read(bytes) else {
      throw .malformed(line: 1, reason: Self.noCalendar)
    }
    title = file.title
    items = file.items
    problems = file.problems.map { problem in
      let line = problem.line > 0 ? "\(problem.line)" : ""
      return PollProblem(at: name.map { "\($0):\(line)" } ?? line, message: problem.message)
    }
  }

  private static let noCalendar = "it isn't an iCalendar file: one begins with BEGIN:VCALENDAR"

  /// - Parameter path: of a file or a folder. Folders inside are other calendars.
  package static func read(_ path: String) throws(FetchFailure) -> CalendarReading {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return try CalendarReading(bytes(path, limit: Limits.calendarBytes))
    }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw .file(path: path, reason: SystemReason.words(error))
    }
    return folder(path, names.filter { $0.hasSuffix(".ics") && !$0.hasPrefix(".") }.sorted())
  }

  /// A file that cannot be used costs a line; the others are used.
  private static func folder(_ path: String, _ names: [String]) -> CalendarReading {
    var whole = CalendarReading()
    whole.isEmptyFolder = names.isEmpty
    var left = Limits.calendarBytes
    if names.count > Limits.calendarFiles {
      whole.problems.append(
        PollProblem(at: "", message: "more than \(Limits.calendarFiles) files; the rest are left out"))
    }
    for name in names.prefix(Limits.calendarFiles) {
      do throws(FetchFailure) {
        let file = "\(path)/\(name)"
        var status = stat()
        // A pipe would be waited for.
        guard stat(file, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
          throw .file(path: file, reason: "it is not a regular file")
        }
        let bytes = try bytes(file, limit: left)
        left -= bytes.count
        let one = try CalendarReading(bytes, name: name)
        whole.items += one.items
        whole.problems += one.problems.prefix(max(0, Limits.calendarProblems - whole.problems.count))
      } catch {
        let reason =
          switch error {
          case .tooLarge: "all files together are larger than \(Limits.calendarBytes >> 20) MiB"
          case .file(_, let reason), .malformed(_, let reason): reason
          case _: "cannot be read"
          }
        if whole.problems.count < Limits.calendarProblems {
          whole.problems.append(PollProblem(at: name, message: reason))
        }
      }
      guard whole.items.count <= Limits.calendarItems else {
        whole.problems.append(
          PollProblem(at: name, message: "more than \(Limits.calendarItems) events; the rest are left out"))
        break
      }
    }
    return whole
  }

  private static func bytes(_ path: String, limit: Int) throws(FetchFailure) -> Data {
    do throws(BoundedFile.Failure) {
      return try BoundedFile.read(path, limit: max(0, limit))
    } catch {
      throw .boundedFile(error, path: path)
    }
  }
}

extension FetchFailure {
  static func boundedFile(_ failure: BoundedFile.Failure, path: String) -> FetchFailure {
    switch failure {
    case .tooLarge(let limit): .tooLarge(limit: limit)
    case .missing: .file(path: path, reason: SystemReason.words(errno: ENOENT))
    case .system(let code): .file(path: path, reason: SystemReason.words(errno: code))
    case .tooSlow: .file(path: path, reason: "it is not a regular file")
    }
  }
}
