import Foundation
import Platform
import Storage

/// The plan of a restore, which has changed nothing yet.
package struct Restoration {
  /// A file of an archive, and the plan for it.
  struct File {
    enum Fate {
      case new
      /// The file replaces the present one, which is saved before.
      case replaces
      /// The file is not restored, for this reason.
      case left(String)
    }

    var content: BackupFile
    var path: String
    var fate: Fate
    /// The path at which the file is created, or `nil` for one of reddot's own files.
    var target: NewFile?

    var isWritten: Bool { if case .left = fate { false } else { true } }
  }

  /// The path of the archive.
  let source: String
  let database: String
  var files: [File]
  /// The path of a new backup of the present data, or `nil` if nothing is replaced.
  let saved: String?
  let isDatabaseThere: Bool
  /// Whether present files may be replaced.
  let isReplacing: Bool

  /// Lines for the user: each path with the plan for it.
  package var lines: [String] {
    let own = files.filter { $0.target == nil }.map { "\($0.path): \(words($0.fate))" }
    let others = files.filter { $0.target != nil }.map { "\($0.path): \(words($0.fate))" }
    let content = "\(database): \(words(isDatabaseThere ? .replaces : .new))"
    let warning =
      own.isEmpty ? [] : ["The settings in it can start programs: restore only what you trust."]
    return [content] + own + others + warning
  }

  /// The reason why the restore cannot be carried out, or `nil` if there is none.
  package var refusal: String? {
    let present = (isDatabaseThere ? [database] : []) + files.filter(\.isReplaced).map(\.path)
    guard !present.isEmpty, !isReplacing else { return nil }
    return "this would replace \(present.joined(separator: ", ")); use --force to save and replace them"
  }

  /// The paths of files that did not exist when the plan was made: reddot's own files, and the new backup.
  var unsavedPaths: [String] {
    let own = files.filter { $0.target == nil && !$0.isReplaced }.map(\.path)
    return own + (isDatabaseThere ? [] : [database]) + (saved.map { [$0] } ?? [])
  }

  private func words(_ fate: File.Fate) -> String {
    switch fate {
    case .new: "new"
    case .replaces:
      isReplacing
        ? "replaced; the present one is saved in \(saved ?? "")" : "exists; use --force to replace it"
    case .left(let reason): "left: \(reason)"
    }
  }
}

extension Restoration.File {
  fileprivate var isReplaced: Bool { if case .replaces = fate { true } else { false } }
}

extension NewFile.Obstacle {
  /// The reason why a file is not restored: the clause after "left:" in a line.
  var words: String {
    switch self {
    case .exists: "it exists"
    case .link(let path): "through a link, \(path)"
    case .file(let path): "\(path) is a file"
    case .failure(let reason): "it \(reason)"
    }
  }
}
