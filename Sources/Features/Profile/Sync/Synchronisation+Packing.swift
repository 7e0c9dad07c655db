import Basics
import Storage
import Sync

/// Joins many small objects of this machine at the sync location into one.
extension Synchronisation {
  /// Replaces many small objects of this machine with one. Objects whose changes are all in another object are deleted,
  /// and not joined: a program that copies the folder may have restored them.
  func pack(_ all: [ObjectName], _ run: inout Run) throws {
    guard all.count > Limits.smallObjects else { return }
    var own: [ObjectName] = []
    var isWhole: Bool?
    for name in all.sorted(by: {
      ($0.seqs.lowerBound, $1.seqs.upperBound) < ($1.seqs.lowerBound, $0.seqs.upperBound)
    }) {
      guard let last = own.last, name.seqs.upperBound <= last.seqs.upperBound else {
        own.append(name)
        isWhole = nil
        continue
      }
      if isWhole == nil { isWhole = try isIntact(last) == true }
      if isWhole == true { try delete(name) }
    }
    guard own.count > Limits.smallObjects else { return }
    let small = try own.filter { try store.sync.size(of: $0.seqs) < Limits.smallObjectBytes }
    guard small.count > Limits.smallObjects, let first = small.first?.seqs.lowerBound else { return }
    var packed: [ObjectName] = []
    // These are the numbers of own changes: none is near the largest.
    var last = first - 1
    for name in small where name.seqs.lowerBound <= last + 1 {
      guard try store.sync.size(of: first...max(last, name.seqs.upperBound)) <= Limits.sentObjectBytes else {
        break
      }
      last = max(last, name.seqs.upperBound)
      packed.append(name)
    }
    if packed.count > 1 { try replace(packed, by: first...last, &run) }
    // Large objects of earlier versions also get a name with a digest.
    if place.hasDigests {
      for name in own where name.digest == nil && !packed.contains(name) {
        try replace([name], by: name.seqs, &run)
      }
    }
  }

  /// Replaces objects with one that contains their changes.
  ///
  /// - Parameter seqs: the numbers of all changes in the objects.
  private func replace(_ names: [ObjectName], by seqs: ClosedRange<Int64>, _ run: inout Run) throws {
    guard let device = names.first?.device, let acts = try store.sync.packed(seqs),
      try put(ObjectName(device: device, seqs: seqs), acts: acts, &run)
    else { return }
    try store.sync.recordPacked(seqs, acts)
    // Without digests, the new object may have the name of one that it replaces.
    for name in names where place.hasDigests || name.seqs != seqs { try delete(name) }
  }
}
