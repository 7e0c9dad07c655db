import Banners
import Formats
import Interface
import Logging
import Markup
import Messages
import Polling
import Screen

extension InboxSession {
  /// Connects the stage's events with the inbox.
  func watchBanners() {
    guard let stage else { return }
    tasks.append(Task { await stage.run() })
    follow(stageEvents) { session, event in session.take(event) }
  }

  /// Shows a banner without judging its conditions; the inbox ends with it.
  package func present(_ show: BannerShow) {
    endsWithBanner = true
    stage?.present(show)
  }

  /// A poll of this process brought a control file, or a 304 for it.
  func noteControlFile(_ attempt: PollAttempt) {
    guard let stage, workspace.sources.contains(where: { $0.id == attempt.source && $0.kind == .banners })
    else { return }
    switch attempt.result {
    case .new, .nothingNew, .notModified: stage.controlFileRead(attempt.source)
    case .failed, .heldBack, .joined, .started, .carried, .refused, .carryFailed: break
    }
  }

  private func take(_ event: StageEvent) {
    switch event {
    case .raised(let placement, _, _): happened(.bannerRaised(placement))
    case .page(let page): happened(.bannerLoaded(page))
    case .ready: happened(.bannerReady)
    case .changed(_, let page): happened(.bannerChanged(page))
    case .failed(let failure):
      log?.warning("\(failure.logSentence(workspace.words))")
      happened(.bannerFailed(failure))
    // Not shown: only the publisher can correct it, who uses `banner explain` or the log.
    case .noAppVersion(let source, let reason): log?.warning("\(AppVersion.missing(source, reason))")
    case .storageFailed(let failure):
      log?.warning("\(failure.sentence)")
      report(failure)
    case .openRequested(let address, let isAfterPress):
      happened(.bannerAsked(address: address, afterPress: isAfterPress))
    case .closed:
      hasBannerEnded = true
      happened(.bannerClosed)
    }
  }
}
