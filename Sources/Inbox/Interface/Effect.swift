package import Markup
package import Messages
package import Screen

/// What the caller of `update` is to do, as values that tests compare.
package enum Effect: Hashable, Sendable {
  /// Load this part of this list, and report every later change of it.
  case load(InboxQuery, InboxWindow)
  case loadMessage(MessageID)
  /// Find the nearest unread message of a list beyond a key; the key need not be in the list.
  case findUnread(InboxQuery, from: ListKey, forward: Bool, RequestID)
  /// Tags, hosts and the like that messages have, to complete a search; answered by `namesLoaded`.
  case loadNames(RequestID)
  /// The keys of the first messages that a search finds, one more than are counted; answered by `hitsFound`.
  case findHits(InboxQuery)
  /// Acts are written one after another, in the order of these effects; each is answered by `performed`, `undone` or
  /// `refused` with its id.
  case perform(UserAct, ActID)
  /// Snooze messages until a time as typed; answered by `snoozed` at once.
  case snooze(MessageSelection, until: String, ActID, RequestID)
  case undo(ActID)
  case redo(ActID)
  /// Nobody is told of anything until a time as typed, or again from now on if it is `off`; answered by `quieted` or
  /// `quietRefused`.
  case beQuiet(String, RequestID)
  /// The user looked at this list: its dot goes off.
  case markSeen(InboxQuery.Scope)

  /// One `looked` with that number, three seconds later.
  case scheduleLook(Int)

  /// A soft refresh of these sources; nil: of all.
  case refresh(Set<SourceID>?)
  /// Forced ones; each source that is polled ends with a `refreshEnded`.
  case refreshNow(Set<SourceID>?)
  /// The last attempts, of one source or of all.
  case loadTimeline(SourceID?)
  /// An address, the name of a service or the path of an OPML file, as it was typed; answered by `addAnswered`.
  case addSource(String, RequestID)

  /// Gives up a request; answered by `gaveUp` if nothing was written. Otherwise the request is answered.
  case giveUp(RequestID)

  /// The settings of a source or a saved list, to be edited; answered by `formLoaded`, or by `formAnswered` with a reason.
  case loadForm(SourceFields.Subject, RequestID)
  /// Write what was changed into the settings file; answered by `formAnswered`.
  case saveForm(SourceForm, RequestID)
  /// A message that a rule is started from; answered by `ruleOriginLoaded`.
  case loadRuleOrigin(MessageID, RequestID)
  /// What a rule would have done with the messages of the last days; answered by several `ruleTried`. A later one replaces
  /// it.
  case tryRule(RuleTrialRequest)
  /// The answers are not needed any more.
  case stopRuleTrial
  /// Write a rule into the settings file; answered by `ruleSaved`.
  case saveRule(RuleDraft, RequestID)
  /// The rules of the settings; answered by `rulesLoaded`.
  case loadRules
  /// Answered by `ruleSwitched` or `settingsUnchanged`.
  case switchRule(String, isOn: Bool, RequestID)
  /// Take a rule out of the settings; an act, answered by `performed` or `refused`.
  case removeRule(named: String, ActID)
  /// Give the settings file to the user's editor, at the line of that rule.
  case editSettingsOfRule(String?)
  /// Do to the messages of the last days what a rule of the settings says; an act, answered by `performed` or `refused`.
  case applyRule(String, ActID)
  /// Answered by `sourceChanged` or `settingsUnchanged`.
  case changeSource(SourceID, SourceChange, RequestID)
  /// Take a source, by the title that it has on the screen, out of the settings; an act, answered by `performed` or `refused`.
  case removeSource(SourceID, title: String, ActID)
  /// Give the settings file to the user's editor, at the line of that source.
  case editSettings(SourceID?)
  /// The same for a saved list.
  case editSettingsOfList(SavedListID)
  /// Take a saved list out of the settings; an act, answered by `performed` or `refused`.
  case removeList(named: String, ActID)
  /// Let two saved lists change places in the settings; answered by `sourceChanged` or `settingsUnchanged`.
  case swapLists(SavedListID, SavedListID, RequestID)
  /// Write a search into the settings as a list; answered by `listSaved`.
  case saveList(name: String, query: String, RequestID)
  /// Store what the next start is to know, under a name; nil forgets it.
  case remember(String, String?)

  /// The addresses of these messages.
  case findAddresses([MessageID], RequestID)
  /// An http, https or mailto address, to be given to the opener as one argument; answered by `linkOpened` or `linkFailed`.
  case openLink(String)
  /// The same for a recording, a video or a file of a message.
  case openEnclosure(String)
  /// Show the pane that a message comes from; answered by `wentToPane`.
  case goToPane(MessageID)
  /// Send the request of an action, or have the message's service do it; answered by `actionEnded`.
  case performAction(MessageAction, of: MessageID)
  /// Give messages to a command, a line for the shell, on its standard input; answered by `piped`.
  case pipe(GivenMessages, MessageForm, command: String)
  /// Write messages to a file whose path is as it was typed; answered by `saved`.
  case save(GivenMessages, path: String, replacing: Bool, RequestID)
  /// Start a program in the settings with its arguments; answered by `programFailed` if it fails, else by `programEnded` if
  /// it doesn't have the terminal.
  case run([String], inTerminal: Bool)
  /// Show the demo, which has the terminal meanwhile.
  case showDemo
  /// Show a message in the user's pager, which has the terminal meanwhile.
  case showInPager(MessageID)
  /// Answered by a `laidOut`, and by a `layingOut` before that if it takes longer than 200 ms. A later one replaces it.
  indirect case layOut(PageRequest)
  /// Answered by a `viewLaidOut`. A later one replaces it.
  indirect case layOutView(ViewRequest)
  /// Answered by an `articleAnswered`, and by an `articleRequested` before that if a server is asked. One server is asked
  /// at a time: a later request ends an earlier one.
  case findArticle(ArticleRequest)
  /// Answered by a `pictureAnswered`.
  case drawPicture(PictureRequest)
  /// The answers are not needed any more: the message was left.
  case cancelPictures([PictureRequest])
  /// The size of the view's text area, in columns and rows: the first time, and whenever it changes.
  case bannerLaidOut(Size)
  /// A button or a script's link was pressed.
  case pressBanner(ViewControl.Action)
  /// The user closed the banner.
  case closeBanner
  /// One `slid` after about 40 ms, while a banner slides in.
  case scheduleSlide
  /// To the clipboard (OSC 52); answered by a `copied` at once.
  case copy(String, RequestID)
  /// One `ticked` after about 100 ms; asked for only while something is being polled in sight.
  case scheduleTick
  /// One `waitEnded` with that number after a second; asked for only while keys wait.
  case scheduleWaitEnd(Int)
  /// One `sequenceEnded` with that number after a second; asked for only after a key that may be the first of two.
  case scheduleSequenceEnd(Int)
  /// One `secondPassed` after a second; asked for only while the header counts down to the first poll.
  case scheduleSecond
  case redraw
  case suspend
  case quit
}
