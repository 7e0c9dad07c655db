package import Basics
package import Foundation
import Markup
package import Messages
import Queries
package import Screen
package import Words

/// Language, signs, keys and what the terminal can do: given at the start, and again when the settings change.
package struct InterfaceOptions: Hashable, Sendable {
  package var words: Words
  package var signs: Signs
  package var keymap: Keymap
  /// The zone of every time on the screen.
  package var zone: ZoneClock
  /// Whether the spinner turns; otherwise a still sign is shown.
  package var animations: Bool
  /// Whether the terminal has the colours that pictures need; otherwise they are not fetched.
  package var showsPictures: Bool
  package var theme: Theme
  /// Whether the terminal has any colours, and whoever uses it wants them.
  package var hasColors: Bool
  /// The settings of the panes.
  package var layout: LayoutOptions
  /// Always at the bottom: what the demo shortens.
  package var notice: SafeText?

  package init(
    words: Words, signs: Signs = .unicode, keymap: Keymap = .standard, zone: ZoneClock,
    animations: Bool = true, showsPictures: Bool = false, theme: Theme = Theme(), hasColors: Bool = true,
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
    self.hasColors = hasColors
    self.layout = layout
    self.notice = notice
  }
}

extension InterfaceOptions {
  /// How the text of messages and views is drawn here: code has marks around it only where its style doesn't show it.
  var markup: MarkupTheme {
    var markup = signs.markup
    if (hasColors ? theme : theme.withoutColors)[.code] != .plain { markup.marks.code = .empty }
    return markup
  }
}

/// All that the screen shows, and all that a key's meaning depends on. Changed by `update` only.
package struct AppState: Hashable, Sendable {
  package internal(set) var options: InterfaceOptions
  package internal(set) var terminal: TerminalState
  /// The time of the last `timeChanged`.
  package internal(set) var now: Date

  package internal(set) var shown: Shown
  package internal(set) var focus = Focus()
  /// Whether the pane with the keys has the whole screen.
  package internal(set) var isZoomed = false
  package internal(set) var input = InputProgress()
  var waiting = WaitingKeys()
  /// Whether the inbox was quit: nothing happens any more.
  package internal(set) var isOver = false
  package internal(set) var dialog = Dialog()
  package internal(set) var statusLine = StatusLine()

  var preferences: Preferences
  /// For how long the person is told of nothing but what is urgent; nil: it isn't quiet.
  package internal(set) var quiet: QuietSpan?
  /// What the person's other machines should have long since.
  package internal(set) var unsent: UnsentActs?
  package internal(set) var counts = InboxCounts()
  package internal(set) var polling: [SourceID: SourcePolling] = [:]
  /// What they come to for the list on screen.
  var polls = PollSummary()
  package internal(set) var pending = Pending()
  var attention = Attention()
  var animation = Animation()

  /// - Parameters:
  ///   - scope: the list to begin with.
  ///   - preferences: as they were remembered.
  ///   - timeline: whether the poll timeline is open from the start.
  package init(
    options: InterfaceOptions, size: Size, now: Date, scope: InboxQuery.Scope = .all, timeline: Bool = false,
    preferences: Preferences = Preferences()
  ) {
    self.options = options
    self.now = now
    terminal = TerminalState(size: size)
    let query = InboxQuery(scope: scope, order: preferences.listOrder ?? options.layout.order)
    shown = Shown(list: MessageList(query: query, isFolding: options.layout.foldsRepeats))
    shown.timeline.isOpen = timeline
    self.preferences = preferences
    showPreferences()
  }

  var layout: Layout { layout(for: terminal.size) }

  func layout(for size: Size) -> Layout {
    let division = Layout.Division(
      shares: preferences.shares.over(options.layout.shares), textWidth: options.layout.textWidth,
      isZoomed: isZoomed, rowLines: options.layout.rowLines)
    return Layout(
      size, pane: focus.pane, inner: focus.inner, hasTimeline: shown.timeline.isOpen,
      banner: shown.banner?.shownPlacement, isSingle: options.signs.areWords, division: division)
  }

  var words: Words { options.words }

  /// Where keys have their meaning now, a single place.
  var place: Places { dialog.overlay?.place ?? placeBelow }

  /// The same below what covers the panes.
  var placeBelow: Places { shown.banner?.isFocused == true ? .banner : focus.pane.place }

  /// The question at the bottom: of a view only while it has the keys.
  var shownQuestion: Question? {
    if let question = dialog.question { return question }
    guard let view = shown.banner, view.isFocused else { return nil }
    return view.asked.map(Question.bannerLink)
  }

  /// The list's source, if it is the list of one source.
  var shownSource: SourceID? {
    if case .source(let id) = shown.list.query.scope { id } else { nil }
  }

  /// What a source is called on the screen.
  package func title(ofSource id: SourceID) -> String { (shown.sources.titles[id] ?? .empty).text }

  /// What a saved list is called in the settings.
  package func listName(_ id: SavedListID) -> String { shown.sources.list(id)?.list.name ?? "" }

  /// Whether a source is one of the list's.
  func isShown(_ source: SourceID) -> Bool {
    shown.sources.sources(in: shown.list.query.scope)?.contains(source) ?? true
  }

  /// Whether the welcome is shown: no sources and no messages yet.
  var isWelcome: Bool {
    shown.list.isLoaded && counts.total == 0 && shown.list.query.scope == .all
      && shown.list.query.search == nil && shown.sources.statuses.allSatisfy { !$0.source.kind.row.isPolled }
  }

  /// Whether the list shows what was searched for.
  var isSearching: Bool { shown.list.query.search != nil }

  /// Whether the list can be sorted by priority: what a query finds can't.
  var hasPriorityOrder: Bool {
    let query = shown.list.query
    return !query.scope.isPutAway && !query.scope.isSavedList && query.search == nil
  }

  /// What is wrong with what was typed; the list stays as it was meanwhile.
  var searchMistake: Query.Mistake? {
    guard case .search(let editor, _, _)? = dialog.prompt,
      case .failure(let mistake) = Query.parse(editor.text, .typing)
    else { return nil }
    return mistake
  }

  func title(of source: SourceID, and others: [SourceID] = []) -> SafeText {
    others.isEmpty
      ? shown.sources.titles[source] ?? .empty
      : words.title(of: source, and: others, titles: shown.sources.titles)
  }

  /// The message that keys act on: the one being read, or the selected one.
  var target: MessageRow? {
    guard focus.pane == .reader, let message = shown.reader.message, message.id == shown.reader.subject else {
      return shown.list.selectedRow
    }
    return shown.list.loaded.first { $0.id == message.id } ?? MessageRow(message)
  }
}

extension MessageRow {
  /// A row for a message that is being read but is not in the list any more.
  init(_ message: Message) {
    let time = message.time
    self.init(
      key: ListKey(
        standing: message.content.standing, sortTime: Int64(time.timeIntervalSince1970 * 1000), id: message.id
      ),
      source: message.source, kind: message.content.kind, title: message.content.title,
      isUnread: message.isUnread, isStarred: message.isStarred, isDismissable: message.content.isDismissable,
      priority: message.content.priority, group: message.content.extras?.group,
      channel: [.service, .desktop].contains(message.content.kind) ? message.content.channel : nil,
      otherSources: message.otherSources)
  }
}
