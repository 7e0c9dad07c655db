package import Messages

/// The work for the caller of `update`, as values that tests compare.
///
/// Each feature declares its own effects in the file of its reducer.
package enum Effect: Hashable, Sendable {
  /// Loads this part of this list, and reports every later change of it.
  case load(InboxQuery, InboxWindow)
  /// Marks the list as seen, so that its dot disappears.
  case markSeen(InboxQuery.Scope)
  /// Requests one `looked` with this number after three seconds, since the user needs that time to see a list.
  case scheduleLook(Int)
  /// Stores a value for the next start under a name; `nil` deletes it.
  case remember(String, String?)
  /// Stores the changes that the user made to a list, as text; `nil` deletes them.
  case rememberList(InboxQuery.Scope, String?)
  /// Gives up a request. The response is `gaveUp` if nothing was written; otherwise the request gets its response.
  case giveUp(RequestID)
  case redraw
  case suspend
  case quit

  case articles(ArticleEffect)
  case banner(BannerEffect)
  case forms(FormEffect)
  case journal(JournalEffect)
  case keys(KeyEffect)
  case links(LinkEffect)
  case offers(OfferEffect)
  case pictures(PictureEffect)
  case polling(PollingEffect)
  case programs(ProgramEffect)
  case quiet(QuietEffect)
  case questions(QuestionEffect)
  case reader(ReaderEffect)
  case rules(RulesEffect)
  case savedLists(SavedListEffect)
  case search(SearchEffect)
  case sources(SourceEffect)
}
