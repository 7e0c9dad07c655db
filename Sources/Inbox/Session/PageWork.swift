import Foundation
import Interface
import Messages
import Platform
import Polling
import Profile
import Settings
import Storage

/// What a page of the inbox needs that takes a while: layouts, pictures, articles.
@MainActor
final class PageWork {
  private let loop: InboxLoop
  private let reader: StoreReader
  private let poller: Poller
  private let pictures: PictureCache
  private let articles: ArticleLoader
  private let pages = LatestPage()
  private let views = LatestPage()
  /// Pictures that are fetched or drawn.
  private var drawings: [PictureRequest: Task<Void, Never>] = [:]

  init(_ loop: InboxLoop, _ reader: StoreReader, _ poller: Poller, _ adapters: AdapterFetcher) {
    self.loop = loop
    self.reader = reader
    self.poller = poller
    let (environment, settings) = (loop.profile.environment, loop.profile.settings)
    pictures = PictureCache(
      transport: adapters.transport, environment: environment.variables, programs: environment.programs,
      colors: loop.screen.pictureColors, limits: settings.sourceDefaults.source.polling)
    articles = ArticleLoader(loop.profile, adapters)
  }

  func settingsChanged() async {
    await pictures.settingsChanged(limits: loop.profile.settings.sourceDefaults.source.polling)
  }

  func stop() async {
    pages.stop()
    views.stop()
    await articles.stop()
  }

  func layOut(_ request: PageRequest) {
    let slow = Task { [loop] in
      do {
        try await loop.profile.environment.timer.sleep(for: .milliseconds(200))
      } catch {
        return
      }
      loop.happened(.layingOut(request.number))
    }
    Task { [loop, pages] in
      let page = await pages.page(request.number) { request.page(isCancelled: $0) }
      slow.cancel()
      if let page { loop.happened(.laidOut(request.number, page)) }
    }
  }

  func layOut(_ request: ViewRequest) {
    Task { [loop, views] in
      let view = await views.page(request.number) { _ in request.view() }
      if let view { loop.happened(.viewLaidOut(request.number, view)) }
    }
  }

  func draw(_ request: PictureRequest) {
    drawings[request] = Task { [weak self, loop, pictures] in
      let answer = await pictures.draw(request, format: loop.screen.graphicFormat) { draft in
        await Self.show(draft, for: request, in: loop)
      }
      // A cancelled request may have been sent again.
      guard !Task.isCancelled, let self else { return }
      drawings[request] = nil
      loop.happened(.pictureAnswered(request, answer))
    }
  }

  private static func show(_ draft: PictureAnswer, for request: PictureRequest, in loop: InboxLoop) {
    guard !Task.isCancelled else { return }
    loop.happened(.pictureAnswered(request, draft))
  }

  func cancel(_ requests: [PictureRequest]) {
    for request in requests { drawings.removeValue(forKey: request)?.cancel() }
  }

  /// Answers with the stored article, else with that of the page if it may be fetched.
  func find(_ request: ArticleRequest) {
    Task { [loop, articles, reader, poller] in
      do throws(StoreFailure) {
        if let article = try await articles.stored(request.message) {
          return loop.happened(.articleAnswered(request, .found(article)))
        }
        let message =
          request.mayFetch
          ? try await reader.read({ store throws(StoreFailure) in try store.messages.find(request.message) })
          : nil
        guard let message else { return loop.happened(.articleAnswered(request, .notStored)) }
        loop.happened(.articleRequested(request.number))
        let answer = await articles.fetch(message, from: request.address)
        // A new hold is for polls too.
        if case .failed(.heldBack, _) = answer { await poller.storeChanged() }
        loop.happened(.articleAnswered(request, answer))
      } catch {
        loop.report(error)
        loop.happened(.articleAnswered(request, .notStored))
      }
    }
  }
}
