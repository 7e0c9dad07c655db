import Banners
import Foundation
import Interface
import Logging
import Markup
import Messages
import Platform
import Polling
import Profile
import Screen

/// Shows banners in the inbox: passes the events of a `BannerStage` on as actions, and performs the effects of banners.
@MainActor
final class BannerShowing {
  private let loop: InboxLoop
  private let stage: BannerStage
  private let events: AsyncStream<BannerEvent>
  private let views = LatestPage()
  private var tasks: [Task<Void, Never>] = []
  /// Whether the inbox ends together with the shown banner.
  private var isTheEnd = false
  /// Whether the banner is closed; the question about its URL may still be open.
  private var hasEnded = false

  /// - Parameter scripts: runs the scripts of banners' views.
  init(_ loop: InboxLoop, _ adapters: AdapterFetcher, _ scripts: BannerScripts) {
    self.loop = loop
    let (events, event) = AsyncStream.makeStream(of: BannerEvent.self)
    self.events = events
    stage = BannerStage(profile: loop.profile, transport: adapters.transport, scripts: scripts) {
      event.yield($0)
    }
  }

  func start() {
    tasks.append(Task { [stage] in await stage.run() })
    tasks.append(
      Task { [weak self, events] in
        for await event in events { self?.happened(event) }
      })
  }

  func end() async {
    views.stop()
    await stage.end()
    for task in tasks { task.cancel() }
  }

  /// Shows a banner whatever its conditions are; the inbox ends with it.
  func present(_ show: BannerShow) {
    isTheEnd = true
    stage.present(show)
  }

  /// Whether the inbox ends now, together with the banner that it was opened for.
  var endsInbox: Bool { isTheEnd && hasEnded && loop.state.dialog.question?.isBannerLink != true }

  func settingsChanged() { stage.profileChanged(loop.profile) }

  /// Handles a poll of this process that read the control file of a banner source, or learned that it has not
  /// changed.
  func polled(_ attempt: PollAttempt) {
    guard loop.profile.sources.contains(where: { $0.id == attempt.source && $0.kind == .banners }) else {
      return
    }
    switch attempt.result {
    case .new, .nothingNew, .notModified: stage.controlFileRead(attempt.source)
    case .failed, .heldBack, .joined, .started, .carried, .refused, .carryFailed: break
    }
  }

  func perform(_ effect: BannerEffect) {
    switch effect {
    case .layOut(let request):
      Task { [loop, views] in
        let view = await views.page(request.number) { _ in request.view() }
        if let view { loop.happened(.banner(.laidOut(request.number, view))) }
      }
    // A column is 8 points wide, a row 16 high.
    case .resized(let size): stage.laidOut(width: Double(size.columns) * 8, height: Double(size.rows) * 16)
    case .press(let action): stage.press(action)
    case .close: stage.dismissed()
    case .scheduleSlide:
      let elapsed = loop.profile.environment.timer.stopwatch()
      // If drawing takes longer, steps are skipped: on a slow connection the banner appears immediately.
      loop.schedule(.milliseconds(40)) {
        .banner(.slid(steps: max(1, Int(elapsed() / .milliseconds(40)))))
      }
    }
  }

  private func happened(_ event: BannerEvent) {
    switch event {
    case .raised(let placement, _, _): loop.happened(.banner(.raised(placement)))
    case .page(let page): loop.happened(.banner(.loaded(page)))
    case .ready: loop.happened(.banner(.ready))
    case .changed(_, let page): loop.happened(.banner(.changed(page)))
    case .failed(let failure):
      loop.log?.warning("\(failure.logSentence(loop.profile.words))")
      loop.happened(.banner(.failed(failure)))
    // This is not shown in the inbox. Only the publisher can correct it, with `banner explain` or the log.
    case .noAppVersion(let source, let reason): loop.log?.warning("\(AppVersion.missing(source, reason))")
    case .storageFailed(let failure):
      loop.log?.warning("\(failure.sentence)")
      loop.report(failure)
    case .openRequested(let address, let isAfterPress):
      loop.happened(.banner(.asked(address: address, afterPress: isAfterPress)))
    case .closed:
      hasEnded = true
      loop.happened(.banner(.closed))
    }
  }
}
