import Foundation
import Interface
import Messages
import Storage

/// Carries what the user did to the services of the messages, while the inbox runs.
@MainActor
extension InboxSession {
  /// After this time: several acts, and an act that is undone at once, are one request.
  private static let carryDelay = Duration.seconds(1)

  /// An act may wait to be carried.
  func carrySoon(isForced: Bool = false) {
    guard workspace.sources.contains(where: { !$0.carries.isEmpty }) else { return }
    carrying.isWanted = true
    if isForced { carrying.isForced = true }
    carrying.timer?.cancel()
    carrying.timer = nil
    guard carrying.task == nil else { return }
    carrying.task = Task { [weak self] in
      while let self, carrying.isWanted {
        do { try await Task.sleep(for: Self.carryDelay) } catch { break }
        await carry()
      }
      self?.carrying.task = nil
    }
  }

  /// Does an action of a message that the user has confirmed.
  func perform(_ action: MessageAction, of message: MessageID) {
    let now = workspace.environment.now()
    if let name = action.upstream {
      acts.write({ store in try store.request(action: name, of: message, at: now) }) {
        session, result in
        switch result {
        case .success:
          session.happened(.actionEnded(action, nil))
          session.carrySoon()
        case .failure(let failure): session.report(failure)
        }
      }
    } else if action.request != nil {
      let task = Task { [weak self, adapters] in
        let failure = await adapters.perform(action)
        self?.happened(.actionEnded(action, failure))
      }
      finishBeforeEnd(task)
    }
  }

  private func carry() async {
    let isForced = carrying.isForced
    (carrying.isWanted, carrying.isForced) = (false, false)
    do throws(StoreFailure) {
      let round = try await carrier.carry(workspace.sources, isForced: isForced)
      carrying.last = round
      for attempt in round.attempts { happened(.pollAttempted(attempt)) }
      if let next = round.next { carryAgain(at: next) }
    } catch {
      report(error)
    }
  }

  private func carryAgain(at date: Date) {
    let wait = max(1, date.timeIntervalSince(workspace.environment.now()))
    carrying.timer?.cancel()
    carrying.timer = Task { [weak self] in
      do { try await Task.sleep(for: .seconds(wait)) } catch { return }
      self?.carrying.timer = nil
      self?.carrySoon()
    }
  }

  /// Gives what was done last a short chance to be sent; the rest waits for the next start, which is said.
  func endCarrying() async {
    carrying.timer?.cancel()
    let isWaiting = carrying.task != nil
    carrying.task?.cancel()
    guard workspace.sources.contains(where: { !$0.carries.isEmpty }) else { return }
    var last = carrying.last
    if isWaiting, case .success(let round) = await carrier.round(workspace.sources, within: .seconds(1)) {
      last = round
    }
    let sentences: [String]
    do throws(StoreFailure) {
      sentences = try workspace.sentences(on: last)
    } catch {
      sentences = ["what waits for services isn't known: " + SafeOutput.line(error.sentence)]
    }
    // The screen is closed already.
    for sentence in sentences {
      ErrorOutput.write("reddot: \(sentence)\n")
    }
  }
}

/// The state of carrying acts to services.
struct Carrying {
  var isWanted = false
  var isForced = false
  var task: Task<Void, Never>?
  /// Until something is tried again.
  var timer: Task<Void, Never>?
  /// What came of it last.
  var last = ActCarrier.Round()
}
