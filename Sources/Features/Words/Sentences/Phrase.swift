/// A string of the interface. `Words` contains its wording in one language.
///
/// The raw value is its key in `Resources/<language>.lproj/Localizable.strings`. In the wording, `{1}` is the first
/// argument, and `a|b` is the singular and the plural.
package enum Phrase: String, CaseIterable, Hashable, Sendable {
  // Lists and header
  case inbox, all, starred, unread, unreadOnly, searching, newestFirst, oldestFirst, bySource, byPriority,
    listSorted, marked, textEnd,
    repeated, untitled
  // Results of a search
  case hitOf, hitOfMore, hitsOver, nextHit, noHitBelow, noHitAbove
  case lookedBackTo
  // Errors in a search
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
  case next, firstPoll, neverPolled, polling, pollingOf, queued, notPolled, fromDesktop
  // The timeline
  case polls, noPollsYet, newMessages, changedMessages, messagesBack, nothingNew, notModified, joined
  case heldBack, problems
  case triggerInitial, triggerPeriodic, triggerSoft, triggerForced, triggerStream, triggerAct
  case carried, carryRefused, carryWaits, actsWaiting, resolvedAt, mergedAt, closedAt
  // Questions of programs
  case waitingList, questionUntil, questionAnswered, questionAnsweredOn, questionTimedOut, questionGone,
    questionWithdrawn, answerIsFinal, answerTooEarly, noSuchAnswer, questionIsCut
  // Rules
  case ruleInitialDelay, ruleInterval, ruleBackoff, ruleGrace, ruleRetryAfter, ruleMaxAge, ruleTTL,
    rulePollInterval, ruleRequestLimit
  case ruleSkipHours, ruleSkipDays, ruleSchedule, ruleBacklog, ruleDailyLimit, ruleGone, ruleNotPolled,
    rulePaused
  // Rules in one word or two
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
  case bannerLoading, bannerFocus, bannerClose, bannerPress, bannerNext, bannerAsks, actionAsks, serviceAsks,
    requestAsks,
    requestTo, requestNothing,
    actionSent,
    actionQueued, actionKept, actionFailed, muteNone, bannerUnavailable,
    bannerScriptStopped
  case bannerNoEngine, bannerScript, bannerUnknownView, bannerFlag, bannerEndless
  // Results of keys
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
  case promptFilter, filterNothing, lastSuccess, neverSucceeded
  // Changing a source
  case snoozedList, dismissedList, hiddenList, hiddenBy, emptyPutAway, broughtBack
  case chooseSource, sourceUnchanged, sourceRemoved, sourceRemovedHere, removedWhere, sourcePaused,
    sourceResumed, sourceSaved,
    sortedOtherwise
  case formName, formTitle, formFolder, formInterval, formNotify, formKeep, formQuery, formService, formURL,
    formUser, formToken, formUsual, formChoice
  // Writing a rule
  case ruleNew, ruleWhen, ruleDo, ruleStop, yes, no, ruleStopHint
  case ruleTags, ruleWithoutTags, ruleSnooze, ruleUnchanged, ruleConditionHint, ruleMarkHint, ruleTagHint,
    rulePriorityHint,
    ruleSnoozeHint
  case ruleEdit, ruleWill, ruleWillAndStop, ruleOn, ruleOff, ruleHits, ruleIsOn, ruleIsOff, rulesNone
  case ruleNameTaken, ruleNeedsAction, ruleNeedsProgram
  case actionUnknown, actionUnknownBut, actionTakesNothing, actionNotAPriority, actionNotATime
  case trialFound, trialWould, trialNone, trialSoFar, trialLooking, trialOpened, trialOpenedNone
  case trialOpenedAll, trialNotOpenedIt, trialOpenedIt, trialStarred
  case wouldRead, wouldUnread, wouldStar, wouldDismiss, wouldHide, wouldTag, wouldUntag, wouldPriority
  case wouldSnooze, wouldNotify, wouldUrgent, wouldAgain, wouldSilent, wouldRun
  case ruleSaved, ruleSavedCounted, ruleSavedPast, ruleApplying
  // Saved lists
  case promptSaveList, listSaved, saveNothing, listMistake, listMistakeHint
  // Prompts
  case promptSearch, promptAdd, promptSnooze, addHint, added, addedAlready, imported,
    addRefused
  case promptQuiet, quietHint, quietUntil, quietEnded, quietNow, quietAlways, actsNotSent
  // Notices
  case noticeOfSource, noticeOfAll, noticeOpen, noticeRead, noticeLater, noticeShow, noticeFailed,
    desktopFailed
  case snoozeHint, snoozed, snoozeUnknown, cannotSnooze, cannotSnoozePutAway
  case chooseFeed
  // Programs and files that get a message
  case promptPipe, promptPipeHTML, promptPipeJSON, pipeHint, pipeRunning, pipeEnded, pipeSaid, pipeFailed
  case promptSave, saveHint, saveThere, saved, onlyFirst, programFailed
  // Help
  case helpMoving, helpReading, helpMessages, helpLists, helpProgram, helpPrograms, helpCount, helpActs,
    helpPrompt
  case helpMouse
  case promptCommand, hintRun, hintAccept, hintCancel, hintSave, hintNext, hintComplete
  case commandUnknown, commandUnknownBut, commandElsewhere, commandTakesNothing, commandTakesNumber,
    commandTakes,
    commandTakesBut, commandCannot, sequenceStopped
  case promptFind, findNothing, findOnly, findFromStart, findFromEnd
  case linksTitle, linksOwn, copiedText
  case helpHere, moreBelow, placeSources, placeMessages, placeReader, placeTimeline, placeBanner
  case placeRules, placeProblem, placeLinks, placePage
  // Reports of the bottom line
  case saidNothing
  // The settings while they change, and the log
  case settingsMistake, restartNeeded, logFailed
  // Keys in the settings
  case keyCommandUnknown, keyNameUnknown, keyDigit, keyClash
  // Schedules and calendars
  case missedBefore, joinMeeting
  // Times; lists of names are separated by spaces, beginning with Monday and January
  case weekdays, weekdaysInFull, months, monthsInFull, dayOfYear, dayOfEarlierYear, fullDate, seconds
  case today, yesterday, dayInFull, dayInFullOfYear
  // Why a poll failed, as sentences
  case invalidAddress, nameNotFound, refused, unreachable, timedOut, untrusted, status, gone, askedToWait
  case tooLarge, cutOff, redirectLoop, badRedirect, insecureRedirect, notAFeed, notAFeedAlternates, malformed,
    malformedLine
  case cursorStuck, file, credentials, program, storage, cancelled
  case stageConnecting, stageHandshake, stageWaiting, stageReading, stagePoll
  // Reasons for failed polls in few words
  case shortAddress, shortNameNotFound, shortRefused, shortUnreachable, shortTimedOut, shortUntrusted
  case shortStatus, shortGone, shortAskedToWait, shortTooLarge, shortCutOff, shortRedirects, shortNotAFeed
  case shortMalformed, shortCursorStuck, shortFile, shortCredentials, shortProgram, shortStorage,
    shortCancelled
  // Welcome: titles, and bodies in Markdown
  case welcome, welcomeBody, welcomeKeys, welcomeKeysBody, welcomeScripts, welcomeScriptsBody
  // Offers of the first start
  case offersTitle, offerNewsboat, offerGitHub, offerShell, offerTmux, offerDesktop, offerAddress, offerAdded
  // The demo's story
  case demoOpening, demoBuild, demoRule, demoRuleRemoved, demoAlert, demoLaptop, demoSearch, demoEnd
}
