/// Whether the user can have seen the last arrival.
///
/// The list of all messages is marked seen only then. Its dots show which sources have new messages. If they
/// disappeared immediately, the user would not see them.
struct Attention: Hashable, Sendable {
  /// Whether there was input since the last arrival, or the list was visible for long enough.
  private(set) var isAttended = false
  /// The number of the current look, which is the time during which the list of all messages is visible; `nil` while
  /// the list is not visible.
  private var look: Int?
  /// The number of looks so far, of which the last one may be the current one.
  private var looks = 0

  /// Records input by the user, who can have seen the list then.
  mutating func attend() { isAttended = true }

  mutating func newsArrived() {
    isAttended = false
    look = nil
  }

  /// Begins a look: the time during which the list of all messages is visible.
  ///
  /// - Returns: the number of the look, or `nil` if one has already begun.
  mutating func startLook() -> Int? {
    guard look == nil else { return nil }
    looks += 1
    look = looks
    return looks
  }

  /// Ends the look, since the list of all messages is no longer visible.
  mutating func endLook() { look = nil }

  /// Records that the list of all messages was visible for long enough during the look with this number. An
  /// older look is ignored.
  mutating func lookEnded(_ number: Int) {
    guard look == number else { return }
    look = nil
    isAttended = true
  }
}

/// The state of the spinner and of the countdown to the first poll.
struct Animation: Hashable, Sendable {
  /// The number of the spinner's picture.
  private(set) var frame = 0
  /// Whether the next `ticked` was requested.
  var isTicking = false
  /// Whether the next `secondPassed` was requested.
  var isCountingDown = false

  mutating func tick() {
    isTicking = false
    frame += 1
  }
}
