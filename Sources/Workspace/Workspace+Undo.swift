import Foundation
import Interface
package import Messages
import Platform
import Screen
import Settings
package import Storage

/// Removing sources and saved lists, each a step of the journal, and undoing the last step, whatever it was.
extension Workspace {
  /// How a removal is undone: the content of its step.
  private enum Removal: Codable {
    case settings(SettingsFile.Removal)
    /// A source of scripts that the settings do not name.
    case local(Int64)
  }

  /// Takes a source out of the settings, or off the lists where scripts made it. Its messages with their marks stay
  /// stored, unlisted, and come back with it.
  ///
  /// - Parameter title: what the undo calls it.
  /// - Returns: the names of the machines that keep it, since their settings files name it.
  @discardableResult
  package func remove(_ source: Source, called title: String) throws -> [String] {
    let isRegistered = source.id != Source.unregistered
    let keepers = try keepers(of: source)
    if try takeOut(.source, named: source.name, called: title) {
      // Scripts' messages would keep a local source listed.
      if isRegistered {
        // On all machines: what is taken out of the file by hand means this one alone.
        try store.sync.unfollow(source.id, at: environment.now())
        try store.sources.remove(source.id)
      }
    } else if isRegistered, source.kind == .local {
      let removed = try Removed(name: title, Removal.local(source.id.rawValue))
      try store.sources.remove(source.id, as: removed, at: environment.now())
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
    guard try takeOut(.list, named: name, called: name) else { throw NotThere(table: .list, name: name) }
  }

  /// Takes a source out of the settings and deletes its messages. No undo brings those back, so it
  /// isn't a step of the journal.
  ///
  /// - Returns: as `remove` does.
  package func forget(_ source: Source) throws -> [String] {
    let keepers = try keepers(of: source)
    _ = try settingsFile.remove(.source, named: source.name) { _ in }
    guard source.id != Source.unregistered else { return keepers }
    try store.sync.unfollow(source.id, at: environment.now())
    try store.sources.forget(source.id)
    return keepers
  }

  /// - Returns: false where none has the name.
  private func takeOut(
    _ table: SettingsFile.NamedTable, named name: String, called title: String
  ) throws -> Bool {
    var row: Int64?
    func discard() throws {
      guard let step = row else { return }
      row = nil
      try store.acts.discardRemoval(step)
    }
    do {
      // The step comes first, see `journal`; both under the lock of the file, so that another process that undoes the
      // step sees the file as it is after this.
      let isThere = try settingsFile.remove(table, named: name) { removal in
        try discard()
        row = try store.acts.journal(Removed(name: title, Removal.settings(removal)), at: environment.now())
      }
      if !isThere { try discard() }
      return isThere
    } catch {
      try discard()
      throw error
    }
  }

  /// Undoes the last act, for a command.
  ///
  /// - Returns: a sentence about the act; nil if there is nothing to undo.
  package func undo() throws -> String? {
    guard let act = try undoLastAct() else { return nil }
    if act.kind == .removal { _ = try reopened() }
    return sentence(.undone, act)
  }

  /// Does again what the last undo took back, for a command.
  ///
  /// - Returns: a sentence about the act; nil if there is nothing to do again.
  package func redo() throws -> String? {
    try store.acts.redo(at: environment.now()).map { sentence(.redone, $0) }
  }

  private func sentence(_ phrase: Phrase, _ act: UndoneAct) -> String {
    if let elsewhere = words.undoneElsewhere(act.count, left: act.left, act.machines) {
      return elsewhere.text
    }
    if act.count == 0, act.left > 0 { return words.count(.undoneNothing, act.left).text }
    let what =
      act.removal.map { words(.undoneRemoval, SafeText(untrusted: $0.removed.name)) }
      ?? words.count(Phrase(act.kind), act.count)
    return words(phrase, act.left > 0 ? what + words.count(.undoneLeft, act.left) : what).text
  }

  /// The same, but settings that are back are not read again.
  package func undoLastAct() throws -> UndoneAct? {
    while let act = try store.acts.undo(at: environment.now()) {
      guard let removal = act.removal else { return act }
      if try putBack(removal) { return act }
    }
    return nil
  }

  /// - Returns: false where it was never removed: its process was ended before that.
  private func putBack(_ removal: JournaledRemoval) throws -> Bool {
    let now = environment.now()
    switch try JSONDecoder().decode(Removal.self, from: Data(removal.removed.content.utf8)) {
    case .local(let id):
      guard try store.sources.restore(SourceID(id), undoing: removal, at: now) else {
        throw NotPutBack(name: removal.removed.name, reason: "it is listed again already, or was forgotten")
      }
      return true
    case .settings(let settings):
      let result = try settingsFile.putBack(settings)
      // After the file: a process that is killed in between leaves a step whose lines are there, which the next undo
      // passes over.
      try store.acts.finishUndo(of: removal, at: now)
      switch result {
      case .isBack: return true
      case .wasThere: return false
      case .nameTaken:
        let reason = "the settings have another \(settings.table.rawValue) of that name now"
        throw NotPutBack(name: settings.name, reason: reason)
      case .isFollowedAgain(let name):
        throw NotPutBack(name: settings.name, reason: "it is followed again, as \"\(name)\"")
      }
    }
  }

  private struct NotThere: UserFacingError {
    let table: SettingsFile.NamedTable
    let name: String
    var sentence: String { "the settings have no \(table.rawValue) \"\(name)\" any more" }
  }

  /// The removal cannot be undone, now or later; the acts before it can.
  private struct NotPutBack: UserFacingError {
    let name: String
    let reason: String
    var sentence: String { "\"\(name)\" is not put back: \(reason)" }
  }
}

extension Removed {
  fileprivate init(name: String, _ content: some Encodable) throws {
    self.init(name: name, content: String(decoding: try JSONEncoder().encode(content), as: UTF8.self))
  }
}
