import Foundation
package import Messages
import Platform
import Screen
import Settings
package import Storage
import Synchronization
import Words

/// Removes sources and saved lists, and undoes the last step of the journal of any kind.
extension Profile {
  /// Removes a source from the settings, or unlists it if scripts created it. Its messages and their state stay stored,
  /// and are listed again if the source is added again.
  ///
  /// - Parameter title: the title that the undo shows.
  /// - Returns: the names of the machines that keep it, since their settings files name it.
  @discardableResult
  package func remove(_ source: Source, called title: String) throws -> [String] {
    let keepers = try keepers(of: source)
    let act = SettingsAct(.removed, title)
    if try settingsFile.remove(.source, named: source.name, as: act) {
      try unfollow(source.id)
    } else if source.id != Source.unregistered, source.kind == .local {
      try store.sources.remove(source.id, as: act, at: environment.now())
    } else {
      throw NotThere(table: .source, name: source.name)
    }
    return keepers
  }

  /// Returns the names of the machines that have a source in their settings files. Other machines cannot remove it
  /// there.
  private func keepers(of source: Source) throws(StoreFailure) -> [String] {
    guard settings.sync.place != nil, settings.sync.followsSources, source.id != Source.unregistered else {
      return []
    }
    return try store.sync.machines(with: source.id)
  }

  /// Removes a saved list from the settings.
  package func remove(listNamed name: String) throws {
    guard try settingsFile.remove(.list, named: name, as: SettingsAct(.removed, name)) else {
      throw NotThere(table: .list, name: name)
    }
  }

  /// Removes a rule from the settings.
  package func remove(ruleNamed name: String) throws {
    guard try settingsFile.remove(.rule, named: name, as: SettingsAct(.ruleRemoved, name)) else {
      throw NotThere(table: .rule, name: name)
    }
  }

  /// Removes a source from the settings and deletes its messages. This cannot be undone, so it isn't a step of the
  /// journal.
  ///
  /// - Returns: the names of the machines that keep the source, since their settings files name it.
  package func forget(_ source: Source) throws -> [String] {
    let keepers = try keepers(of: source)
    _ = try settingsFile.remove(.source, named: source.name, as: nil)
    guard source.id != Source.unregistered else { return keepers }
    try store.sync.unfollow(source.id, at: environment.now())
    try store.sources.forget(source.id)
    return keepers
  }

  /// Unlists a source that was removed from the settings.
  private func unfollow(_ source: SourceID) throws {
    guard source != Source.unregistered else { return }
    // The source is unfollowed on all machines. Removing it from the file by hand affects only this machine.
    try store.sync.unfollow(source, at: environment.now())
    // Scripts' messages would keep a local source listed.
    try store.sources.remove(source)
  }

  /// Undoes the last action, for a command.
  ///
  /// - Returns: a sentence about the action, or `nil` if there is nothing to undo.
  package func undo() throws -> String? { try applied(undoLastAct()).map { sentence(.undone, $0) } }

  /// Redoes the action that was undone last, for a command.
  ///
  /// - Returns: a sentence about the action, or `nil` if there is nothing to redo.
  package func redo() throws -> String? { try applied(redoLastAct()).map { sentence(.redone, $0) } }

  /// Applies rules and lists again if the undone or redone action changed the settings.
  private func applied(_ act: UndoneAct?) throws -> UndoneAct? {
    if act?.step != nil { try reopened().applyRulesAndLists() }
    return act
  }

  private func sentence(_ phrase: Phrase, _ act: UndoneAct) -> String {
    if let elsewhere = words.undoneElsewhere(act.count, left: act.left, act.machines) {
      return elsewhere.text
    }
    if act.count == 0, act.left > 0 { return words.count(.undoneNothing, act.left).text }
    let what = act.edit.map(words.edit) ?? words.count(Phrase(act.kind), act.count)
    return words(phrase, act.left > 0 ? what + words.count(.undoneLeft, act.left) : what).text
  }

  /// Undoes the last action. If it was a change of the settings, their sources are registered again.
  package func undoLastAct() throws -> UndoneAct? {
    try turned { now throws(StoreFailure) in try store.acts.undo(at: now) }
  }

  package func redoLastAct() throws -> UndoneAct? {
    try turned { now throws(StoreFailure) in try store.acts.redo(at: now) }
  }

  /// Undoes or redoes one step of the journal. Calls `next` until it returns a step whose lines in the
  /// settings are not already as requested; such steps are skipped.
  private func turned(_ next: (Date) throws(StoreFailure) -> UndoneAct?) throws -> UndoneAct? {
    while var act = try next(environment.now()) {
      guard let step = act.step else { return act }
      switch try turnInTurn(step) {
      case .isDone(let lacksSecret):
        if lacksSecret { act.edit?.lacksSecret = true }
        _ = try reopened()
        return act
      case .wasSo: try store.acts.giveUp(step, at: environment.now())
      case .refused(let reason):
        try store.acts.giveUp(step, at: environment.now())
        throw NotTurned(name: act.edit.map(words.edit)?.text ?? "", isUndone: step.isUndone, reason: reason)
      }
    }
    return nil
  }

  /// Undoes or redoes a step, and marks the step as undone or redone. All earlier changes of rules are
  /// applied before: a change that is applied after the files changed, but before the step is marked, would
  /// count as an edit by hand.
  private func turnInTurn(_ step: EditedStep) throws -> SettingsFile.Turning {
    try store.rules.inTurn { () throws in
      try settingsReadAgain()?.applyRulesNow()
      let turning = try turn(step)
      // This follows the change of the files. If the process is killed in between, the lines are already as the step
      // wants them, and the next undo skips the step.
      if case .isDone = turning { try store.acts.finish(step, at: environment.now()) }
      return turning
    }
  }

