import Basics
import Formats
import Foundation
import Markup
import Messages
import Platform
import Profile
import Storage
import Words

/// The view of a banner that is shown or being loaded.
struct ShownView {
  let candidate: BannerCandidate
  let view: ControlFile.View
  /// The number of the view, by which late results for an earlier view are recognised.
  let generation: Int
  /// The number of views that scripts have displayed since the user last pressed a control.
  var displays = 0
  /// Whether the event `raised` was sent for the view.
  var isRaised = false
  /// Whether the script blocks of the view have run.
  var isReady = false
  var loading: Task<Void, Never>?
  /// The page and its scripts, or `nil` until the page is loaded.
  var engine: ViewEngine?
  /// The events that wait for the engine, which handles them one after another.
  var events: [ViewEngine.Event] = []
  /// The task that passes the events to the engine, or `nil` if none are waiting.
  var worker: Task<Void, Never>?
}

extension BannerStage {

  // MARK: - Showing and closing

  /// Shows the next banner if none is shown. The banner's state is stored before its HTML is requested.
  func raiseNext() {
    guard shown == nil, !isOver, !waiting.isEmpty else { return }
    let candidate = waiting.removeFirst()
    guard let view = candidate.banner.entry.flatMap(candidate.banner.view) else { return raiseNext() }
    let generation = put(candidate, view)
    guard let source = candidate.source else { return raise(generation) }
    let (store, name, now) = (profile.store, candidate.banner.name, profile.environment.now())
    start { stage in
      do throws(StoreFailure) {
        try await store.inBackground { store throws(StoreFailure) in
          try store.banners.recordDisplay(name, of: source, at: now)
        }
        await stage.raise(generation)
      } catch {
        // If its state cannot be stored, it isn't shown, because it would be shown at every start.
        await stage.giveUp(generation, error)
      }
    }
  }

  /// Makes a view the current one, and returns its number.
  private func put(_ candidate: BannerCandidate, _ view: ControlFile.View) -> Int {
    generations += 1
    shown = ShownView(candidate: candidate, view: view, generation: generations)
    return generations
  }

  /// Skips a banner whose state could not be stored.
  private func giveUp(_ generation: Int, _ failure: StoreFailure) {
    guard shown?.generation == generation else { return }
    send(.storageFailed(failure))
    shown = nil
    raiseNext()
  }

  /// Sends the event that shows the view, and loads its page.
  private func raise(_ generation: Int) {
    guard let view = shown, view.generation == generation else { return }
    shown?.isRaised = true
    send(
      .raised(
        BannerPlacement(view.candidate, view.view), banner: view.candidate.banner.name, view: view.view.id))
    let loader = ViewLoader(fetcher: fetcher, store: profile.store, now: profile.environment.now)
    let file = view.view.file
    let threads = threads
    shown?.loading = start { stage in
      let result = await threads.run {
        await loader.load(file).map { ViewPage(html: $0.html, base: $0.base) }
      }
      await stage.loaded(result, generation)
    }
  }

  /// Handles the loaded page of a view.
  private func loaded(_ result: Result<ViewPage, ViewLoader.Failure>, _ generation: Int) {
    guard let view = shown, view.generation == generation else { return }
    switch result {
    case .failure(.fetch(let failure)): send(.failed(.unavailable(view: view.view.id, failure)))
    case .failure(.storage(let failure)): send(.storageFailed(failure))
    case .success(let page):
      shown?.engine = ViewEngine(
        page: page, views: view.candidate.banner.views.map(\.id), scripts: scripts)
      send(.page(page))
    }
  }

  /// Closes the banner and shows the next one.
  func close() {
    lower()
    send(.closed)
    raiseNext()
  }

  /// Removes the view, and ends its fetch and its scripts.
  func lower() {
    guard let view = shown else { return }
    shown = nil
    view.loading?.cancel()
    if let engine = view.engine { start { _ in await engine.end() } }
  }

  /// Replaces the current view by another one; nothing is stored.
  private func display(_ id: String) {
    guard let current = shown, let view = current.candidate.banner.view(id) else { return }
    guard current.displays < Limits.viewDisplays else { return send(.failed(.endlessDisplay)) }
    lower()
    let generation = put(current.candidate, view)
    shown?.displays = current.displays + 1
    raise(generation)
  }

  // MARK: - Events

  /// Passes an event to the engine of the current view, and carries out what its scripts decide.
  func happened(_ event: ViewEngine.Event) {
    // Without a page, there can be no layout and no press.
    guard let view = shown, let engine = view.engine, view.events.count < Limits.viewEvents else { return }
    if case .pressed = event { shown?.displays = 0 }
    shown?.events.append(event)
    guard view.worker == nil else { return }
    let generation = view.generation
    shown?.worker = start { stage in
      while let event = await stage.nextEvent(generation) {
        let outcome = await stage.threads.run { await engine.handle(event) }
        switch event {
        case .laidOut:
          await stage.carryOut(outcome, generation, isAfterPress: false)
          await stage.scriptsRan(generation)
        case .pressed: await stage.carryOut(outcome, generation, isAfterPress: true)
        }
      }
    }
  }

  /// Records that the script blocks of a view have run, which happens after the first layout, and sends
  /// `ready`.
  private func scriptsRan(_ generation: Int) {
    guard let view = shown, view.generation == generation, !view.isReady else { return }
    shown?.isReady = true
    send(.ready)
  }

  /// Removes and returns the next event for a view, or returns `nil` if there is none.
  private func nextEvent(_ generation: Int) -> ViewEngine.Event? {
    guard shown?.generation == generation else { return nil }
    if shown?.events.isEmpty != false {
      shown?.worker = nil
      return nil
    }
    return shown?.events.removeFirst()
  }

  /// Carries out the permitted calls of a script, unless its view is closed.
  private func carryOut(
    _ outcome: ViewEngine.Outcome, _ generation: Int, isAfterPress: Bool
  ) async {
    guard let view = shown, view.generation == generation else { return }
    switch outcome {
    case .nothing: break
    case .failed(let failure): send(.failed(failure))
    case .decided(let decision, let page, let error):
      if !decision.changes.isEmpty { send(.changed(decision.changes, page)) }
      await setFlags(decision.flags, of: view.candidate)
      guard shown?.generation == generation else { return }
      send(error.map { .failed(.script(error: $0)) })
      for refusal in decision.refusals { send(.failed(BannerFailure(refusal))) }
      send(decision.address.map { .openRequested($0, afterPress: isAfterPress) })
      if decision.isClosed {
        close()
      } else if let id = decision.view {
        display(id)
      }
    }
  }

  /// Stores the flags that a script has set or cleared.
  private func setFlags(_ flags: [ScriptDecision.Flag], of candidate: BannerCandidate) async {
    guard !flags.isEmpty, let source = candidate.source else { return }
    let (name, values) = (candidate.banner.name, flags.map { ($0.name, $0.isSet) })
    do throws(StoreFailure) {
      let refused = try await profile.store.inBackground { store throws(StoreFailure) in
        try store.banners.setFlags(values, of: name, in: source)
      }
      for flag in refused.prefix(5) { send(.failed(.refusedFlag(flag))) }
    } catch {
      send(.storageFailed(error))
    }
  }
}

extension BannerFailure {
  init(_ refusal: ScriptDecision.Refusal) {
    self =
      switch refusal {
      case .unknownView(let id): .unknownView(id)
      case .address(let address): .refusedAddress(address)
      case .flag(let name): .refusedFlag(name)
      }
  }
}
