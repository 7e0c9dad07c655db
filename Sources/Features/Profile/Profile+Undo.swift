import Foundation
package import Messages
import Platform
import Screen
import Settings
package import Storage
import Synchronization
import Words

/// Removing sources and saved lists, and undoing the last step of the journal, whatever it was.
extension Profile {
  /// Takes a source out of the settings, or off the lists where scripts made it. Its messages with their marks stay
  /// stored, unlisted, and come back with it.
  ///
  /// - Parameter title: what the undo calls it.
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

  /// The names of the machines that have a source in their settings files, where no other machine removes it.
  private func keepers(of source: Source) throws(StoreFailure) -> [String] {
    guard settings.sync.place != nil, settings.sync.followsSources, source.id != Source.unregistered else {
      return []
    }
    return try store.sync.machines(with: source.id)
  }

  /// Takes a saved list out of the settings.
  package func remove(listNamed name: String) throws {
    guard try settingsFile.remove(.list, named: name, as: SettingsAct(.removed, name)) else {
      throw NotThere(table: .list, name: name)
    }
  }

  /// Takes a rule out of the settings.
  package func remove(ruleNamed name: String) throws {
    guard try settingsFile.remove(.rule, named: name, as: SettingsAct(.ruleRemoved, name)) else {
      throw NotThere(table: .rule, name: name)
    }
  }

  /// Takes a source out of the settings and deletes its messages. No undo brings those back, so it
  /// isn't a step of the journal.
  ///
  /// - Returns: as `remove` does.
  package func forget(_ source: Source) throws -> [String] {
    let keepers = try keepers(of: source)
    _ = try settingsFile.remove(.source, named: source.name, as: nil)
    guard source.id != Source.unregistered else { return keepers }
    try store.sync.unfollow(source.id, at: environment.now())
    try store.sources.forget(source.id)
    return keepers
  }

  /// Unlists a source that was taken out of the settings.
  private func unfollow(_ source: SourceID) throws {
    guard source != Source.unregistered else { return }
    // On all machines: what is taken out of the file by hand means this one alone.
    try store.sync.unfollow(source, at: environment.now())
    // Scripts' messages would keep a local source listed.
    try store.sources.remove(source)
  }

  /// Undoes the last act, for a command.
  ///
  /// - Returns: a sentence about the act; nil if there is nothing to undo.
  package func undo() throws -> String? { try applied(undoLastAct()).map { sentence(.undone, $0) } }

  /// Does again what the last undo took back, for a command.
  ///
  /// - Returns: a sentence about the act; nil if there is nothing to do again.
  package func redo() throws -> String? { try applied(redoLastAct()).map { sentence(.redone, $0) } }

  /// Lets rules and lists follow the settings.
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

  /// Undoes the last act. Sources that it changes are registered.
  package func undoLastAct() throws -> UndoneAct? {
    try turned { now throws(StoreFailure) in try store.acts.undo(at: now) }
  }

  package func redoLastAct() throws -> UndoneAct? {
    try turned { now throws(StoreFailure) in try store.acts.redo(at: now) }
  }

  private func turned(_ next: (Date) throws(StoreFailure) -> UndoneAct?) throws -> UndoneAct? {
    while var act = try next(environment.now()) {
      guard let step = act.step else { return act }
      switch try turn(step) {
      case .isDone(let lacksSecret):
        // After the files: a process that is killed in between leaves a step whose lines are there, which the next undo
        // passes over.
        try store.acts.finish(step, at: environment.now())
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
      turning = try settingsFile.turn(files, isUndone: step.isUndone)
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

  /// Gives a source that was renamed its other name, before the settings have it: see `change`.
  ///
  /// - Returns: a closure that undoes it.
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
    var sentence: String { "the settings have no \(table.rawValue) \"\(name)\" any more" }
  }

  /// The edit cannot be undone, now or later; the acts before it can.
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
  fileprivate var fileEdit: FileEdit? {
    get throws {
      guard case .file(let text) = content else { return nil }
      return try JSONDecoder().decode(FileEdit.self, from: Data(text.utf8))
    }
  }
}

extension UndoneAct {
  /// The edit that names a step of the settings.
  package var edit: SettingsAct? {
    get { step?.edits.first?.act }
    set { if let newValue, step?.edits.isEmpty == false { step?.edits[0].act = newValue } }
  }
}

extension UserAct {
  /// The act that was undone or done again, on the messages that it changed.
  package init(_ act: UndoneAct) {
    switch act.kind {
    case .settings: self = .settings(act.edit ?? SettingsAct(.changed, ""))
    case .readAll: self = .readAll(InboxQuery())
    case let kind: self.init(kind, MessageSelection(act.messages), until: act.at)
    }
  }
}

/// The secrets of the edits that this process made: the journal has none.
package final class KnownSecrets: Sendable {
  private let values = Mutex<[(step: Int64, secrets: [Secrets])]>([])
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

/// Makes edits of the settings steps of the journal.
struct JournalRecorder: EditRecorder {
  let store: Store
  let environment: Environment
  let secrets: KnownSecrets

  func record(
    _ edit: FileEdit, lacking values: Secrets, rules: [RuleChange], as act: SettingsAct, joining step: Int64?
  ) throws -> Int64 {
    let content = String(decoding: try JSONEncoder().encode(edit), as: UTF8.self)
    let row = try store.acts.journal(
      JournaledEdit(act, .file(content), rules: rules.isEmpty ? nil : rules), joining: step,
      at: environment.now())
    secrets.add(values, of: step ?? row, isFirst: step == nil)
    return row
  }

  func discard(_ edit: Int64) throws { try store.acts.discard(edit) }
}
