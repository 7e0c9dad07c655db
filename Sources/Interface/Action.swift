package import Foundation
package import Markup
package import Messages
package import Screen

/// What happened. Whoever runs the interface says the time (`timeChanged`) before what happened then.
package enum Action: Hashable, Sendable {
  /// The first: the inbox opens.
  case started
  case timeChanged(Date)
  case input(InputEvent)
  /// Language, keys or the demo's notice changed.
  case optionsChanged(InterfaceOptions)
  /// What the settings' `[keys]` got wrong.
  case keymapProblems([Keymap.Problem])
  /// The settings file has a mistake, so that the settings stay as they were; nil when it has none any more.
  case settingsMistaken(String?)
  /// These settings were changed and take effect at the next start.
  case restartNeeded([String])

  /// The list asked for by the last `Effect.load`, with that very query and window: once as the answer, then
  /// after every change of the store. `including` is the last act that was written before it was asked for.
  case inboxChanged(InboxSnapshot, including: ActID = .none)
  /// Answers `loadMessage`; nil where there is no such message. `including` as above.
  case messageLoaded(MessageID, Message?, including: ActID = .none)
  /// Answers `findUnread`; nil where there is none in that direction.
  case unreadFound(InboxQuery, ListKey?)
  /// Answers `perform` and `snooze`: it is written.
  case performed(ActID)
  /// Answers `undo`, once that is written; nil where there was nothing to take back.
  case undone(ActID, UserAct?)
  /// Answers `snooze` at once: until when it is to be put off, or nil where the text is not a time in the future; nothing is
  /// written then.
  case snoozed(ActID, MessageID, until: Date?, text: String)
  /// The store refused an act: nothing of it is written. `reason` is a clause in the reader's language, or the system's.
  case refused(ActID, reason: String)

  /// Answers `scheduleLook`.
  case looked(Int)

  case pollingChanged(SourceID, SourcePolling)
  /// A poll began, ended, was held back or joined.
  case pollAttempted(PollAttempt)
  /// Answers `loadTimeline`, newest first.
  case timelineLoaded(SourceID?, [PollAttempt])
  /// A refresh that was asked for ended; soft ones may be told too.
  case refreshEnded(SourceID, RefreshResult)
  /// Answers `addSource`.
  case addAnswered(AddAnswer)
  /// Answers `layOut`, by the number of its request.
  case laidOut(Int, Page)
  case layingOut(Int)
  /// Answers `drawPicture`.
  case pictureAnswered(PictureRequest, PictureAnswer)
  /// A view is put up, in place of the one that is there.
  case bannerRaised(BannerPlacement)
  /// Its page arrived.
  case bannerLoaded(ViewPage)
  /// Its scripts have run for the first time, or never will: what was pressed before is pressed now.
  case bannerReady
  /// The page as its script has changed it.
  case bannerChanged(ViewPage)
  /// Answers `layOutView`, by the number of its request.
  case viewLaidOut(Int, LaidOutView)
  case bannerFailed(BannerFailure)
  /// Its script wants to open an address.
  case bannerAsked(address: String)
  /// Its script closed it.
  case bannerClosed
  /// Answers `scheduleSlide`: that many times 40 ms have passed.
  case slid(steps: Int)

  /// Answers `copy`: whether the terminal was told. It never says whether it obeyed.
  case copied(String, isTold: Bool)
  /// The program for links could not be started; `reason` is the system's.
  case linkFailed(address: String, reason: String)
  /// The settings' program for a feature could not be run; `reason` is the system's.
  case hookFailed(reason: String)
  /// The log cannot be written; said once.
  case logFailed(reason: String)
  /// The store refused something.
  case failed(FetchFailure)
  /// Answers `scheduleSecond`.
  case secondPassed
  /// Answers `scheduleTick`.
  case ticked
}

/// What came of an address that was to be added.
package enum AddAnswer: Hashable, Sendable {
  /// By its name in the settings, and how it is called.
  case added(name: String, title: String)
  case alreadyThere(name: String, title: String)
  /// A page that offers several feeds.
  case choices([FeedChoice])
  case failed(FetchFailure)
  /// The settings could not be changed.
  case refused(reason: String)
}