  /// Undoes or redoes the edits of a step in the database and in the files of settings.
  private func turn(_ step: EditedStep) throws -> SettingsFile.Turning {
    let now = environment.now()
    for edit in step.edits {
      if let reason = try store.acts.turn(edit, isUndone: step.isUndone, at: now) {
        return .refused(reason: reason)
      }
    }
    let files = try step.edits.enumerated().compactMap { index, edit in
      try edit.fileEdit.map { (edit: $0, secrets: secrets.of(step.row, index)) }
    }
    guard !files.isEmpty else { return .isDone(lacksSecret: false) }
    let renamed = try rename(step, at: now)
    let before = try settingsFile.load().sources.map(\.name)
    let turning: SettingsFile.Turning
    do {
      var file = settingsFile
      // The turn is a separate step, and already in turn.
      file.recorder = nil
      turning = try file.turn(files, isUndone: step.isUndone)
    } catch {
      try renamed?(now)
      throw error
    }
    guard case .isDone = turning else {
      try renamed?(now)
      return turning
    }
    let gone = try Set(before).subtracting(settingsFile.load().sources.map(\.name))
    for source in try store.sources.statuses().map(\.source) where gone.contains(source.name) {
      try unfollow(source.id)
    }
    return turning
  }

  /// Renames the source in the database before the undo or redo of a renaming changes the settings, as
  /// `change` does.
  ///
  /// - Returns: a closure that reverts it, or `nil` if no source is to be renamed.
  private func rename(_ step: EditedStep, at now: Date) throws -> ((Date) throws -> Void)? {
    guard let act = step.edits.first?.act, let former = act.formerName else { return nil }
    let (found, wanted) = step.isUndone ? (act.name, former) : (former, act.name)
    let sources = try store.sources.statuses().map(\.source)
    guard let source = sources.first(where: { $0.name == found }),
      !sources.contains(where: { $0.name == wanted })
    else { return nil }
    try store.sources.rename(source.id, to: wanted, at: now)
    return { now in try store.sources.rename(source.id, to: found, at: now) }
  }

  struct NotThere: UserFacingError {
    let table: SettingsFile.NamedTable
    let name: String
    var sentence: String { "the settings no longer have a \(table.rawValue) named \"\(name)\"" }
  }

  /// An error: the edit cannot be undone or redone, now or later, so the next undo continues with an earlier
  /// action.
  struct NotTurned: UserFacingError {
    let name: String
    let isUndone: Bool
    let reason: String
    var sentence: String {
      "\"\(name)\" is not \(isUndone ? "undone" : "done again"): \(reason); nothing was changed"
    }
  }
}

extension JournaledEdit {
  /// The edit of a file of settings, or `nil` for any other edit.
  fileprivate var fileEdit: FileEdit? {
    get throws {
      guard case .file(let text) = content else { return nil }
      return try JSONDecoder().decode(FileEdit.self, from: Data(text.utf8))
    }
  }
}

extension UndoneAct {
  /// The first edit of a step that changed the settings, which describes the whole step; `nil` for any other action.
  package var edit: SettingsAct? {
    get { step?.edits.first?.act }
    set { if let newValue, step?.edits.isEmpty == false { step?.edits[0].act = newValue } }
  }
}

extension UserAct {
  /// Creates the action that was undone or redone, on the messages that it changed.
  package init(_ act: UndoneAct) {
    switch act.kind {
    case .settings: self = .settings(act.edit ?? SettingsAct(.changed, ""))
    case .readAll: self = .readAll(InboxQuery())
    case let kind: self.init(kind, MessageSelection(act.messages), until: act.at)
    }
  }
}

/// The tokens and passwords in the edits that this process made, since the journal does not contain them.
package final class KnownSecrets: Sendable {
  private let values = Mutex<[(step: Int64, secrets: [Secrets])]>([])
  /// The maximum number of steps whose secrets are kept.
  private static let steps = 200

  /// Returns the secrets of one edit of a step.
  fileprivate func of(_ step: Int64, _ index: Int) -> Secrets {
    values.withLock { values in
      guard let known = values.last(where: { $0.step == step })?.secrets, known.indices.contains(index) else {
        return Secrets()
      }
      return known[index]
    }
  }

  /// Adds the secrets of an edit: as a new step, or to a known step if the edit is not its first one.
  fileprivate func add(_ secrets: Secrets, of step: Int64, isFirst: Bool) {
    values.withLock { values in
      if !isFirst, let place = values.lastIndex(where: { $0.step == step }) {
        values[place].secrets.append(secrets)
      } else {
        values.append((step, [secrets]))
        values.removeFirst(max(0, values.count - Self.steps))
      }
    }
  }
}

/// Records edits of the settings as steps of the journal.
struct JournalRecorder: EditRecorder {
  /// The profile whose settings are edited.
  let profile: Profile

  func inTurn(_ edit: () throws -> Void) throws {
    try profile.store.rules.inTurn { () throws in
      try profile.settingsReadAgain()?.applyRulesNow()
      try edit()
    }
  }

  func record(
    _ edit: FileEdit, lacking values: Secrets, rules: [RuleChange], as act: SettingsAct, joining step: Int64?
  ) throws -> Int64 {
    let content = String(decoding: try JSONEncoder().encode(edit), as: UTF8.self)
    let row = try profile.store.acts.journal(
      JournaledEdit(act, .file(content), rules: rules.isEmpty ? nil : rules), joining: step,
      at: profile.environment.now())
    profile.secrets.add(values, of: step ?? row, isFirst: step == nil)
    return row
  }

  func discard(_ edit: Int64) throws { try profile.store.acts.discard(edit) }
}
