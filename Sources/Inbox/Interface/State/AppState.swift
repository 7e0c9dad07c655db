package import Basics
package import Foundation
import Markup
package import Messages
import Queries
package import Screen
package import Words

/// Language, symbols, keys and abilities of the terminal: set at the start, and again when the settings change.
package struct InterfaceOptions: Hashable, Sendable {
  package var words: Words
  package var signs: Signs
  package var keymap: Keymap
  /// The zone of every time on the screen.
  package var zone: ZoneClock
  /// Whether the spinner turns; otherwise a still symbol is shown.
  package var animations: Bool
  /// Whether the terminal has the colours that pictures need. Otherwise, pictures are not fetched.
  package var showsPictures: Bool
  package var theme: Theme
  /// The colours of the terminal, if the user wants any.
  package var colors: ColorDepth
  /// The background of the terminal, or `nil` if it is not known.
  package var background: Background?
  /// The settings of the panes.
  package var layout: LayoutOptions
  /// The text that is always at the bottom: the time scale of the demo.
  package var notice: SafeText?

  package init(
    words: Words, signs: Signs = .unicode, keymap: Keymap = .standard, zone: ZoneClock,
    animations: Bool = true, showsPictures: Bool = false, theme: Theme = Theme(),
    colors: ColorDepth = .direct,
    background: Background? = nil,
    layout: LayoutOptions = LayoutOptions(),
    notice: SafeText? = nil
  ) {
    self.words = words
    self.signs = signs
    self.keymap = keymap
    self.zone = zone
    self.animations = animations
    self.showsPictures = showsPictures
    self.theme = theme
    self.colors = colors
    self.background = background
    self.layout = layout
    self.notice = notice
  }
}

extension InterfaceOptions {
  /// The theme, reduced to the abilities of the terminal.
  var shownTheme: Theme { colors == .none ? theme.withoutColors : theme }

  /// The background of the selected row, or `nil` if the theme's style of the selection applies.
  var selectionGround: Color? { colors < .indexed ? nil : theme.selectionGround(on: background) }

  /// The theme for the text of messages and views. Code has marks around it only if its style doesn't show it.
  var markup: MarkupTheme {
    var markup = signs.markup
    if shownTheme[.code] != .plain { markup.marks.code = .empty }
    return markup
  }
}

