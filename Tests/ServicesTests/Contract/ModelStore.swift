import Basics
import Foundation
import Messages
import StandIns

/// A small store in memory that handles a service's outcomes as `UpstreamState` and `OutgoingAct` specify.
struct ModelStore: HistoryStore {
  struct Entry {
    var message: IncomingMessage
    var isRead = false
    var isStarred = false
    var isDone = false
  }

  private(set) var entries: [RemoteID: Entry] = [:]
  /// The number of times that each occasion made a message unread.
  private(set) var news: [StandInOccasion: Int] = [:]
  private(set) var position = PollPosition()
  private(set) var outgoing: [OutgoingAct] = []
  private(set) var refused: [FetchFailure] = []
  private(set) var problems: [FormatProblem] = []
  /// The ids in their order of arrival, so that a seed always selects the same.
  private(set) var order: [RemoteID] = []
  var count: Int { entries.count }
  private var open: Set<RemoteID> = []
  /// Messages that were unread when they ended.
  private var ended: Set<RemoteID> = []
  private var lastAct: Int64 = 0

  mutating func record(_ outcome: PollOutcome, at now: Date) {
    switch outcome {
    case .failed: return
    case .notModified(let position, _): self.position = position
    case .content(let content, _):
      position = content.position
      problems += content.problems
      content.messages.forEach { take($0) }
      if let upstream = content.upstream { take(upstream) }
    }
  }

  private mutating func take(_ message: IncomingMessage) {
    let id = message.remoteID
    let occasion = StandInOccasion(id, message.extras?.occasion ?? "")
    guard let known = entries[id] else {
      entries[id] = Entry(message: message)
      order.append(id)
      news[occasion, default: 0] += 1
      return
    }
    entries[id]?.message = message
    guard (known.message.extras?.occasion ?? "") != occasion.occasion else { return }
    news[occasion, default: 0] += 1
    entries[id]?.isRead = false
    entries[id]?.isDone = false
    // Acts on the earlier occasion do not apply to this one.
    outgoing.removeAll { $0.remoteID == id && $0.mark.field != .star }
  }

  private mutating func take(_ upstream: UpstreamState) {
    for mark in upstream.marks {
      if let isRead = mark.marks.isRead, !isOnItsWay(.read, mark.remoteID) {
        entries[mark.remoteID]?.isRead = isRead
      }
      if let isStarred = mark.marks.isStarred, !isOnItsWay(.star, mark.remoteID) {
        entries[mark.remoteID]?.isStarred = isStarred
      }
      if let isDone = mark.marks.isDone, !isOnItsWay(.done, mark.remoteID) {
        entries[mark.remoteID]?.isDone = isDone
      }
    }
    if let last = upstream.readThrough {
      for id in order where !last.isBefore(id) && !isOnItsWay(.read, id) { entries[id]?.isRead = true }
    }
    guard let open = upstream.open else { return }
    let gone = upstream.isComplete ? self.open.subtracting(open).subtracting(upstream.unreadable) : []
    for id in gone where !isOnItsWay(.read, id) {
      if entries[id]?.isRead == false { ended.insert(id) }
      entries[id]?.isRead = true
    }
    for id in open where ended.remove(id) != nil && !isOnItsWay(.read, id) { entries[id]?.isRead = false }
    self.open = self.open.subtracting(gone).union(open)
  }

  private func isOnItsWay(_ field: OutgoingMark.Field, _ id: RemoteID) -> Bool {
    outgoing.contains { $0.remoteID == id && $0.mark.field == field }
  }

  /// Performs a mark of the user.
  mutating func act(_ mark: OutgoingMark, on id: RemoteID, at now: Date) {
    guard let entry = entries[id] else { return }
    switch mark {
    case .read(let isRead): entries[id]?.isRead = isRead
    case .starred(let isStarred): entries[id]?.isStarred = isStarred
    case .done(let isDone): entries[id]?.isDone = isDone
    case .snoozed, .named: break
    }
    outgoing.removeAll { $0.remoteID == id && $0.mark.field == mark.field }
    lastAct += 1
    outgoing.append(
      OutgoingAct(
        id: OutgoingID(lastAct), message: MessageID(Int64(order.firstIndex(of: id) ?? 0) + 1), remoteID: id,
        mark: mark, made: now, handle: entry.message.extras?.handle))
  }

  mutating func record(_ result: WriteBackResult, at now: Date) {
    // A message that became unread there is open there, even if no poll has seen it yet.
    for act in outgoing where act.mark == .read(false) && result.carried.contains(act.id) {
      open.insert(act.remoteID)
    }
    outgoing.removeAll { result.carried.contains($0.id) || result.refused[$0.id] != nil }
    refused += result.refused.values
    for (id, occasion) in result.occasions {
      if entries[id]?.message.extras == nil { entries[id]?.message.extras = MessageExtras() }
      entries[id]?.message.extras?.occasion = occasion
    }
  }
}

extension OutgoingMark {
  /// The part of a message that a mark changes.
  enum Field: Hashable {
    case read, star, done, snooze, named
  }

  var field: Field {
    switch self {
    case .read: .read
    case .starred: .star
    case .done: .done
    case .snoozed: .snooze
    case .named: .named
    }
  }
}
