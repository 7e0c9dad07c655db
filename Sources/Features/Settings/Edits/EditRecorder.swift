package import Messages
package import Storage
import Synchronization

/// Records the user's edits of the settings in the journal, each before the file changes.
package protocol EditRecorder: Sendable {
  /// Makes an edit after all earlier changes of the settings are applied. Meanwhile no other edit is made.
  func inTurn(_ edit: () throws -> Void) throws
  /// Records an edit.
  ///
  /// - Parameters:
  ///   - secrets: the values that are omitted from the edit.
  ///   - rules: the rules that the edit changes.
  ///   - step: an earlier edit of the same step; `nil` begins a step.
  /// - Returns: the number of the recorded edit, for `discard`.
  func record(
    _ edit: FileEdit, lacking secrets: Secrets, rules: [RuleChange], as act: SettingsAct, joining step: Int64?
  ) throws -> Int64
  /// Discards a recorded edit, since the file was not changed.
  func discard(_ edit: Int64) throws
}

/// A step of the journal with several edits, which are undone together.
final class OneStep: Sendable {
  private let edit = Mutex<Int64?>(nil)

  /// The number of the step's first recorded edit, or `nil` before it.
  var first: Int64? { edit.withLock { $0 } }

  func add(_ new: Int64) { edit.withLock { $0 = $0 ?? new } }

  func remove(_ old: Int64) { edit.withLock { if $0 == old { $0 = nil } } }
}

/// The record of one edit, while the edit is made.
struct EditRecord {
  private let recorder: (any EditRecorder)?
  private let step: OneStep?
  private let isFollowed: Bool
  private var edit: Int64?

  init(_ recorder: (any EditRecorder)?, _ step: OneStep?, isFollowed: Bool) {
    (self.recorder, self.step, self.isFollowed) = (recorder, step, isFollowed)
  }

  /// Records the difference between two versions of a file, if there is an action that it belongs to.
  mutating func write(
    _ old: String, _ new: String, rules: @autoclosure () -> [RuleChange] = [], as act: SettingsAct?
  ) throws {
    guard let act, let recorder, !old.utf8.elementsEqual(new.utf8) else { return }
    var secrets = Secrets()
    let change = FileEdit(from: old, to: new, isFollowed: isFollowed, secrets: &secrets)
    let row = try recorder.record(change, lacking: secrets, rules: rules(), as: act, joining: step?.first)
    edit = row
    step?.add(row)
  }

  mutating func discard() throws {
    guard let row = edit else { return }
    edit = nil
    step?.remove(row)
    try recorder?.discard(row)
  }
}

extension SettingsAct {
  /// Returns the action for new sources: a source with its name, or an import of several.
  static func added(_ count: Int, name: String?) -> SettingsAct {
    if count == 1, let name { return SettingsAct(.added, name) }
    return SettingsAct(.imported, String(count))
  }

  /// Returns the action for changed keys of a source: a new name, the beginning or end of a pause, or another
  /// change.
  static func changed(_ name: String, to new: String, _ changes: [SettingsFile.Change]) -> SettingsAct {
    if new != name { return SettingsAct(.renamed, new, formerName: name) }
    if changes.map(\.key) == ["paused"] {
      return SettingsAct(changes[0].value == "true" ? .paused : .resumed, name)
    }
    return SettingsAct(.changed, name)
  }
}
