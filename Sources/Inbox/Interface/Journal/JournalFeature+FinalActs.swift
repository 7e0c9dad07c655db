import Messages
import Screen
import Words

/// Acts that a service performs and cannot undo.
extension AppState {
  /// Reports which acts the service cannot undo, once for each kind of service: when the list first contains a message
  /// of it, and so before the user's first act on one.
  mutating func sayFinalActs() -> [Effect] {
    guard statusLine.toast == nil, dialog.prompt == nil, !dialog.coversPanes, !layout.isCovered,
      let source = shown.sources.statuses.first(where: { isNew($0.source) })?.source
    else { return [] }
    let phrase: Phrase
    switch source.settings.writableMarks.final {
    case let acts where acts.isSuperset(of: [.read, .done]): phrase = .finalReadDone
    case let acts where acts.contains(.done): phrase = .finalDone
    case _: phrase = .finalRead
    }
    report(words(phrase, title(of: source.id), options.keymap.name(of: .undo)), .warning)
    return changePreferences { $0.knownFinal.insert(source.kind) }
  }

  /// Whether the list contains a message of the source, and the user was not yet informed which acts its
  /// service cannot undo.
  private func isNew(_ source: Source) -> Bool {
    !source.settings.writableMarks.final.isEmpty && !preferences.knownFinal.contains(source.kind)
      && shown.list.loaded.contains { $0.source == source.id || $0.otherSources.contains(source.id) }
  }
}
