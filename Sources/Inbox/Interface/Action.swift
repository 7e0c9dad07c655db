package import Foundation
package import Markup
package import Messages
package import Queries
package import Screen
package import Words

/// What happened. The caller says the time with it, or before it (`timeChanged`).
package enum Action: Hashable, Sendable {
  /// The first action: the inbox opens.
  case started
  case timeChanged(Date)
  case input(InputEvent)
  /// Language, keys, layout or the demo's notice changed.
  indirect case optionsChanged(InterfaceOptions)
  /// Mistakes in the settings' `[keys]`.
  case keymapProblems([Keymap.Problem])
  /// The settings file has a mistake, so the settings stay as they were; nil once it is corrected.
  case settingsMistaken(String?)
  /// The settings were read. Nothing of them stays as it was, but a part of them has a mistake and does nothing: file, line
  /// and what is wrong.
  case settingsTaken(problem: String?)
  /// These settings were changed and take effect at the next start.
  case restartNeeded([String])

  /// The list of the last `Effect.load`, with the same query and window: once as the answer, then
  /// after every change of the store. `including` is the last act that was written before it was asked for.
  case inboxChanged(InboxSnapshot, including: ActID = .none)
  /// Answers `loadMessage`; nil if the message does not exist. `including` as above.
  indirect case messageLoaded(MessageID, Message?, including: ActID = .none)
  /// Answers `findUnread`; nil if none was found in that direction.
  case unreadFound(RequestID, ListKey?)
  /// Answers `loadNames`.
  case namesLoaded(RequestID, [Query.NameField: [String]])
  /// Answers `findHits`, in list order.
  case hitsFound(InboxQuery, [ListKey])
  /// Answers `perform` and `snooze`: it is written, and has changed that many messages.
  case performed(ActID, changed: Int = 1)
  /// A source was removed, but other machines keep it, since their settings files name it.
  case removedHere(title: String, keptOn: [String])
  /// Answers `undo` once that is written; nil if there was nothing to undo. The act names its messages where they are few;
  /// `count` is how many they are in any case.
  ///
  /// - Parameter left: messages of the act that were changed since, and stay as they are.
  case undone(ActID, UserAct?, count: Int = 0, left: Int = 0, on: [String] = [])
  /// The same of what the last undo took back, and was done again.
  case redone(ActID, UserAct?, count: Int = 0, left: Int = 0)
  /// Answers `snooze` at once: until when it is snoozed, or nil if the text isn't a time in the future; then nothing is
  /// written.
  case snoozed(ActID, MessageSelection, until: Date?, text: String, RequestID)
  /// Answers `beQuiet`; nil: it ended.
  case quieted(RequestID, until: Date?)
  case rulesLoaded([RuleRow])
  /// The settings have other rules now.
  case rulesChanged
  case ruleSwitched(RequestID, name: String, isOn: Bool)
  /// Nothing was written, and nothing will be.
  case gaveUp(RequestID)
  /// Answers `beQuiet`: the text isn't a time in the future.
  case quietRefused(RequestID, text: String)
  /// It is quiet until then, or no longer.
  case quietChanged(QuietSpan?)
  /// Acts that other machines should have long since; nil: there are none.
  case unsentChanged(UnsentActs?)
  /// A notice could not be shown; `reason` is a clause.
  case noticeFailed(reason: String)
  case desktopFailed(reason: String)
  /// Answers `findAddresses`: those messages that have one.
  case addressesFound(RequestID, [MessageID: String])
  /// The store refused an act: nothing of it is written. `reason` is a clause in the user's language, or the system's.
  case refused(ActID, reason: String)

  /// Answers `scheduleLook`.
  case looked(Int)

  case pollingChanged([SourceID: SourcePolling])
  /// A poll began, ended, was held back or joined.
  case pollAttempted(PollAttempt)
  /// Answers `loadTimeline`, newest first.
  case timelineLoaded(SourceID?, [PollAttempt])
  /// A forced refresh ended; soft ones may be reported too.
  case refreshEnded(SourceID, RefreshResult)
  /// Answers `addSource`.
  case addAnswered(RequestID, AddAnswer)
  /// Answers `loadForm`, where the source is in the settings.
  case formLoaded(RequestID, SourceFields)
  /// Answers `saveForm`: nil, or why nothing was changed; and `loadForm`, where there is nothing to edit.
  case formAnswered(RequestID, reason: String?, at: SourceFields.Field? = nil)
  /// Answers `loadRuleOrigin`; nil if the message does not exist.
  case ruleOriginLoaded(RequestID, RuleOrigin?)
  /// Answers `tryRule`, by the number of its request: slice by slice, until nothing is left to look at.
  case ruleTried(Int, RuleTrial)
  /// Answers `saveRule`; `reason` is why nothing was written.
  case ruleSaved(RequestID, RuleDraft, reason: String?)
  /// Answers `changeSource` and `swapLists`, where that change is nil.
  case sourceChanged(RequestID, SourceChange?, title: String)
  /// Answers what was to change the settings: why nothing was changed.
  case settingsUnchanged(RequestID, reason: String)
  /// Answers `saveList`; `reason` is why nothing was written.
  case listSaved(RequestID, name: String, reason: String?)
  /// Answers `layOut`, by the number of its request.
  case laidOut(Int, Page)
  case layingOut(Int)
  /// Answers `drawPicture`.
  case pictureAnswered(PictureRequest, PictureAnswer)
  /// The article of `findArticle` isn't stored: a server is asked for it. By the number of the request.
  case articleRequested(Int)
  /// Answers `findArticle`.
  case articleAnswered(ArticleRequest, ArticleAnswer)
  /// A view is shown, in place of the current one.
  case bannerRaised(BannerPlacement)
  /// Its page arrived.
  case bannerLoaded(ViewPage)
  /// Its scripts have run for the first time, or never will: what was pressed earlier takes effect now.
  case bannerReady
  /// The page as its script changed it.
  case bannerChanged(ViewPage)
  /// Answers `layOutView`, by the number of its request.
  case viewLaidOut(Int, LaidOutView)
  case bannerFailed(BannerFailure)
  /// Its script wants to open an address; `afterPress`: because something was pressed, not by itself.
  case bannerAsked(address: String, afterPress: Bool)
  /// Its script closed it.
  case bannerClosed
  /// Answers `scheduleSlide`: that many times 40 ms have passed.
  case slid(steps: Int)

  /// Answers `copy`: whether the request was sent. The terminal does not report whether it copied.
  case copied(RequestID, String, isSent: Bool)
  /// Answers `pipe` when the command has ended; `onlyFirst` is how many messages it got, where there were too many.
  case piped(command: String, PipeEnd, onlyFirst: Int? = nil)
  /// Answers `save`.
  case saved(RequestID, GivenMessages, SaveAnswer)
  /// A program that was to have the terminal did not start or failed; `reason` is a clause.
  case programFailed(program: String, reason: String)
  /// A program that was started beside the inbox, with its arguments, has ended and did not fail.
  case programEnded([String])
  /// The program for links has ended, and did not fail soon after its start.
  case linkOpened(address: String)
  /// The program for links could not be started, or failed soon; `reason` is a clause.
  case linkFailed(address: String, reason: String)
  /// The settings' program for a feature could not be run; `reason` is the system's.
  case hookFailed(reason: String)
  /// Answers `goToPane`.
  case wentToPane(MessageID, PaneAnswer)
  /// An action of a message was done, or waits to be carried to its service; or it failed.
  case actionEnded(MessageAction, FetchFailure?)
  /// The log cannot be written; sent once.
  case logFailed(reason: String)
  /// The store refused something.
  case failed(FetchFailure)
  /// Answers `scheduleWaitEnd`, by its number.
  case waitEnded(Int)
  /// Answers `scheduleSequenceEnd`, by its number.
  case sequenceEnded(Int)
  /// Answers `scheduleSecond`.
  case secondPassed
  /// Answers `scheduleTick`.
  case ticked
}
