import Platform

/// An error in the settings: its place, the reason, and the allowed values.
package struct SettingsMistake: UserFacingError, Hashable {
  package var file: String
  /// The line, from 1; 0 if it isn't known.
  package var line: Int
  package var key: String
  package var problem: String

  package init(file: String, line: Int, key: String, problem: String) {
    self.file = file
    self.line = line
    self.key = key
    self.problem = problem
  }

  /// The error as `file:line: key: problem`, as in compilers' messages, so that editors can jump there.
  package var sentence: String {
    let place = line > 0 ? "\(file):\(line)" : file
    return key.isEmpty ? "\(place): \(problem)" : "\(place): \(key): \(problem)"
  }
}

/// All errors of one reading, in the order of the file.
package struct SettingsMistakes: UserFacingError {
  package var mistakes: [SettingsMistake]

  /// The first error, and the number of further ones, since errors are one line.
  package var sentence: String {
    let first = mistakes.first?.sentence ?? "the settings cannot be read"
    return mistakes.count > 1 ? "\(first) (and \(mistakes.count - 1) more)" : first
  }
}
