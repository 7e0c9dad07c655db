import Messages

extension [MessageRow] {
  /// Returns the rows, with one row for neighbours with the same title or of the same group.
  ///
  /// - Parameters:
  ///   - isFolding: whether the same title is enough for messages without a group.
  ///   - unfolded: the messages that keep separate rows.
  func folded(_ isFolding: Bool, except unfolded: Set<MessageID>) -> [MessageRow] {
    guard isFolding || contains(where: { $0.group != nil }) else { return self }
    var rows: [MessageRow] = []
    var start = startIndex
    while start < endIndex {
      let first = self[start]
      let end =
        self[(start + 1)...].firstIndex {
          !$0.isRepeat(of: first, isFolding: isFolding) || unfolded.contains($0.id)
        } ?? endIndex
      rows.append(MessageRow(folding: self[start..<end]))
      start = end
    }
    return rows
  }
}

extension MessageRow {
  /// Creates the row that combines messages. It has the position and time of the first one, the highest priority, all
  /// symbols, and the title of a failure if one of them is a failure.
  fileprivate init(folding messages: ArraySlice<MessageRow>) {
    self = messages[messages.startIndex]
    guard messages.count > 1 else { return }
    members = Array(messages)
    isUnread = members.contains(where: \.isUnread)
    isStarred = members.contains(where: \.isStarred)
    isDismissable = members.contains(where: \.isDismissable)
    priority = members.map(\.priority).max() ?? priority
    title = named.title
    let known = Set(otherSources + [source])
    otherSources += Set(members.flatMap(\.otherSources)).subtracting(known).sorted {
      $0.rawValue < $1.rawValue
    }
  }

  /// The message whose title the row shows: the first one with the highest priority, if that is at least 4 (a failure);
  /// otherwise the first one.
  var named: MessageRow {
    priority >= Priority(4) ? all.first { $0.priority == priority } ?? self : all[0]
  }

  /// The message that is opened first when the user opens the row: the first unread one.
  var opened: MessageRow { all.first(where: \.isUnread) ?? named }

  /// The message that is opened first if the user comes from a later row: the last unread one.
  var openedFromBelow: MessageRow { all.last(where: \.isUnread) ?? named }

  /// Returns the messages of the row that follow one of them.
  func members(after id: MessageID) -> ArraySlice<MessageRow> {
    members.firstIndex { $0.id == id }.map { members[($0 + 1)...] } ?? []
  }

  func members(before id: MessageID) -> ArraySlice<MessageRow> {
    members.firstIndex { $0.id == id }.map { members[..<$0] } ?? []
  }

  /// Whether the message belongs in the row of another one.
  ///
  /// - Parameter isFolding: whether the same title is enough if neither has a group.
  fileprivate func isRepeat(of other: MessageRow, isFolding: Bool) -> Bool {
    guard source == other.source, key.rank == other.key.rank, key.group == other.key.group,
      group == other.group, channel == other.channel, !id.isWelcome
    else { return false }
    return group != nil || isFolding && !title.isEmpty && title == other.title
  }
}
