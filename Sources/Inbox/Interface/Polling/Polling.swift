package import Foundation
package import Messages

/// The poller's current work on a source, and the time of its next poll.
package struct SourcePolling: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    case idle, queued, polling
  }

  package var phase: Phase
  /// The time of the next poll, or `nil` if only a refresh polls.
  package var next: Date?
  /// The rule that determined `next`.
  package var rule: WaitRule

  package init(phase: Phase = .idle, next: Date? = nil, rule: WaitRule = .interval) {
    self.phase = phase
    self.next = next
    self.rule = rule
  }
}

/// The results of the refreshes that the user requested. One line reports them together when all have ended.
struct RefreshTally: Hashable, Sendable {
  /// The sources whose refresh has not ended yet.
  var waiting: Set<SourceID>
  var new = 0
  /// The number of messages that were read and are unread again.
  var back = 0
  var failures: [Failure] = []
  var held: Held?

  struct Failure: Hashable, Sendable {
    var source: SourceID
    var failure: FetchFailure
  }

  /// A refresh that made no request, since a rule delays the source's polls until a time.
  struct Held: Hashable, Sendable {
    var until: Date
    var rule: WaitRule
  }

  mutating func apply(_ result: RefreshResult, of source: SourceID) {
    waiting.remove(source)
    switch result {
    case .new(let count, let back):
      new += count
      self.back += back
    case .nothingNew: break
    case .failed(let failure): failures.append(Failure(source: source, failure: failure))
    case .heldBack(let until, let rule): held = held ?? Held(until: until, rule: rule)
    }
  }
}

/// The pane of past and coming polls.
package struct Timeline: Hashable, Sendable {
  package internal(set) var isOpen = false
  /// The attempts, newest first.
  package private(set) var attempts: [PollAttempt] = []
  /// The number of lines above the first visible one.
  var scroll = 0

  /// The attempts that began or ended since the request, oldest first. They are added to the response, which
  /// may have been read from the store before they happened. `nil` while no response is awaited. A failed
  /// read has no response, so only the newest are kept.
  private(set) var addedSinceAsked: [PollAttempt]?

  /// The maximum number of attempts that are shown.
  static let mostShown = 200

  init() {}

  /// Begins a request for the attempts of some sources.
  mutating func ask() { addedSinceAsked = [] }

  /// Whether a request for the attempts still waits for its response.
  var isAsked: Bool { addedSinceAsked != nil }

  /// Stops waiting for the response.
  mutating func giveUp() { addedSinceAsked = nil }

  /// Shows the attempts of the response, and those since the request.
  ///
  /// - Parameter attempts: as stored, newest first. A refresh of many sources that had to wait isn't stored.
  mutating func apply(_ attempts: [PollAttempt]) {
    self.attempts = Array(attempts.prefix(Self.mostShown))
    scroll = 0
    for attempt in addedSinceAsked ?? []
    where !attempts.contains(where: {
      $0.source == attempt.source && $0.start == attempt.start && $0.trigger == attempt.trigger
    }) {
      insert(attempt)
    }
    addedSinceAsked = nil
  }

  /// Adds an attempt that began or ended; its end replaces its beginning.
  mutating func add(_ attempt: PollAttempt) {
    addedSinceAsked?.append(attempt)
    // Each attempt has two: its beginning and its end.
    if let added = addedSinceAsked, added.count > 2 * Self.mostShown { addedSinceAsked?.removeFirst() }
    insert(attempt)
  }

  private mutating func insert(_ attempt: PollAttempt) {
    if attempt.result != .joined {
      let begun = attempts.prefix(40).firstIndex {
        $0.source == attempt.source && $0.start == attempt.start && $0.result == .started
      }
      if let begun {
        attempts[begun] = attempt
        return
      }
    }
    attempts.insert(attempt, at: 0)
    if attempts.count > Self.mostShown { attempts.removeLast() }
    if scroll > 0 { scroll += 1 }
  }
}
