extension IdentityPoll {
  /// Whether a trusted id now belongs to another message, which is so only if nothing of the message stayed the same.
  func isAnother(_ entry: Facts, _ old: Facts, isAlone: Bool) -> Bool {
    let isMoved = oppose(entry.published, old.published)
    let isReworded = oppose(entry.text, old.text)
    if entry.kind == .link, isMoved, isReworded, mutant != .editsWithoutIDs { return true }
    if mutant == .pageIsNoID, entry.kind == .page, isMoved, isReworded { return true }
    // A document of one entry doesn't show yet whether ids tell entries apart.
    if isAlone,
      oppose(entry.fold, old.fold) && oppose(entry.when, old.when)
        || entry.kind != .own && isReworded && (isMoved || entry.moment == nil)
    {
      return true
    }
    let stays = [
      (entry.fold, old.fold), (entry.link, old.link), (entry.when, old.when), (entry.text, old.text),
    ]
    .count { agree($0.0, $0.1) }
    return switch mutant {
    case .trustsAnyChange: false
    case .editKeepsTwoFacts: stays < 2
    default: stays == 0
    }
  }

  /// Returns the entries whose date of publication is a month or more later, or none if there are many: then the site
  /// was moved.
  func publishedAgain(_ entries: [Facts]) -> [Facts] {
    let found = entries.filter { entry in
      let old = stored[entry.id]?.first?.facts ?? entry
      guard let day = entry.day, let oldDay = old.day,
        mutant == .publishedAgainByEdit || entry.published != nil && old.published != nil
      else { return false }
      let (number, oldNumber) = (IdentityWords.dayNumber(day), IdentityWords.dayNumber(oldDay))
      let isPast = mutant == .publishedAgainInFuture || number <= IdentityWords.dayNumber(now) + 1
      return isPast && number - oldNumber >= (mutant == .publishedAgainAfterADay ? 1 : 30)
    }
    return switch mutant {
    case .nothingIsPublishedAgain: []
    case .publishedAgainHoweverMany: found
    default: found.count <= max(1, unique.count / 5) ? found : []
    }
  }

  /// Identifies entries with an id that is not trusted by two facts that one of them has and no other.
  func tellApart(_ group: [Facts], _ open: [Message], hasOthers: Bool) {
    var pairs: [(Facts) -> [ExactText?]] = [
      { $0.content }, { [$0.fold, $0.moment] }, { [$0.fold, $0.text] }, { [$0.moment, $0.link] },
      { [$0.fold, hasOthers && $0.moment == nil ? $0.day : nil] },
    ]
    switch mutant {
    case .doubtedNotByTitleAndMoment: pairs.remove(at: 1)
    case .doubtedNotByMomentAndPage: pairs.remove(at: 3)
    case .doubtedByTitle: pairs[4] = { [$0.fold] }
    default: break
    }
    var (group, open) = (group, open)
    for pair in pairs {
      for entry in group {
        let key = pair(entry)
        let same = open.filter { pair($0.facts) == key }
        let isWhole = key.count > 2 || !key.contains(nil)
        let isOne = same.count == 1 && group.count { pair($0) == key } == 1
        guard isWhole, let message = same.first, isOne || mutant == .doubtedThoughSeveralFit else { continue }
        match(entry, message, message.facts.content == entry.content ? .same : .changed)
        group.removeAll { $0 === entry }
        open.removeAll { $0 === message }
      }
    }
  }

  /// Whether an entry with another id is a known message of its source.
  ///
  /// - Parameters:
  ///   - isRenewed: whether no id of the document is known, so that the publisher has changed the ids.
  ///   - isStamped: whether all entries have one moment, unlike before: it is that of the move.
  func isJoined(_ entry: Facts, _ old: Facts, isRenewed: Bool, isStamped: Bool) -> Bool {
    let (title, text) = (agree(entry.fold, old.fold), agree(entry.text, old.text))
    let link =
      agree(entry.link, old.link) || mutant != .pageNameIsNothing && agree(entry.page, old.page)
    let otherText = oppose(entry.text, old.text)
    let otherLink = oppose(entry.link, old.link) && !link
    if mutant == .joinsByTitleDayAndPage, title, agree(entry.day, old.day), link { return true }
    if agree(entry.moment, old.moment) {
      if isRenewed { return title || link && text }
      if otherText, mutant != .joinsOtherTexts { return false }
      let isLong =
        switch mutant {
        case .shortTextsAreEnough: true
        case .longTextsAreNotEnough: false
        default: (entry.text?.count ?? 0) >= 100
        }
      return title && !otherLink || text && (title || link || isLong)
    }
    let doesRecur = source.recurs && mutant != .recurringIsEvidence
    guard isRenewed, !doesRecur, title, !otherText, !otherLink, text || link else { return false }
    // If neither side has a moment, ids that are known to be steady must be alike too.
    if source.isSteady, mutant != .steadyIsNothing, entry.moment == nil, old.moment == nil {
      let areAlike = agree(entry.words.pageName(entry.id), entry.words.pageName(old.id))
      if !areAlike || mutant == .steadyMustBeSame { return false }
    }
    if entry.when == nil || isStamped || entry.moment == nil && entry.day == old.day { return true }
    // An entry that was published since the last poll cannot be one that was read then.
    guard mutant != .joinsWhatIsNewer, let when = entry.when, let polled = source.polled else { return true }
    if mutant == .joinsNothingOlder { return false }
    return when < (entry.moment != nil ? polled : ExactText(String(polled.text.prefix(10))))
  }

  /// Returns the original in another source that an entry duplicates: it is the only one of its source, and belongs to
  /// no other entry here.
  func first(of entry: Facts, _ pages: [ExactText: [Message]], _ here: [ExactText: [Facts]]) -> Message? {
    if mutant == .noCopies { return nil }
    let same = Set(entry.names.flatMap { pages[$0] ?? [] }).filter { isCopy(entry, $0.facts) }
    let bySource = Dictionary(grouping: same, by: \.source)
    let twins = Set(entry.names.flatMap { here[$0] ?? [] }).subtracting([entry])
    let found = same.filter { message in
      mutant == .copiesThoughSeveralFit
        || bySource[message.source]?.count == 1 && !twins.contains { isCopy($0, message.facts) }
    }
    return found.min { $0.number < $1.number }
  }

  /// Whether two have the same page or worldwide id, the same moment or long text, and the same title.
  private func isCopy(_ entry: Facts, _ old: Facts) -> Bool {
    guard agree(entry.link, old.link) || agree(entry.wide, old.wide) else { return false }
    if mutant == .copiesByPage { return true }
    let title = agree(entry.fold, old.fold)
    let (short, long) =
      entry.start.count <= old.start.count ? (entry.start, old.start) : (old.start, entry.start)
    if agree(entry.moment, old.moment) {
      return title || agree(entry.text, old.text) || mutant == .copiesByPageAndMoment
    }
    let begins =
      mutant != .noCopiesByLongText && short.count >= (mutant == .copiesByShortBeginning ? 1 : 100)
      && long.text.utf8.starts(with: short.text.utf8)
    switch mutant {
    case .copiesByPageAndTitle where title: return true
    case .copiesByPageAndDay where agree(entry.day, old.day): return true
    case .copiesByPageAndTitle, .copiesByPageAndDay: break
    default: if oppose(entry.moment, old.moment) { return title && begins }
    }
    return title && !oppose(entry.day, old.day) && (begins || short == long || short.text.isEmpty)
  }
}
