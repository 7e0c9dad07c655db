import Messages
import StandIns

extension ServiceHistory {
  /// The user's messages that differ from those at the service, after a settled poll.
  var faults: [String] {
    let truth = standIn.truth
    let entries = store.entries
    var faults: [String] = []
    for (occasion, count) in store.news {
      if count > 1 { faults.append("\(occasion) was news \(count) times") }
      if !truth.everPresent.contains(occasion) { faults.append("\(occasion) never was there") }
    }
    for occasion in truth.listed {
      let stored = entries[occasion.id]
      if stored == nil { faults.append("\(occasion.id.text) is missing") }
      if let stored, (stored.message.extras?.occasion ?? "") != occasion.occasion {
        faults.append("\(occasion) is missing, there is \(stored.message.extras?.occasion ?? "none")")
      }
    }
    for (id, entry) in entries {
      guard let marks = truth.marks[id] else { continue }
      if let isRead = marks.isRead, !entry.isDone, entry.isRead != isRead {
        faults.append("\(id.text) is read: \(entry.isRead), at the service \(isRead)")
      }
      if let isStarred = marks.isStarred, entry.isStarred != isStarred {
        faults.append("\(id.text) is starred: \(entry.isStarred), at the service \(isStarred)")
      }
      if let isDone = marks.isDone, entry.isDone != isDone {
        faults.append("\(id.text) is done: \(entry.isDone), at the service \(isDone)")
      }
    }
    if !store.outgoing.isEmpty { faults.append("\(store.outgoing.count) acts are still here") }
    return faults
  }
}
