import Messages
package import Storage

/// A failure with a sentence for the user: what happened, to what, and what to do.
package protocol UserFacingError: Error {
  var sentence: String { get }
}

extension StoreFailure: UserFacingError {}
extension SettingsMistake: UserFacingError {}

extension SettingsMistakes: UserFacingError {
  /// The first mistake, and how many more there are: errors are one line.
  package var sentence: String {
    let first = mistakes.first?.sentence ?? "the settings cannot be read"
    return mistakes.count > 1 ? "\(first) (and \(mistakes.count - 1) more)" : first
  }
}

extension SettingsFile.Failure: UserFacingError {
  package var sentence: String { "\(path) \(reason)" }
}

extension Credentials.Failure: UserFacingError {
  package var sentence: String { reason }
}

extension LinkOpener.Failure: UserFacingError {
  package var sentence: String { reason }
}

/// A command can't do what was asked: what is wrong with it, and what to do.
package struct GivenMistake: UserFacingError {
  package var sentence: String
}
