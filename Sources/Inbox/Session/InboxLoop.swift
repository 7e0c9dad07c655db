import Basics
import Foundation
import Interface
import Logging
import Messages
import Platform
import Profile
import Screen
import Words

/// The loop of the inbox: an action changes the state, effects are performed, and the screen shows the state.
///
/// The parts of a session share the loop: they send it actions, and read the state and the profile.
@MainActor
final class InboxLoop {
  /// Settings, sources and store, as they were last read.
  var profile: Profile
  let screen: any InboxScreen
  let log: Logger?
  private(set) var state: AppState
  /// Passes an effect to the part of the session that performs it.
  var perform: @MainActor (Effect) -> Void = { _ in }
  /// Called after each action and its effects.
  var afterAction: @MainActor () -> Void = {}
  let requests = OpenRequests()
  /// Whether the inbox only has to close, since the user's acts are finished. Failures are no longer reported
  /// then.
  var isOver = false
  /// Immediate responses to effects, which are handled before the next drawing.
  private var answers: [Action] = []
  /// The tasks that the user started and that have not ended, by their number.
  private var started: [Int: Task<Void, Never>] = [:]
  private var lastStarted = 0

  init(profile: Profile, screen: any InboxScreen, log: Logger?, state: AppState) {
    self.profile = profile
    self.screen = screen
    self.log = log
    self.state = state
  }

  /// Handles an action, performs its effects, and draws.
  func happened(_ action: Action) {
    handle(action)
    paint()
  }

  /// Handles an action and performs its effects; the caller draws.
  func handle(_ action: Action) {
    for effect in update(&state, action, at: profile.environment.now()) { perform(effect) }
    while !answers.isEmpty {
      for effect in update(&state, answers.removeFirst()) { perform(effect) }
    }
    afterAction()
  }

  /// Responds to an effect while it is performed; the response is handled before the next drawing.
  func answer(_ action: Action) { answers.append(action) }

  /// Sends an action after a time, unless the inbox has ended by then.
  func schedule(_ wait: Duration, _ action: @escaping @MainActor () -> Action) {
    Task { [weak self, timer = profile.environment.timer] in
      // Only a cancellation ends a sleep early, and nothing cancels this task: `try?` hides no failure.
      try? await timer.sleep(for: wait)
      self?.happened(action())
    }
  }

  /// Shows the list again if a day has begun since the last action.
  ///
  /// - Returns: the beginning of the next day.
  func showDay() -> Date {
    let environment = profile.environment
    let (now, clock) = (environment.now(), environment.clock())
    let today = WallTime(now, in: clock).dayNumber
    if WallTime(state.now, in: clock).dayNumber != today { happened(.timeChanged(now)) }
    let tomorrow = WallTime(dayNumber: today + 1, second: 0)
    return Date(timeIntervalSince1970: Double(clock.seconds(of: tomorrow)))
  }

  func paint() {
    let size = screen.size
    screen.present(render(state, size))
    guard let number = drawn(&state, size: size, at: profile.environment.now()) else { return }
    // Keys that have come by then are read first: they were typed before.
    schedule(.milliseconds(300)) { .questions(.stood(number)) }
  }

  /// Records that the inbox is on the screen again, after another program has used the terminal.
  func screenReturned() { drawnAgain(&state) }

  /// Logs and shows a failure, unless the inbox is ending.
  func report(_ error: any Error) {
    // Work that the end itself cancels isn't a failure.
    if isOver { return }
    let failure = error as? FetchFailure ?? .storage(reason: Self.reason(error))
    log?.error("\(profile.words.sentence(failure).text)")
    happened(.failed(.store(failure)))
  }

  /// Makes the end of the inbox wait for a task that the user started.
  func finishBeforeEnd(_ task: Task<Void, Never>) {
    lastStarted += 1
    let number = lastStarted
    started[number] = task
    Task { [weak self] in
      await task.value
      self?.started[number] = nil
    }
  }

  /// Waits for the tasks that were passed to `finishBeforeEnd`.
  func finishStarted() async {
    for task in started.values { await task.value }
  }

  /// Returns the reason why something was not done that the user requested, as a clause.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let failure as ProgramFailure: failure.words
    case let failure as ReplacedFile.Failure: failure.reason
    case let failure as any UserFacingError: failure.sentence
    case _: SystemReason.words(error)
    }
  }
}
