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

/// The stage of banners beside the inbox: its events become actions.
@MainActor
final class BannerShowing {
  private let loop: InboxLoop
  private let stage: BannerStage
  private let events: AsyncStream<StageEvent>
  private var tasks: [Task<Void, Never>] = []
  /// A banner was shown that the inbox ends with.
  private var isTheEnd = false
  /// It is closed; the question about its address may still be open.
  private var hasEnded = false

  /// - Parameter scripts: runs the scripts of banners' views.
  init(_ loop: InboxLoop, _ adapters: AdapterFetcher, _ scripts: BannerScripts) {
    self.loop = loop
    let (events, event) = AsyncStream.makeStream(of: StageEvent.self)
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
    await stage.end()
    for task in tasks { task.cancel() }
  }

  /// Shows a banner without judging its conditions; the inbox ends with it.
  func present(_ show: BannerShow) {
    isTheEnd = true
    stage.present(show)
  }

  /// Whether the inbox ends now, with the banner that it was opened for.
  var endsInbox: Bool { isTheEnd && hasEnded && loop.state.dialog.question?.isBannerLink != true }

  func settingsChanged() { stage.profileChanged(loop.profile) }

  /// A poll of this process brought a control file, or a 304 for it.
  func polled(_ attempt: PollAttempt) {
    guard loop.profile.sources.contains(where: { $0.id == attempt.source && $0.kind == .banners }) else {
      return
    }
    switch attempt.result {
    case .new, .nothingNew, .notModified: stage.controlFileRead(attempt.source)
    case .failed, .heldBack, .joined, .started, .carried, .refused, .carryFailed: break
    }
  }

  /// The banner has this size on the screen. A column is 8 points wide, a row 16 high.
  func laidOut(_ size: Size) {
    stage.laidOut(width: Double(size.columns) * 8, height: Double(size.rows) * 16)
  }

  func press(_ action: ViewControl.Action) { stage.press(action) }

  func close() { stage.dismissed() }

  private func happened(_ event: StageEvent) {
    switch event {
    case .raised(let placement, _, _): loop.happened(.bannerRaised(placement))
    case .page(let page): loop.happened(.bannerLoaded(page))
    case .ready: loop.happened(.bannerReady)
    case .changed(_, let page): loop.happened(.bannerChanged(page))
    case .failed(let failure):
      loop.log?.warning("\(failure.logSentence(loop.profile.words))")
      loop.happened(.bannerFailed(failure))
    // Not shown: only the publisher can correct it, who uses `banner explain` or the log.
    case .noAppVersion(let source, let reason): loop.log?.warning("\(AppVersion.missing(source, reason))")
    case .storageFailed(let failure):
      loop.log?.warning("\(failure.sentence)")
      loop.report(failure)
    case .openRequested(let address, let isAfterPress):
      loop.happened(.bannerAsked(address: address, afterPress: isAfterPress))
    case .closed:
      hasEnded = true
      loop.happened(.bannerClosed)
    }
  }
}
