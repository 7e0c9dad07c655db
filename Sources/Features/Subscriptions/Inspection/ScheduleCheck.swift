package import Basics
package import Formats
package import Platform
import Profile
import Settings
import Words

/// The result of checking a schedule file, for its author.
package struct ScheduleCheck: Sendable {
  package var problems: [FormatProblem]
  /// The number of entries.
  package var entries: Int
  /// The number of entries that cannot run.
  package var rejected: Int
  private let name: String

  /// - Parameter name: the file's name in the lines.
  package init(_ file: ScheduleFile, name: String) {
    self.name = name
    problems = file.problems
    entries = file.entries.count
    rejected = file.entries.count { $0.schedule == nil }
  }

  /// Checks the file that a command's argument names; `-` is standard input.
  package static func given(_ path: String) throws(GivenFile.Failure) -> ScheduleCheck {
    ScheduleCheck(try ScheduleFile.given(path), name: GivenFile.name(of: path))
  }

  package var isFine: Bool { problems.isEmpty }

  /// The output: each problem with its path, or one line if there are no problems.
  package var lines: [String] {
    let name = SafeOutput.line(name)
    if isFine { return ["\(name): \(entries == 1 ? "1 entry" : "\(entries) entries"), no problems"] }
    return problems.map { "\(name): \($0.line)" }
  }

  package var json: String {
    SafeOutput.json(
      .object(
        JSONObject(pairs: [
          ("entries", .integer(entries)), ("rejected", .integer(rejected)),
          ("problems", .array(problems.map(MessageJSON.problem))),
        ])))
  }
}

extension ScheduleFile {
  /// Reads the schedule file that a command's argument names; `-` is standard input.
  package static func given(_ path: String) throws(GivenFile.Failure) -> ScheduleFile {
    let bytes = try GivenFile.read(path)
    let name = GivenFile.name(of: path)
    do throws(ScheduleFileFailure) {
      return try read(bytes)
    } catch {
      switch error {
      case .notJSON(let failure): throw GivenFile.Failure(name: name, failure)
      case .notSchedules(let found):
        throw GivenFile.Failure(
          name: name, reason: "a schedule file is an array of entries or one entry, not \(found)")
      }
    }
  }
}
