package import Foundation
package import Messages
package import Screen

/// An event for `update`. The caller passes the time with it, or before it (`timeChanged`).
///
/// Each feature declares its own actions in the file of its reducer.
package enum Action: Hashable, Sendable {
  /// The first action: the inbox opens.
  case started
  case timeChanged(Date)
  case input(InputEvent)
  /// Language, keys, layout or the demo's notice changed.
  indirect case optionsChanged(InterfaceOptions)
  /// The list of the last `Effect.load`, with the same query and window: once as the response, then after every change
  /// of the store. `including` is the last act that was written before the request.
  case inboxChanged(InboxSnapshot, including: ActID = .none)
  /// The demo explains the last event.
  case guided(SafeText)
  /// The response to `scheduleLook`, with its number. If the list of all messages stayed visible meanwhile, it counts
  /// as seen by the user.
  case looked(Int)
  /// The changes that other machines should have received long ago, or `nil` if there are none.
  case unsentChanged(UnsentActs?)
  /// The response to `giveUp`: nothing was written, and nothing will be.
  case gaveUp(RequestID)
  case failed(Trouble)

  case articles(ArticleAction)
  case banner(BannerAction)
  case forms(FormAction)
  case journal(JournalAction)
  case keys(KeyAction)
  case links(LinkAction)
  case offers(OfferAction)
  case pictures(PictureAction)
  case polling(PollingAction)
  case programs(ProgramAction)
  case quiet(QuietAction)
  case questions(QuestionAction)
  case reader(ReaderAction)
  case rules(RulesAction)
  case savedLists(SavedListAction)
  case search(SearchAction)
  case settings(SettingsAction)
  case sources(SourceAction)
}
