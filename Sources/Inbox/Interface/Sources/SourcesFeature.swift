package import Messages
import Screen
import Words

package enum SourceAction: Hashable, Sendable {
  /// The response to `add`, with its result.
  case addAnswered(RequestID, AddAnswer)
  /// The response to `change`, and to `SavedListEffect.swap` with `nil` as the change.
  case changed(RequestID, SourceChange?, title: String)
  /// A source was removed, but other machines keep it, since it is in their settings files.
  case removedHere(title: String, keptOn: [String])
}

package enum SourceEffect: Hashable, Sendable {
  /// Adds a URL, the name of a service or the path of an OPML file, as typed. The response is `addAnswered`.
  case add(String, RequestID)
  /// Changes a source. The response is `changed` or `SettingsAction.unchanged`.
  case change(SourceID, SourceChange, RequestID)
  /// Removes a source from the settings, by its title on the screen. This is an act, with the response `performed` or
  /// `refused`.
  case remove(SourceID, title: String, ActID)
  /// Opens the settings file in the user's editor, at the line of that source.
  case editSettings(SourceID?)
}

/// Adding sources, and changing their settings in the inbox.
extension AppState {
  mutating func reduce(_ action: SourceAction) -> [Effect] {
    switch action {
    case .addAnswered(let request, let answer): return applyAnswer(answer, request)
    case .changed(let request, let change, let title): return applyChanged(change, of: title, request)
    case .removedHere(let title, let machines):
      let names = SafeText(untrusted: machines.joined(separator: ", "))
      return report(
        words(.sourceRemovedHere, SafeText(untrusted: title), names, options.keymap.name(of: .undo)), .warning
      )
    }
  }

  /// Performs a command for sources and folders; returns `nil` for any other command.
  mutating func performSources(_ command: Command) -> [Effect]? {
    switch command {
    case .addSource: dialog.prompt = Prompt(.add)
    case .importFeeds: dialog.prompt = Prompt(.add, "~/")
    case .toggleFolder: return toggleFolder()
    case .nextSource: return goToSource(forward: true)
    case .previousSource: return goToSource(forward: false)
    case .nextFailed: return goToFailed()
    case .sortSources: return sortSources(nil)
    case .hideRead: return hideRead()
    case .editSource: return editSource()
    case .editSettings: return editSettings()
    case .pauseSource: return pauseSource()
    case .removeSource: return removeSource()
    case .moveSourceUp: return moveSource(forward: false)
    case .moveSourceDown: return moveSource(forward: true)
    case _: return nil
    }
    return []
  }

  // MARK: Changing

  /// The source that keys apply to: the selected one in the sources' pane, otherwise that of the list or of the
  /// message.
  private var meantSource: SourceID? {
    if case .problem(let id)? = dialog.overlay { return id }
    if focus.pane == .sources {
      if case .source(let id) = shown.sources.scope { return id }
      return nil
    }
    return shownSource ?? target?.source
  }

  /// Returns the source that keys apply to, or reports that there is none and returns `nil`.
  private mutating func sourceToChange() -> SourceStatus? {
    if let status = meantSource.flatMap(shown.sources.status) { return status }
    report(words(.chooseSource))
    return nil
  }

  /// The saved list that keys apply to: the selected one in the sources' pane, otherwise the one that is shown.
  private var meantList: SavedListID? {
    guard dialog.overlay == nil else { return nil }
    let scope = focus.pane == .sources ? shown.sources.scope : shown.list.query.scope
    if case .list(let id) = scope { return id }
    return nil
  }

  private mutating func editSource() -> [Effect] {
    let subject: SourceFields.Subject
    if let list = meantList {
      subject = .list(list)
    } else {
      guard let source = sourceToChange() else { return [] }
      subject = .source(source.source.id)
    }
    let request = pending.ask()
    pending.form = request
    return [.forms(.load(subject, request))]
  }

  private mutating func editSettings() -> [Effect] {
    meantList.map { [.savedLists(.editSettings($0))] } ?? [.sources(.editSettings(meantSource))]
  }

  /// Removes the source or saved list that is selected in the sources' pane, without confirmation, since an undo
  /// restores it.
  private mutating func removeSource() -> [Effect] {
    var scope = shown.sources.scope
    if case .problem(let id)? = dialog.overlay {
      scope = .source(id)
      // The page about the source closes too.
      dialog.overlay = nil
    }
    let (title, effect): (String, (ActID) -> Effect)
    switch scope {
    // The effects contain the names, since the lines are gone when the effects are performed.
    case .source(let id):
      let name = self.title(ofSource: id)
      (title, effect) = (name, { .sources(.remove(id, title: name, $0)) })
    case .list(let id):
      let name = listName(id)
      (title, effect) = (name, { .savedLists(.remove(named: name, $0)) })
    case .all, .starred, .folder, .snoozed, .dismissed, .hidden, .waiting:
      sayWhereSourcesAreRemoved()
      return []
    }
    let id = pending.acts.add(.removal(scope, title: title))
    let text = words(.sourceRemoved, SafeText(untrusted: title), options.keymap.name(of: .undo))
    pending.confirmation = Pending.Confirmation(act: id, text: .text(text))
    shown.sources.apply(
      shown.sources.statuses.filter { .source($0.source.id) != scope },
      lists: shown.sources.lists.filter { .list($0.id) != scope }, words: words, shown: shown.list.query.scope
    )
    return [effect(id)] + leaveListThatIsGone()
  }

