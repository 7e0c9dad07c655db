import Foundation
import Interface
import Logging
import Messages
import Platform
import Profile
import Screen
import Words

/// The circle of the inbox: an action changes the state, effects are carried out, and the screen shows the state.
///
/// The parts of a session share it: they send it actions, and read the state and the profile.
@MainActor
final class InboxLoop {
  /// Settings, sources and store, as they were read last.
  var profile: Profile
  let screen: any InboxScreen
  let log: Logger?
  private(set) var state: AppState
  /// Carries out an effect.
  var perform: @MainActor (Effect) -> Void = { _ in }
  /// Called after each action and its effects.
  var afterAction: @MainActor () -> Void = {}
  let requests = OpenRequests()
  /// The user's acts are done; only the end is left.
  var isOver = false
  /// Immediate answers to effects, which are handled before the next drawing.
  private var answers: [Action] = []
  /// Tasks that the user started and that have not ended, by their number.
  private var started: [Int: Task<Void, Never>] = [:]
  private var lastStarted = 0

  init(profile: Profile, screen: any InboxScreen, log: Logger?, state: AppState) {
    self.profile = profile
    self.screen = screen
    self.log = log
    self.state = state
  }

  /// Handles an action, carries out its effects, and draws.
  func happened(_ action: Action) {
    handle(action)
    paint()
  }

  /// Handles an action and carries out its effects; the caller draws.
  func handle(_ action: Action) {
    for effect in update(&state, action, at: profile.environment.now()) { perform(effect) }
    while !answers.isEmpty {
      for effect in update(&state, answers.removeFirst()) { perform(effect) }
    }
    afterAction()
  }

  /// Answers an effect while it is carried out; the answer is handled before the next drawing.
  func answer(_ action: Action) { answers.append(action) }

  func paint() { screen.present(render(state, screen.size)) }

  func report(_ error: any Error) {
    // Work that the end itself cancels isn't a failure.
    if isOver { return }
    let failure = error as? FetchFailure ?? .storage(reason: Self.reason(error))
    log?.error("\(profile.words.sentence(failure).text)")
    happened(.failed(failure))
  }

  /// Lets the end of the inbox wait for a task that the user started.
  func finishBeforeEnd(_ task: Task<Void, Never>) {
    lastStarted += 1
    let number = lastStarted
    started[number] = task
    Task { [weak self] in
      await task.value
      self?.started[number] = nil
    }
  }

  /// Returns when all such tasks have ended.
  func finishStarted() async {
    for task in started.values { await task.value }
  }

  /// Why something that the user asked for was not done, as a clause.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let failure as ProgramFailure: failure.words
    case let failure as ReplacedFile.Failure: failure.reason
    case let failure as any UserFacingError: failure.sentence
    case _: SystemReason.words(error)
    }
  }
}
