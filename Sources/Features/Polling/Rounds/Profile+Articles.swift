package import Messages
import Platform
package import Profile
import Screen
import Storage
import Words

extension ArticleLoader {
  /// Creates a loader with the settings of a profile.
  ///
  /// - Parameter adapters: provides the connections and the settings of the sources.
  package init(_ profile: Profile, _ adapters: AdapterFetcher) {
    let store = profile.store
    self.init(
      transport: adapters.transport, store: store, threads: adapters.threads, now: profile.environment.now
    ) { message, address in
      do throws(StoreFailure) {
        // The source is read again because the settings may have changed.
        let source = try await store.inBackground { store throws(StoreFailure) in
          try store.sources.statuses().first { $0.source.id == message.source }?.source
        }
        return await adapters.access(of: source, to: address)
      } catch {
        return .failure(.storage(reason: error.sentence))
      }
    }
  }
}

extension Profile {
  /// Returns the article of a message's web page, for a command. If it is not stored, it is fetched and stored.
  ///
  /// - Throws: `StoreFailure`, or a failure with advice for the user.
  package func article(of message: Message) async throws -> Article {
    guard let address = message.webAddress else { throw unavailable(.noAddress) }
    let adapters = AdapterFetcher(self, language: language)
    let loader = ArticleLoader(self, adapters)
    if let article = try await loader.stored(message.id) { return article }
    let answer = await loader.fetch(message, from: address)
    await adapters.shutDown()
    switch answer {
    case .found(let article): return article
    case .notStored: throw unavailable(.noAddress)
    case .failed(let failure, _): throw unavailable(failure)
    }
  }

  /// Returns the error for an article that could not be fetched.
  private func unavailable(_ failure: ArticleFailure) -> ArticleUnavailable {
    ArticleUnavailable(
      sentence: Words.inLanguage("en").sentence(failure, open: "a browser", zone: environment.clock()).text)
  }
}

/// The error of a command whose article is unavailable.
struct ArticleUnavailable: UserFacingError {
  var sentence: String
}
