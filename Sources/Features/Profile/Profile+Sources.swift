package import Basics
import Foundation
package import Messages
import Platform
package import Settings
package import Storage
package import Words

extension Profile {
  /// The language of messages and the interface: the settings' if set, otherwise the locale's.
  package var language: String { settings.language ?? environment.language ?? "en" }

  /// Returns the language of the stored messages, for polls from cron, whose locale isn't the user's.
  package func storedLanguage() throws(StoreFailure) -> String {
    if let language = settings.language { return language }
    return try store.messages.language() ?? language
  }

  /// The strings of the interface in `language`.
  package var words: Words { .inLanguage(language) }

  /// Returns the problems of the last poll that could read the source.
  package func lastProblems(of source: Source) throws(StoreFailure) -> [FormatProblem] {
    guard source.id != Source.unregistered else { return [] }
    let attempts = try store.polls.attempts(of: source.id, limit: 10)
    let reading = attempts.first { attempt in
      switch attempt.result {
      case .new, .nothingNew: true
      case _: false
      }
    }
    return reading?.problems ?? []
  }

  /// Renames a source in the database, and in the settings if they contain it.
  ///
  /// The database is changed first: another process that reads the settings then finds the name that it knows. If the
  /// settings cannot be changed, the name stays.
  package func rename(_ source: Source, to name: String) throws { try change(source, name: name, []) }

  /// Renames a source and changes its settings in one edit of the file: either everything or nothing.
  ///
  /// - Parameter name: the new name, or `nil` to keep the present one.
  package func change(_ source: Source, name: String?, _ others: [SettingsFile.Change]) throws {
    guard let name, name != source.name else {
      if !others.isEmpty { _ = try settingsFile.change(source: source.name, others) }
      return
    }
    if source.kind == .local, try !settingsFile.load().sources.contains(where: { $0.name == source.name }) {
      let act = SettingsAct(.renamed, name, formerName: source.name)
      try store.sources.rename(source.id, to: name, as: act, at: environment.now())
      return
    }
    try store.sources.rename(source.id, to: name, at: environment.now())
    do {
      _ = try settingsFile.change(source: source.name, others + [.init("name", TOMLText.quoted(name))])
      _ = try reopened()
    } catch {
      try store.sources.rename(source.id, to: source.name, at: environment.now())
      throw error
    }
  }

  /// Returns a sentence about the first step for a user who has nothing to read yet. Returns `nil` if a source was
  /// polled or there are messages.
  package func firstStep() throws(StoreFailure) -> String? {
    if sources.isEmpty {
      return
        "nothing is followed yet; run reddot add ADDRESS to follow a feed or a service, reddot import FILE for an "
        + "OPML file, or reddot demo to see how it works"
    }
    guard try statuses().allSatisfy({ $0.state.lastAttemptEnd == nil && $0.total == 0 }) else { return nil }
    return "nothing was polled yet; run reddot poll, or open the inbox with reddot"
  }

  /// Returns the followed sources in order, with stored counts, dots and poll states. Sources that were never polled
  /// have none.
  package func statuses() throws(StoreFailure) -> [SourceStatus] {
    let stored = Dictionary(
      try store.sources.statuses().map { ($0.source.id, $0) }, uniquingKeysWith: { first, _ in first })
    return sources.map { source in
      var status =
        stored[source.id] ?? SourceStatus(source: source, title: nil, isUnseen: false, unread: 0, total: 0)
      status.source = source
      return status
    }
  }
}
