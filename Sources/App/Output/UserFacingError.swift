import Messages
package import Storage

/// A failure that has a sentence of its own for people: what happened, to what, and what to do.
package protocol SayableFailure: Error {
  var sentence: String { get }
}

extension StoreFailure: SayableFailure {}
extension SettingsMistake: SayableFailure {}
extension Workspace.UnknownSource: SayableFailure {}

extension SettingsMistakes: SayableFailure {
  /// The first mistake, and how many more there are: errors are one line.
  package var sentence: String {
    let first = mistakes.first?.sentence ?? "the settings cannot be read"
    return mistakes.count > 1 ? "\(first) (and \(mistakes.count - 1) more)" : first
  }
}

extension SettingsFile.Failure: SayableFailure {
  package var sentence: String { "\(path) \(reason)" }
}

extension Credentials.Failure: SayableFailure {
  package var sentence: String { reason }
}

extension LinkOpener.Failure: SayableFailure {
  package var sentence: String { reason }
}
