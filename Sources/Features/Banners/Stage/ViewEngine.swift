import Basics
import Markup
import Messages
import Words

/// The page of a view and its scripts. The process for scripts is started by the first event that has code to run.
actor ViewEngine {
  enum Event: Hashable, Sendable {
    /// The page was laid out at this size, in points; the first time, the script blocks run.
    case laidOut(width: Double, height: Double)
    case pressed(ViewControl.Action)
  }

  /// The result of handling an event.
  enum Outcome: Hashable, Sendable {
    /// There was nothing to run.
    case nothing
    /// Scripts have run: the permitted calls, the page after them, and the message of an exception.
    case decided(ScriptDecision, ViewPage, error: String?)
    case failed(BannerFailure)
  }

  /// The page, with the changes that scripts have made to it.
  private var page: ViewPage
  private let process: ScriptProcess
  /// The ids of the banner's views.
  private let views: [String]
  /// The size at which the page was last laid out, in points.
  private var size = (width: 0.0, height: 0.0)
  /// The elements that were last sent to the script engine, or `nil` if none were.
  private var sent: [ViewElement]?
  private var isLaidOut = false
  /// Whether the script engine failed, so that no more scripts run.
  private var isStopped = false

  init(page: ViewPage, views: [String], scripts: BannerScripts) {
    self.page = page
    self.views = views
    process = ScriptProcess(executable: scripts.path, arguments: scripts.arguments)
  }

  /// Handles an event: runs its scripts, if there are any, and changes the page accordingly.
  func handle(_ event: Event) async -> Outcome {
    let wasLaidOut = isLaidOut
    if case .laidOut(let width, let height) = event {
      guard !isLaidOut || size != (width, height) else { return .nothing }
      size = (width, height)
      isLaidOut = true
    }
    guard page.needsEngine, let request = request(event, wasLaidOut: wasLaidOut) else { return .nothing }
    if isStopped {
      if case .pressed = event { return .failed(.scriptStopped) }
      return .nothing
    }
    let elements = page.elements
    var message = ScriptRequest(event: request, width: size.width, height: size.height)
    if elements != sent { message.elements = elements.map(ScriptElement.init) }
    do throws(ScriptProcess.Failure) {
      let reply = try await process.send(message)
      sent = elements
      let decision = ScriptDecision(reply.calls, views: views)
      for change in decision.changes { page.apply(change) }
      return .decided(
        decision, page, error: reply.error.map { String($0.prefix(Limits.scriptErrorCharacters)) })
    } catch {
      isStopped = true
      switch error {
      case .overran: return .failed(.scriptStopped)
      case .cannotStart(let reason): return .failed(.noEngine(reason: reason))
      }
    }
  }

  /// Ends the process; a running event fails.
  func end() async { await process.end() }

  /// Returns the event for the script engine, or `nil` if there is nothing to run.
  private func request(_ event: Event, wasLaidOut: Bool) -> ScriptRequest.Event? {
    switch event {
    case .laidOut:
      if !wasLaidOut { return page.scripts.isEmpty ? nil : .load(scripts: page.scripts) }
      // If the engine does not run, no script needs the size.
      return sent == nil ? nil : .resize
    case .pressed(.run(let code, let element)): return .run(code: code, element: element)
    case .pressed(.click(let element)): return .click(element: element)
    case .pressed(.open): return nil
    }
  }
}

extension ScriptElement {
  init(_ element: ViewElement) {
    self.init(
      id: element.id, textContent: element.textContent, innerHTML: element.innerHTML, hidden: element.isHidden
    )
  }
}
