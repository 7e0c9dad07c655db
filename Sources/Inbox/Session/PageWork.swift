import Foundation
import Interface
import Messages
import Platform
import Polling
import Profile
import Settings
import Storage

/// The work for a page of the inbox that takes a while: layouts, pictures, articles.
@MainActor
final class PageWork {
  private let loop: InboxLoop
  private let reader: StoreReader
  private let poller: Poller
  private let pictures: PictureCache
  private let articles: ArticleLoader
  private let pages = LatestPage()
  /// The pictures that are being fetched or drawn.
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
    await articles.stop()
  }

  func perform(_ effect: ArticleEffect) {
    switch effect {
    case .find(let request): find(request)
    }
  }

  func perform(_ effect: PictureEffect) {
    switch effect {
    case .draw(let request): draw(request)
    case .cancel(let requests):
      for request in requests { drawings.removeValue(forKey: request)?.cancel() }
    }
  }

  /// Lays out text, and reports if this takes longer than 200 ms.
  func layOut(_ request: PageRequest) {
    let slow = Task { [loop] in
      do {
        try await loop.profile.environment.timer.sleep(for: .milliseconds(200))
      } catch {
        return
      }
      loop.happened(.reader(.layingOut(request.number)))
    }
    Task { [loop, pages] in
      let page = await pages.page(request.number) { request.page(isCancelled: $0) }
      slow.cancel()
      if let page { loop.happened(.reader(.laidOut(request.number, page))) }
    }
  }

  private func draw(_ request: PictureRequest) {
    drawings[request] = Task { [weak self, loop, pictures] in
      let answer = await pictures.draw(request, format: loop.screen.graphicFormat) { draft in
        await Self.show(draft, for: request, in: loop)
      }
      // A cancelled request may have been sent again.
      guard !Task.isCancelled, let self else { return }
      drawings[request] = nil
      loop.happened(.pictures(.answered(request, answer)))
    }
  }

  private static func show(_ draft: PictureAnswer, for request: PictureRequest, in loop: InboxLoop) {
    guard !Task.isCancelled else { return }
    loop.happened(.pictures(.answered(request, draft)))
  }

  /// Responds with the stored article, or with that of the page if none is stored and it may be fetched.
  private func find(_ request: ArticleRequest) {
    Task { [loop, articles, reader, poller] in
      do throws(StoreFailure) {
        if let article = try await articles.stored(request.message) {
          return loop.happened(.articles(.answered(request, .found(article))))
        }
        let message =
          request.mayFetch
          ? try await reader.read({ store throws(StoreFailure) in try store.messages.find(request.message) })
          : nil
        guard let message else { return loop.happened(.articles(.answered(request, .notStored))) }
        loop.happened(.articles(.requested(request.number)))
        let answer = await articles.fetch(message, from: request.address)
        // A new rate limit also applies to polls.
        if case .failed(.heldBack, _) = answer { await poller.storeChanged() }
        loop.happened(.articles(.answered(request, answer)))
      } catch {
        loop.report(error)
        loop.happened(.articles(.answered(request, .notStored)))
      }
    }
  }
}
