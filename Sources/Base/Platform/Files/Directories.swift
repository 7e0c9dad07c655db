import Foundation

/// The directories of reddot's files, by the XDG Base Directory Specification 0.8.
package struct Directories: Sendable {
  package var home: String
  /// The directory of `config.toml`.
  package var config: String
  /// The directory of the database.
  package var data: String
  /// The directory of the log.
  package var state: String

  /// Determines the directories. Relative values of the XDG variables are ignored, as the specification requires.
  package init(environment: [String: String], home: String) {
    func directory(_ variable: String, _ fallback: String) -> String {
      let base = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "\(home)/\(fallback)"
      return "\(base)/reddot"
    }
    self.home = home
    config = directory("XDG_CONFIG_HOME", ".config")
    data = directory("XDG_DATA_HOME", ".local/share")
    state = directory("XDG_STATE_HOME", ".local/state")
  }

  package var settingsFile: String { "\(config)/config.toml" }
  package var databaseFile: String { WholePath.resolved("\(data)/reddot.sqlite") }
  package var logFile: String { "\(state)/reddot.log" }

  /// Returns a path with the home folder in place of a leading `~`.
  package static func expandingHome(_ path: String, home: String) -> String {
    path == "~" || path.hasPrefix("~/") ? home + path.dropFirst() : path
  }
}
