extension Words {
  /// The language that the others are translated from.
  package static let english = Words(language: "en", plurals: .one, phrase: english)

  // Long, because it is a table: one line for each phrase.
  private static func english(_ phrase: Phrase) -> String {
    switch phrase {
    case .inbox: "Inbox"
    case .all: "All"
    case .starred: "Starred"
    case .unread: "{1} unread"
    case .unreadOnly: "unread only"
    case .searching: "search: {1}"
    case .untitled: "(no title)"

    case .polled: "polled {1}"
    case .next: "next {1}"
    case .firstPoll: "first poll in {1} s"
    case .neverPolled: "not polled yet"
    case .polling: "polling"
    case .queued: "waiting to poll"
    case .notPolled: "filled by scripts"

    case .polls: "Polls"
    case .noPollsYet: "Nothing was polled yet."
    case .newMessages: "{1} new"
    case .changedMessages: "{1} changed"
    case .nothingNew: "nothing new"
    case .notModified: "nothing new (304)"
    case .joined: "joined the poll under way"
    case .heldBack: "held back until {1}: {2}"
    case .problems: "1 problem|{1} problems"
    case .triggerInitial: "start"
    case .triggerPeriodic: "periodic"
    case .triggerSoft: "soft"
    case .triggerForced: "forced"

    case .ruleInitialDelay: "first poll after the start"
    case .ruleInterval: "the usual interval"
    case .ruleBackoff: "longer waits after a failure|longer waits after {1} failures in a row"
    case .ruleGrace: "it was polled a moment ago"
    case .ruleRetryAfter: "the server asked to wait ({1})"
    case .ruleMaxAge: "the server says that nothing changes before"
    case .ruleTTL: "the feed asks for longer pauses"
    case .ruleSkipHours: "the feed asks for no polls at this hour"
    case .ruleSkipDays: "the feed asks for no polls on this day"
    case .ruleSchedule: "the next entry of the schedule"
    case .ruleGone: "the source is gone for good"
    case .ruleNotPolled: "scripts fill it, nobody polls it"
    case .shortInitialDelay: "start"
    case .shortInterval: "interval"
    case .shortBackoff: "after a failure|after {1} failures"
    case .shortGrace: "just polled"
    case .shortRetryAfter: "server asked"
    case .shortMaxAge: "fresh until then"
    case .shortTTL: "feed's own pace"
    case .shortSkipHours: "skipped hours"
    case .shortSchedule: "schedule"
    case .shortSkipDays: "skipped days"

    case .refreshNew: "{1} new"
    case .refreshNothing: "Nothing new"
    case .refreshFailed: "{1}: {2}"
    case .refreshHeldBack: "Held back until {1}: {2}"
    case .refreshNothingToPoll: "Nothing here is polled: scripts fill it."
    case .sourcesFailed: "1 source failed|{1} sources failed"

    case .emptyList: "No messages yet."
    case .emptyListHint: "{1} polls now."
    case .emptyFailed: "The last poll failed:"
    case .emptyLocal: "Scripts fill this list: reddot push TITLE"
    case .emptyBanners: "Banners come from here, when their conditions hold: reddot banner explain URL"
    case .emptyUnread: "Nothing unread."
    case .emptyUnreadHint: "{1} shows all messages."
    case .emptySearch: "Nothing found."
    case .emptySearchHint: "{1} ends the search."
    case .emptyStarred: "No stars yet."
    case .emptyStarredHint: "{1} stars a message."
    case .emptyReader: "{1} reads a message."

    case .readerStarred: "starred"
    case .readerChanged: "changed {1}"
    case .readerTags: "Tags: {1}"
    case .readerDetails: "Details"
    case .readerImage: "Image"
    case .pictureLoading: "Loading the picture"
    case .pictureFailed: "No picture: {1}"
    case .pictureUnknownFormat: "it is not a PNG, JPEG, GIF or WebP image."
    case .pictureTooLarge: "it has more than 24 million pixels."
    case .pictureNoDecoder: "chafa, which draws pictures, is not installed."
    case .pictureUndecodable: "it is damaged, or asks for too much."
    case .bannerLoading: "Loading"
    case .bannerFocus: "read"
    case .bannerClose: "close"
    case .bannerPress: "press"
    case .bannerNext: "next"
    case .bannerAsks: "Open {1}? {2} opens it."
    case .bannerUnavailable: "This view could not be loaded: {1}"
    case .bannerScriptStopped: "Its script used too much time or memory and was stopped."
    case .bannerNoEngine: "Its script cannot run: {1}"
    case .bannerScript: "Its script failed: {1}"
    case .bannerUnknownView: "It has no view called {1}."
    case .bannerFlag: "Its script's flag {1} could not be set."
    case .bannerEndless: "Its views display each other without end."
    case .expiresAt: "until {1}"
    case .detailID: "Number"
    case .detailRemoteID: "Id at the source"
    case .detailSource: "Source"
    case .detailKind: "Kind"
    case .detailReceived: "Received"
    case .detailPriority: "Priority"
    case .detailChannel: "Channel"
    case .detailLanguage: "Language"
    case .detailVisibleFrom: "Visible from"
    case .detailCategory: "Category"
    case .detailSound: "Sound"
    case .detailUnknown: "Also sent"
    case .detailCut: "Cut, being too large"

    case .allRead: "All of this list is read. {1} takes it back."
    case .undone: "Taken back: {1}"
    case .nothingToUndo: "Nothing to take back."
    case .undoneRead: "1 message read|{1} messages read"
    case .undoneUnread: "1 message marked unread|{1} messages marked unread"
    case .undoneStar: "1 star given|{1} stars given"
    case .undoneUnstar: "1 star taken away|{1} stars taken away"
    case .undoneDismiss: "1 message dismissed|{1} messages dismissed"
    case .undoneSnooze: "1 message put off|{1} messages put off"
    case .undoneReadAll: "a whole list read"
    case .cannotDismiss: "This one cannot be dismissed: it stays until it expires."
    case .actRefused: "Nothing was changed: {1}."
    case .copyByHand:
      "This terminal cannot be told to copy. Select the address yourself; while reddot has the mouse, hold Shift."
    case .layingOut: "Laying out the text"
    case .dismissed: "Dismissed. {1} brings it back."
    case .noUnreadBelow: "Nothing unread below."
    case .noUnreadAbove: "Nothing unread above."
    case .noUnreadAtAll: "Everything is read."
    case .messageGone: "This message is gone."
    case .opening: "Opening {1}"
    case .copied: "Copied {1}"
    case .noLink: "This message has no link."
    case .noSuchLink: "There is no link {1}."
    case .linkRefused: "Only web and mail links are opened, not {1}"
    case .linkFailed: "{1} was not opened: {2}"
    case .hookFailed: "A feature's program was not run: {1}"
    case .keyUnknown: "{1} does nothing here. {2} lists the keys."
    case .sourceUnknown: "There is no source {1}."

    case .promptSearch: "Search: "
    case .promptAdd: "Address: "
    case .promptLink: "Link: "
    case .promptSnooze: "Until: "
    case .snoozeHint: "2h, evening, tomorrow, monday, fri 9:00; {1} is an hour"
    case .snoozed: "Back {1}. {2} brings it back now."
    case .snoozeUnknown: "{1} is not a time in the future. 2h, evening, tomorrow, fri 9:00"
    case .cannotSnooze: "This one cannot be put off: it stays until it expires."
    case .addHint: "of a feed, or a page that has one; {1} adds, {2} leaves"
    case .added: "Added {1}."
    case .addedAlready: "{1} is here already."
    case .addRefused: "Not added: {1}"
    case .chooseFeed: "This page offers several feeds"
    case .linkHint: "1 to {1}; enter for {2}"
    case .searchHint: "{1} keeps it, {2} leaves"

    case .helpMoving: "Moving"
    case .helpReading: "Reading"
    case .helpMessages: "Messages"
    case .helpLists: "Lists and sources"
    case .helpProgram: "Program"
    case .helpCount: "A number before a motion repeats it: 5{1}. Before {2} it chooses a link: 2{2}."
    case .helpPrompt: "While you type: ctrl-u clears, ctrl-w takes a word away, esc leaves."
    case .helpMouse: "Mouse: click selects, double click reads, the wheel scrolls."

    case .settingsMistake: "The settings stay as they were: {1}"
    case .restartNeeded: "Takes effect at the next start: {1}"
    case .logFailed: "Nothing is logged: {1}"
    case .keyCommandUnknown: "[keys] names {1}, which is not a command."
    case .keyNameUnknown: "[keys] {1}: {2} is not a key."
    case .keyDigit: "[keys] {1}: {2} counts, and cannot be a command."
    case .keyClash: "[keys] {1} is given to both {2} and {3}; {2} has it."

    case .missedBefore: "One more was missed before this.|{1} more were missed before this."

    case .weekdays: "Mon Tue Wed Thu Fri Sat Sun"
    case .weekdaysInFull: "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    case .months: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
    case .monthsInFull:
      "January February March April May June July August September October November December"
    case .dayOfYear: "{1} {2}"
    case .fullDate: "{1} {2} {3} {4}, {5}"
    case .seconds: "1 second|{1} seconds"

    case .invalidAddress: "{1} is not an address that can be polled."
    case .nameNotFound: "No server named {1} was found."
    case .refused: "{1} refused the connection on port {2}."
    case .unreachable: "{1} cannot be reached: {2}."
    case .timedOut: "No answer after {1}, {2}."
    case .untrusted: "No secure connection to {1}: {2}."
    case .status: "The server answered {1} {2}."
    case .gone: "The source is gone for good (410) and is not polled any more."
    case .askedToWait: "The server asked to wait ({1})."
    case .tooLarge: "The answer is larger than {1}, which is the limit."
    case .cutOff: "The answer broke off after {1}."
    case .redirectLoop: "The address was redirected more than {1} times."
    case .badRedirect: "The server redirects to {1}, which cannot be followed."
    case .notAFeed: "This is {1}, not a feed."
    case .notAFeedAlternates: "This is {1}, not a feed. It points to {2}."
    case .malformed: "What came cannot be read: {1}."
    case .malformedLine: "What came cannot be read: line {1}, {2}."
    case .cursorStuck: "Page {1} repeats the one before it: the feed does not move on."
    case .file: "{1} cannot be read: {2}."
    case .credentials: "There is no token: {1}."
    case .storage: "The messages cannot be kept: {1}."
    case .cancelled: "The poll was stopped."
    case .stageConnecting: "while connecting"
    case .stageHandshake: "while agreeing on encryption"
    case .stageWaiting: "while waiting for the server"
    case .stageReading: "while reading"
    case .stagePoll: "for the whole poll"

    case .shortAddress: "bad address"
    case .shortNameNotFound: "server not found"
    case .shortRefused: "connection refused"
    case .shortUnreachable: "unreachable"
    case .shortTimedOut: "timed out"
    case .shortUntrusted: "not secure"
    case .shortStatus: "status {1}"
    case .shortGone: "gone for good"
    case .shortAskedToWait: "asked to wait"
    case .shortTooLarge: "too large"
    case .shortCutOff: "broke off"
    case .shortRedirects: "bad redirect"
    case .shortNotAFeed: "not a feed"
    case .shortMalformed: "unreadable"
    case .shortCursorStuck: "feed stuck"
    case .shortFile: "file unreadable"
    case .shortCredentials: "no token"
    case .shortStorage: "not stored"
    case .shortCancelled: "stopped"

    case .welcome: "Welcome to reddot"
    case .welcomeBody:
      """
      reddot polls what cannot call you: news feeds, a team's board, a build server, your own scripts. \
      What they bring stays here, in one list, until you have read it. A red dot marks what nobody has opened.

      ## Begin

      Press `{1}` and give the address of a feed, or of a page that has one:

          https://www.swift.org/atom.xml

      - It is polled every ten minutes, politely: servers may ask for longer pauses, and get them.
      - Everything is kept in one file on this machine. Close reddot whenever you like.

      `{2}` shows all keys, `{3}` leaves. The messages below say a little more.
      """
    case .welcomeKeys: "Reading with few keys"
    case .welcomeKeysBody:
      """
      One key reads everything: `{1}` opens a message, turns its pages, and goes on to the next unread one.

      | key | |
      |---|---|
      | {2} {3} | down and up |
      | {4} | read |
      | {5} | back |
      | {6} | star |
      | {7} | dismiss |
      | {8} | mark the whole list read |
      | {9} | take back what you did |
      """
    case .welcomeScripts: "Messages from your own scripts"
    case .welcomeScriptsBody:
      """
      Any script can leave a message here:

          reddot run -- make test

      And a prompt or a status bar can show the dot:

          reddot status

      `reddot demo` shows how polling works, without network and without settings. `reddot --help` lists the rest.
      """
    }
  }
}
