/// The removal of replaced writes from one machine's acts, when many of them are packed into one object of
/// the sync location.
package enum Packing {
  /// Removes the writes that other acts of the machine replace: of each cell (a field of a message or source), only the
  /// write with the greatest stamp is left. An act without writes keeps its kind and stamp, and a first delivery keeps
  /// its source.
  ///
  /// Acts with parts that only a later version supports are kept completely.
  ///
  /// - Parameters:
  ///   - acts: acts of one machine in the order of their numbers, each from `ActCodec.encode`.
  ///   - part: the positions of the acts to return, or `nil` for all.
  package static func trimmed(
    _ acts: [[UInt8]], part: Range<Int>? = nil
  ) throws(DamagedPayload) -> [[UInt8]] {
    var writes = LastWrites()
    for (place, bytes) in acts.enumerated() { writes.add(try ActCodec.decode(bytes).act, at: place) }
    var trimmed: [[UInt8]] = []
    for place in part ?? acts.indices {
      let read = try ActCodec.decode(acts[place])
      trimmed.append(read.isPartial ? acts[place] : ActCodec.encode(writes.trimmed(read.act, at: place)))
    }
    return trimmed
  }
}

/// The last write of each cell (a field of a message or source) among the acts of one machine.
private struct LastWrites {
  private struct Cell: Hashable {
    var source: Int
    var field: UInt64
    var target: Act.Target
  }

  private var sources: [WireUID: Int] = [:]
  private var lasts: [Cell: (stamp: Stamp, place: Int)] = [:]

  mutating func add(_ act: Act, at place: Int) {
    for group in act.groups {
      let source = sources[group.source] ?? sources.count
      sources[group.source] = source
      for target in group.targets {
        let cell = Cell(source: source, field: group.field.rawValue, target: target)
        // A machine uses a stamp twice only with the same value.
        if let last = lasts[cell], last.stamp > act.stamp { continue }
        lasts[cell] = (act.stamp, place)
      }
    }
  }

  func trimmed(_ act: Act, at place: Int) -> Act {
    var trimmed = act
    trimmed.groups = act.groups.compactMap { group in
      guard let source = sources[group.source] else { return nil }
      var left = group
      left.targets.removeAll { target in
        lasts[Cell(source: source, field: group.field.rawValue, target: target)]?.place != place
      }
      return left.targets.isEmpty && act.kind != .firstDelivery ? nil : left
    }
    if trimmed.groups.isEmpty { trimmed.undoes = 0 }
    return trimmed
  }
}
