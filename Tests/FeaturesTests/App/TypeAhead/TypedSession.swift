import Foundation
import Messages
import Screen
import Storage
import Testing

@testable import Interface
@testable import Profile
@testable import Session

/// The program's own session on a settings file and a database, without servers and other programs.
@MainActor
final class TypedSession {
  let session: InboxSession
  /// The responses to writes, while they are delayed.
  var held: [@MainActor () -> Void]?

  init(_ settings: EditedSettings, size: Size, options: InterfaceOptions) throws {
    session = InboxSession(
      profile: try settings.open(), screen: LiveSettingTests.StillScreen(size: size), options: options)
    session.loop.perform = { [weak self] in self?.perform($0) }
    session.follow(session.store.answers) { [weak self] _, answer in
      if self?.held == nil { answer() } else { self?.held?.append(answer) }
    }
    session.follow(session.loop.profile.store.changes()) { session, _ in session.store.reload() }
    session.loop.handle(.started)
    session.store.loadAtStart()
  }

  var state: AppState { session.state }

  private func perform(_ effect: Effect) {
    switch effect {
    case .sources(.add(let address, let request)) where !address.hasPrefix("~/"):
      session.loop.answer(.sources(.addAnswered(request, .refused(reason: "no"))))
    // Snoozes that end while keys are typed return automatically.
    case .journal(.snooze(let selection, _, let act, let request)):
      session.perform(.journal(.snooze(selection, until: "9h", act, request)))
    case .quiet(.set(let text, let request)):
      session.perform(.quiet(.set(text == "off" ? text : "9h", request)))
    case .programs(.save(let given, _, _, let request)):
      session.loop.answer(.programs(.saved(request, given, .failed(reason: "no"))))
    case .articles(.find(let request)):
      session.loop.answer(
        .articles(
          .answered(
            request, request.mayFetch ? .failed(.noText(host: "a.example"), kept: nil) : .notStored)))
    case .polling(.loadTimeline), .links(.copy), .links(.findAddresses): session.perform(effect)
    case .links, .programs, .pictures(.draw), .polling, .keys, .banner(.scheduleSlide), .scheduleLook,
      .sources(.editSettings), .savedLists(.editSettings), .rules(.editSettings), .suspend, .quit:
      break
    case _: session.perform(effect)
    }
  }

  func press(_ press: KeyPress) { session.loop.happened(.input(.key(press))) }

  /// Waits until all writes and reads that keys wait for are complete.
  func finish() async throws {
    let end = ContinuousClock.now + .seconds(60)
    var idle = 0
    while idle < 3 {
      if ContinuousClock.now > end {
        throw Endless(pending: state.pending, waiting: state.waiting, dialog: state.dialog)
      }
      try Task.checkCancellation()
      await session.store.finish()
      await session.loop.finishStarted()
      for _ in 0..<10 { await Task.yield() }
      idle = isIdle ? idle + 1 : 0
    }
  }

  /// Keys wait for a response that never arrives.
  struct Endless: Error {
    let pending: Pending
    let waiting: WaitingKeys
    let dialog: Dialog
  }

  private var isIdle: Bool {
    session.unwritten == 0 && (state.isOver || isAnswered)
  }

  private var isAnswered: Bool {
    state.waiting.isEmpty && !state.isReadingPlace && !state.dialog.isAsking
      && !state.pending.acts.isUnconfirmed
  }
}
