/// Every text of the interface. `Words` contains the text of each in one language.
///
/// The raw value is its key in `Resources/<language>.lproj/Localizable.strings`. In a text `{1}` is the first argument; `a|b`
/// is the singular and the plural.
package enum Phrase: String, CaseIterable, Hashable, Sendable {
  // Lists and header
  case inbox, all, starred, unread, unreadOnly, searching, newestFirst, oldestFirst, bySource, byPriority,
    listSorted, marked,
    repeated, untitled
  // What a search has found
  case hitOf, hitOfMore, hitsOver, nextHit, noHitBelow, noHitAbove
  case lookedBackTo
  // What is wrong with a search
  case queryTooLong, queryTooDeep, queryTooMany, queryNoField, queryNoFieldBut, queryNeedsValue,
    queryNoValue, queryNoValueBut, queryNotADate, queryNotATime, queryNoPattern, queryOpenPhrase,
    queryOpenPattern, queryOpenParenthesis, queryExtraParenthesis, queryEmptyParentheses, queryNeedsCondition,
    queryNothingToFind,
    patternTooLong, patternTooDeep, patternTooLarge, patternBackReference,
    patternUnknown, patternBrackets, patternParentheses, patternBraces, patternRange, patternRepetition,
    patternClass,
    patternEscape, patternRefused
  // States, for screen readers
  case stateSelected, stateMarked, stateUnread, stateNew, stateDowntime, statePinned, stateUrgent,
    stateFailed, stateMore,
    stateQuote, stateEnclosure, stateOpen, stateClosed
  // Polls in few words
  case polled, next, firstPoll, neverPolled, polling, queued, notPolled, fromDesktop
  // The timeline
  case polls, noPollsYet, newMessages, changedMessages, messagesBack, nothingNew, notModified, joined
  case heldBack, problems
  case triggerInitial, triggerPeriodic, triggerSoft, triggerForced, triggerStream, triggerAct
  case carried, carryRefused, carryWaits, actsWaiting, resolvedAt
  // Rules
  case ruleInitialDelay, ruleInterval, ruleBackoff, ruleGrace, ruleRetryAfter, ruleMaxAge, ruleTTL,
    rulePollInterval, ruleRequestLimit
  case ruleSkipHours, ruleSkipDays, ruleSchedule, ruleBacklog, ruleDailyLimit, ruleGone, ruleNotPolled,
    rulePaused
  // The same in one word or two
  case shortInitialDelay, shortInterval, shortBackoff, shortGrace, shortRetryAfter, shortMaxAge, shortTTL,
    shortPollInterval, shortRequestLimit
  case shortSkipHours, shortSkipDays, shortSchedule, shortBacklog, shortDailyLimit, shortPaused, notVerified
  // Keys that wait
  case keysDropped, keysTooMany, answerTooLate
  // Refreshes
  case refreshNew, refreshNothing, refreshFailed, refreshHeldBack, refreshNothingToPoll, sourcesFailed
  // Empty lists
  case emptyList, emptyListHint, emptyFailed, emptyLocal, emptyBanners, emptyUnread, emptyUnreadHint,
    emptySearch, noSourceFound
  case emptySearchHint, emptyStarred, emptyStarredHint, emptyReader
  // Reader
  case readerStarred, readerChanged, readerTags, readerDetails, readerImage, expiresAt
  case pictureLoading, pictureFailed, pictureUnknownFormat, pictureTooLarge, pictureNoDecoder
  case pictureUndecodable
  case articleFetching, articleFrom, articleHides, articleIsThere, articleNoAddress, articleNotFetched
  case articleNotAPage, articleNoText, articleHeldBack
  case detailID, detailRemoteID, detailSource, detailKind, detailReceived, detailPriority, detailChannel
  case detailLanguage, detailVisibleFrom, detailCategory, detailSound, detailUnknown, detailCut
  // Banners
  case bannerLoading, bannerFocus, bannerClose, bannerPress, bannerNext, bannerAsks, actionAsks, requestAsks,
    requestTo, requestNothing,
    actionSent,
    actionQueued, actionFailed, bannerUnavailable,
    bannerScriptStopped
  case bannerNoEngine, bannerScript, bannerUnknownView, bannerFlag, bannerEndless
  // What keys did
  case allRead, done, nothingChanged, undone, nothingToUndo, undoneRead, undoneUnread, undoneStar,
    undoneUnstar, undoneDismiss,
    undoneSnooze, undoneUndismiss, undoneRule, undoneRemoval, undoneAdded, undoneImported, undoneRenamed,
    undoneChanged,
    undoneMoved, undonePaused, undoneResumed, undoneListAdded, undoneListChanged, undoneRuleAdded,
    undoneRuleChanged, undoneRuleOn, undoneRuleOff, undoneQuiet, undoneQuietEnd, undoneLacksSecret,
    undoneLeft, undoneNothing, undoneElsewhere,
    redone, nothingToRedo
  case finalRead, finalDone, finalReadDone
  case gaveUp, actRefused, copyByHand, layingOut
  case undoneReadAll, cannotDismiss, dismissed, noUnreadBelow, noUnreadAbove, noUnreadAtAll, messageGone
  case readerPane, paneNone, paneGone, paneCannotAsk, paneNotAttached
  case opening, openingSeveral, tooManyLinks, copied, noLink, snoozedSeveral, noSuchLink,
    linkRefused, linkFailed, hookFailed,
    keyUnknown, sourceUnknown
  // Finding a source
  case noFolder, sortedByFile, sortedByName, sortedByUnread, readHidden, readShown, noneFailed
  case promptFilter, filterHint, lastSuccess, neverSucceeded
  // Changing a source
  case snoozedList, dismissedList, hiddenList, hiddenBy, emptyPutAway, broughtBack
  case chooseSource, sourceUnchanged, sourceRemoved, sourceRemovedHere, removedWhere, sourcePaused,
    sourceResumed, sourceSaved,
    sortedOtherwise
  case formName, formTitle, formFolder, formInterval, formNotify, formKeep, formQuery, formService, formURL,
    formUser, formToken, formHint, formUsual
  // Writing a rule
  case ruleNew, ruleWhen, ruleDo, ruleStop, ruleYes, ruleNo, ruleStopHint, ruleHint
  case ruleEdit, ruleWill, ruleWillAndStop, ruleOn, ruleOff, ruleHits, ruleIsOn, ruleIsOff, rulesNone
  case ruleNameTaken, ruleNeedsAction, ruleNeedsProgram
  case actionUnknown, actionUnknownBut, actionTakesNothing, actionNotAPriority
  case ruleActions
  case trialFound, trialWould, trialNone, trialSoFar, trialLooking, trialOpened, trialOpenedNone
  case trialOpenedAll, trialNotOpenedIt, trialOpenedIt, trialStarred
  case wouldRead, wouldUnread, wouldStar, wouldDismiss, wouldHide, wouldTag, wouldUntag, wouldPriority
  case wouldSnooze, wouldNotify, wouldUrgent, wouldSilent, wouldRun
  case ruleSaved, ruleSavedCounted, ruleSavedPast, ruleApplying
  // Saved lists
  case promptSaveList, listSaved, saveNothing, listMistake, listMistakeHint
  // Prompts
  case promptSearch, promptAdd, promptSnooze, addHint, added, addedAlready, imported,
    addRefused
  case promptQuiet, quietHint, quietUntil, quietEnded, quietNow, quietAlways, actsNotSent
  // Notices
  case noticeOfSource, noticeOfAll, noticeOpen, noticeRead, noticeLater, noticeFailed, desktopFailed
  case snoozeHint, snoozed, snoozeUnknown, cannotSnooze, cannotSnoozePutAway
  case chooseFeed, searchHint, promptHint
  // Programs and files that get a message
  case promptPipe, promptPipeHTML, promptPipeJSON, pipeHint, pipeRunning, pipeEnded, pipeSaid, pipeFailed
  case promptSave, saveHint, saveThere, saved, onlyFirst, programFailed
  // Help
  case helpMoving, helpReading, helpMessages, helpLists, helpProgram, helpPrograms, helpCount, helpActs,
    helpPrompt
  case helpMouse
  case helpHere, moreBelow, placeSources, placeMessages, placeReader, placeTimeline, placeBanner
  // What was said at the bottom
  case saidNothing
  // The settings while they change, and the log
  case settingsMistake, restartNeeded, logFailed
  // Keys in the settings
  case keyCommandUnknown, keyNameUnknown, keyDigit, keyClash
  // Schedules and calendars
  case missedBefore, joinMeeting
  // Times; lists of names are separated by spaces, beginning with Monday and January
  case weekdays, weekdaysInFull, months, monthsInFull, dayOfYear, dayOfEarlierYear, fullDate, seconds
  // Why a poll failed, as sentences
  case invalidAddress, nameNotFound, refused, unreachable, timedOut, untrusted, status, gone, askedToWait
  case tooLarge, cutOff, redirectLoop, badRedirect, insecureRedirect, notAFeed, notAFeedAlternates, malformed,
    malformedLine
  case cursorStuck, file, credentials, program, storage, cancelled
  case stageConnecting, stageHandshake, stageWaiting, stageReading, stagePoll
  // The same in few words
  case shortAddress, shortNameNotFound, shortRefused, shortUnreachable, shortTimedOut, shortUntrusted
  case shortStatus, shortGone, shortAskedToWait, shortTooLarge, shortCutOff, shortRedirects, shortNotAFeed
  case shortMalformed, shortCursorStuck, shortFile, shortCredentials, shortProgram, shortStorage,
    shortCancelled
  // Welcome: titles, and bodies in Markdown
  case welcome, welcomeBody, welcomeKeys, welcomeKeysBody, welcomeScripts, welcomeScriptsBody
}