/// Everything that the screen shows, and that determines the meaning of keys. Changed by `update` only.
package struct AppState: Hashable, Sendable {
  package internal(set) var options: InterfaceOptions
  package internal(set) var terminal: TerminalState
  /// The time of the last `timeChanged`.
  package internal(set) var now: Date

  package internal(set) var shown: Shown
  package internal(set) var focus = Focus()
  /// Whether the pane with the focus has the whole screen.
  package internal(set) var isZoomed = false
  package internal(set) var input = InputProgress()
  var waiting = WaitingKeys()
  /// Whether the inbox was quit; later actions have no effect.
  package internal(set) var isOver = false
  package internal(set) var dialog = Dialog()
  package internal(set) var statusLine = StatusLine()

  var preferences: Preferences
  /// The time in which the user is notified only of urgent messages, or `nil` if it isn't quiet.
  package internal(set) var quiet: QuietSpan?
  var rules = RulesState()
  /// The changes that the user's other machines should have received long ago.
  package internal(set) var unsent: UnsentActs?
  package internal(set) var counts = InboxCounts()
  package internal(set) var polling: [SourceID: SourcePolling] = [:]
  /// The sources of the poll run: those that are polled or wait for it, and those whose poll has ended since the run
  /// began.
  var round: Set<SourceID> = []
  /// The summary of polls for the list on screen.
  var polls = PollSummary()
  package internal(set) var pending = Pending()
  var attention = Attention()
  var answers = AnswerSight()
  var animation = Animation()

  /// - Parameters:
  ///   - scope: the list to begin with.
  ///   - preferences: the remembered ones.
  ///   - timeline: whether the poll timeline is open from the start.
  package init(
    options: InterfaceOptions, size: Size, now: Date, scope: InboxQuery.Scope = .all, timeline: Bool = false,
    preferences: Preferences = Preferences()
  ) {
    self.options = options
    self.now = now
    terminal = TerminalState(size: size)
    let query = InboxQuery(scope, preferences.lists[scope] ?? ListState(), options.layout)
    shown = Shown(list: MessageList(query: query, isFolding: options.layout.foldsRepeats))
    shown.timeline.isOpen = timeline
    self.preferences = preferences
    showPreferences()
  }

  var layout: Layout { layout(for: terminal.size) }

  func layout(for size: Size) -> Layout {
    let division = Layout.Division(
      shares: shares, textWidth: options.layout.textWidth, isZoomed: isZoomed, rowLines: rowLines)
    return Layout(
      size, pane: focus.pane, inner: focus.inner, hasTimeline: shown.timeline.isOpen,
      banner: shown.banner?.shownPlacement, isSingle: options.signs.areWords, division: division)
  }

  var words: Words { options.words }

  /// The pane or page that determines the meaning of keys now, always a single one.
  var place: Places { dialog.overlay?.place ?? placeBelow }

  /// The pane or view that determines the meaning of keys when no page covers the panes.
  var placeBelow: Places { shown.banner?.isFocused == true ? .banner : focus.pane.place }

  /// The question at the bottom. A view's question is shown only while the view has the focus.
  var shownQuestion: Question? {
    if let question = dialog.question { return question }
    guard let view = shown.banner, view.isFocused else { return nil }
    return view.asked.map(Question.bannerLink)
  }

  /// The source of the list on screen, or `nil` if that is not the list of a single source.
  var shownSource: SourceID? {
    if case .source(let id) = shown.list.query.scope { id } else { nil }
  }

  /// Returns the title of a source on the screen.
  package func title(ofSource id: SourceID) -> String { (shown.sources.titles[id] ?? .empty).text }

  /// Returns the name of a saved list in the settings.
  package func listName(_ id: SavedListID) -> String { shown.sources.list(id)?.list.name ?? "" }

  /// Whether messages of a source belong to the list on screen, by its scope.
  func isShown(_ source: SourceID) -> Bool {
    shown.sources.sources(in: shown.list.query.scope)?.contains(source) ?? true
  }

  /// Whether the welcome messages are shown, since there are no sources and no messages yet.
  var isWelcome: Bool {
    shown.list.isLoaded && counts.total == 0 && shown.list.query.scope == .all
      && shown.list.query.search == nil && shown.sources.statuses.allSatisfy { !$0.source.kind.row.isPolled }
  }

  /// Whether the list shows the matches of a search.
  var isSearching: Bool { shown.list.query.search != nil }

  /// Whether the list can be sorted by priority; the matches of a query cannot.
  var hasPriorityOrder: Bool {
    let query = shown.list.query
    return !query.scope.isOutOfInbox && !query.scope.isSavedList && query.search == nil
  }

  /// The error in the search being typed; the list does not change meanwhile.
  var searchMistake: Query.Mistake? {
    guard dialog.isSearching, let prompt = dialog.prompt,
      case .failure(let mistake) = Query.parse(prompt.editor.text, .typing)
    else { return nil }
    return mistake
  }

  /// Returns the title of a message's source, combined with those of its other sources.
  func title(of source: SourceID, and others: [SourceID] = []) -> SafeText {
    others.isEmpty
      ? shown.sources.titles[source] ?? .empty
      : words.title(of: source, and: others, titles: shown.sources.titles)
  }

  /// The message that keys apply to: the one being read, or the selected one.
  var target: MessageRow? {
    if let acting { return acting.row.map { row in shown.list.loaded.first { $0.id == row.id } ?? row } }
    guard focus.pane == .reader, let message = shown.reader.message, message.id == shown.reader.subject else {
      return shown.list.selectedRow
    }
    return shown.list.loaded.first { $0.id == message.id } ?? MessageRow(message)
  }
}

extension MessageRow {
  /// Creates a row for a message that is being read but is no longer in the list.
  init(_ message: Message) {
    let time = message.time
    self.init(
      key: ListKey(
        rank: message.content.rank, sortTime: Int64(time.timeIntervalSince1970 * 1000), id: message.id
      ),
      source: message.source, kind: message.content.kind, title: message.content.title,
      isUnread: message.isUnread, isStarred: message.isStarred, isDismissable: message.content.isDismissable,
      priority: message.content.priority, group: message.content.extras?.group,
      channel: [.service, .desktop].contains(message.content.kind) ? message.content.channel : nil,
      otherSources: message.otherSources)
    question = message.question
  }
}