  mutating func sayWhereSourcesAreRemoved() {
    report(words(.removedWhere, options.keymap.name(of: .removeSource)))
  }

  private mutating func pauseSource() -> [Effect] {
    guard let source = sourceToChange()?.source else { return [] }
    guard source.kind.row.isPolled else { return report(words(.refreshNothingToPoll)) }
    return [.sources(.change(source.id, source.settings.isPaused ? .resume : .pause, askForChange()))]
  }

  /// Moves a source within its folder, in the order of the settings, or a saved list among the lists.
  private mutating func moveSource(forward: Bool) -> [Effect] {
    let lists = shown.sources.lists.map(\.id)
    if let place = meantList.flatMap(lists.firstIndex) {
      let other = place + (forward ? 1 : -1)
      return lists.indices.contains(other)
        ? [.savedLists(.swap(lists[place], lists[other], askForChange()))] : []
    }
    guard preferences.sourceOrder == .file else {
      return report(words(.sortedOtherwise, options.keymap.name(of: .sortSources)))
    }
    guard let source = sourceToChange()?.source else { return [] }
    let siblings = shown.sources.statuses.map(\.source).filter { $0.folder == source.folder }
    guard let place = siblings.firstIndex(where: { $0.id == source.id }),
      siblings.indices.contains(place + (forward ? 1 : -1))
    else { return [] }
    return [
      .sources(.change(source.id, .swap(with: siblings[place + (forward ? 1 : -1)].id), askForChange()))
    ]
  }

  /// Creates the request for a change of the settings. Later keys wait for it, since they may apply to the order or the
  /// state after the change.
  mutating func askForChange() -> RequestID {
    let request = pending.ask()
    pending.change = .asked(request)
    return request
  }

  private mutating func applyChanged(_ change: SourceChange?, of title: String, _ request: RequestID)
    -> [Effect]
  {
    let title = SafeText(untrusted: title)
    defer { if pending.change == .asked(request) { pending.change = .written } }
    switch change {
    case .pause: report(words(.sourcePaused, title))
    case .resume: report(words(.sourceResumed, title))
    case .swap, nil: break
    }
    return [loading]
  }

  // MARK: Adding

  mutating func askToAdd(_ address: String) -> [Effect] { [.sources(.add(address, askInPrompt()))] }

  private mutating func applyAnswer(_ answer: AddAnswer, _ request: RequestID) -> [Effect] {
    let isAsking = [dialog.form?.phase, dialog.prompt?.phase].contains(.asking(request))
    switch answer {
    case .added(let name, let title), .alreadyThere(let name, let title):
      let isNew = answer == .added(name: name, title: title)
      report(words(isNew ? .added : .addedAlready, SafeText(untrusted: title)))
      guard isAsking else { return [] }
      (dialog.prompt, dialog.form) = (nil, nil)
      return goToSource(name)
    case .choices(let choices):
      guard isAsking, !choices.isEmpty else { return sayTooLate() }
      dialog.prompt = nil
      dialog.show(.choices(choices, selected: 0))
    case .asks(let fields):
      guard isAsking else { return sayTooLate() }
      dialog.prompt = nil
      dialog.form = SourceForm(fields)
    case .imported(let added, let known):
      report(words(.imported, "\(added)", "\(known)"))
      if isAsking { dialog.prompt = nil }
    case .failed(let failure): refuse(request, words.sentence(failure))
    case .refused(let reason): refuse(request, words(.addRefused, SafeText(untrusted: reason)))
    }
    return []
  }

  private mutating func goToSource(_ name: String) -> [Effect] {
    guard let status = shown.sources.statuses.first(where: { $0.source.name == name }) else {
      pending.source = name
      return []
    }
    return choose(.source(status.source.id))
  }

  /// Adds one of the feeds of a page, by its number from 1.
  mutating func choose(number: Int) -> [Effect] {
    guard case .choices(let choices, _)? = dialog.overlay, choices.indices.contains(number - 1) else {
      return []
    }
    let url = choices[number - 1].url
    dialog.overlay = nil
    dialog.prompt = Prompt(.add, url)
    return askToAdd(url)
  }
}
