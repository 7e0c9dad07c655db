/// Whether the user can have seen the last arrival.
///
/// The list of all messages is marked seen only then: its dots show which source brought something, and if they went off at
/// once the user would not see them.
struct Attention: Hashable, Sendable {
  /// Whether there was input since the last arrival, or the list was in sight for long enough.
  private(set) var isAttended = false
  /// The number of the look at that list that has not ended; nil while the list is out of sight.
  private var look: Int?
  private var looks = 0

  mutating func attend() { isAttended = true }

  mutating func newsArrived() {
    isAttended = false
    look = nil
  }

  /// - Returns: the number of a look that begins now; nil where one has begun already.
  mutating func startLook() -> Int? {
    guard look == nil else { return nil }
    looks += 1
    look = looks
    return looks
  }

  /// The list is out of sight.
  mutating func endLook() { look = nil }

  /// A look lasted long enough; an older one counts no more.
  mutating func lookEnded(_ number: Int) {
    guard look == number else { return }
    look = nil
    isAttended = true
  }
}

/// What turns or counts down on the screen.
struct Animation: Hashable, Sendable {
  /// The spinner's picture.
  private(set) var frame = 0
  /// Whether the next `ticked` was asked for.
  var isTicking = false
  /// Whether the next `secondPassed` was asked for.
  var isCountingDown = false

  mutating func tick() {
    isTicking = false
    frame += 1
  }
}
