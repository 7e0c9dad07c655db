import Messages

/// The position of the selected message in its list.
enum ListPosition: Hashable, Sendable {
  /// The position, from 1, and the number of messages in the list.
  case of(Int, count: Int)
  /// The position among loaded messages; the list has more messages than the count.
  case ofMore(Int, count: Int)
  /// The share of the list that is above the message, in percent. It is estimated from the message's time
  /// between the times of the first and the last message.
  case percent(Int)
}

extension MessageList {
  /// The position of the selected message, or `nil` for a search, which counts its matches, and if it is unknown.
  ///
  /// The position is counted within the loaded window, from the end of the list that is in it. Between the ends, only
  /// the time shows how far the message is: counting would cost more the more is stored.
  var position: ListPosition? {
    guard query.search == nil, isLoaded, let row = selectedRow else { return nil }
    var place = selected + 1
    if rows.count < loaded.count {
      for index in 0..<selected where !rows[index].members.isEmpty { place += rows[index].members.count - 1 }
    }
    let known = loaded.count
    switch (hasMoreBefore, hasMoreAfter) {
    case (false, false): return .of(place, count: known)
    case (false, true):
      return count.map { .of(place, count: max($0, known + 1)) } ?? .ofMore(place, count: known)
    case (true, false):
      if let count { return .of(max(count, known + 1) - known + place, count: max(count, known + 1)) }
    case (true, true): break
    }
    guard let times, times.lowerBound < times.upperBound else { return nil }
    guard row.key.rank == .normal else { return .percent(1) }
    let part =
      Double(times.upperBound - row.key.sortTime) / Double(times.upperBound - times.lowerBound)
    let above = query.order == .oldest ? 1 - part : part
    return .percent(min(max(1, Int((above * 100).rounded())), 99))
  }
}
