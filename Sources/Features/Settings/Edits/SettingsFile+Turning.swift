import Messages
import Storage

/// Undoes and redoes edits.
extension SettingsFile {
  /// The result of undoing or redoing edits.
  package enum Turning: Hashable, Sendable {
    case isDone(lacksSecret: Bool)
    /// The lines already are as requested: the edits were never made, or are undone.
    case wasSo
    /// Nothing was changed.
    case refused(reason: String)
  }

  /// Undoes or redoes edits in the files: either all of them or none.
  ///
  /// - Parameters:
  ///   - edits: in their order, each with the known secrets.
  ///   - isUndone: whether they are to be undone.
  /// - Throws: `Failure` or `SettingsMistakes` if a file cannot be read or written.
  package func turn(_ edits: [(edit: FileEdit, secrets: Secrets)], isUndone: Bool) throws -> Turning {
    let all = isUndone ? edits.reversed() : edits
    let parts = files.map { file in
      (file, all.filter { $0.edit.isFollowed == (file.settingsPath != nil) })
    }.filter { !$0.1.isEmpty }
    for (file, edits) in parts {
      if case .refused(let reason) = try file.turnOwn(edits, isUndone, onlyTries: true) {
        return .refused(reason: reason)
      }
    }
    var (isDone, lacks) = (false, false)
    for (file, edits) in parts {
      switch try file.turnOwn(edits, isUndone, onlyTries: false) {
      case .isDone(let lacksSecret): (isDone, lacks) = (true, lacks || lacksSecret)
      case .wasSo: break
      case .refused(let reason): return .refused(reason: reason)
      }
    }
    return isDone ? .isDone(lacksSecret: lacks) : .wasSo
  }

  /// Undoes or redoes edits in this file. With `onlyTries`, only finds out whether that is possible, and
  /// changes nothing.
  private func turnOwn(
    _ edits: [(edit: FileEdit, secrets: Secrets)], _ isUndone: Bool, onlyTries: Bool
  ) throws -> Turning {
    var result = Turning.wasSo
    try edit(as: nil) { text in
      var changed = text
      (result, changed) = turned(text, edits, isUndone)
      guard case .isDone = result else { return nil }
      if let reason = try problem(of: changed, instead: text) {
        result = .refused(reason: reason)
        return nil
      }
      return onlyTries ? nil : changed
    }
    return result
  }

  /// Returns the result, and the text after the edits are undone or redone in it.
  private func turned(
    _ text: String, _ edits: [(edit: FileEdit, secrets: Secrets)], _ isUndone: Bool
  ) -> (Turning, String) {
    var text = text
    var result = Turning.wasSo
    for (edit, secrets) in edits {
      switch edit.turned(text, isUndone: isUndone, secrets: secrets) {
      case .text(let changed, let lacks):
        text = changed
        if case .isDone(true) = result { continue }
        result = .isDone(lacksSecret: lacks)
      case .wasSo: continue
      case .changedSince: return (.refused(reason: "\(path) was edited there since"), text)
      }
    }
    return (result, text)
  }

  /// Returns the reason why the file cannot have this content, or `nil` if it can.
  private func problem(of changed: String, instead text: String) throws -> String? {
    let counts = SettingsLines(text).counts
    if let twice = SettingsLines(changed).counts.first(where: { $1 > max(1, counts[$0] ?? 0) })?.key {
      return "the settings have another \(twice.prefix { $0 != " " }) of that name now"
    }
    let before = try whole(read(text)).sources
    let after: [SourceEntry]
    do {
      after = try whole(readAgain(changed)).sources
    } catch let failure as Failure {
      return failure.sentence
    }
    let (old, new) = (Set(before.map(\.name)), Set(after.map(\.name)))
    let staying = before.filter { new.contains($0.name) }
    for entry in after where !old.contains(entry.name) && entry.source.kind.row.isPolled {
      if let same = staying.first(where: { $0.source.identity == entry.source.identity }) {
        return "it is already followed again, as \"\(same.name)\""
      }
    }
    return nil
  }
}
