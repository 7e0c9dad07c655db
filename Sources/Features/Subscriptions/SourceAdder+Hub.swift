import Foundation
import HTTP
import Messages
import Platform
import Profile
import Screen
import Services
import Settings
import Storage
import Words

extension SourceAdder {
  /// The result of adding: one source, or the feeds of a hub. `known` is the number of feeds that were already
  /// followed.
  package enum Addition: Sendable {
    case source(Added)
    case feeds([Added], known: Int)

    /// The sentence that commands print.
    package var sentence: String {
      switch self {
      case .source(let added): added.sentence
      case .feeds(let added, let known):
        (added.map(\.sentence) + ["\(added.count) added, \(known) already followed"]).joined(separator: "\n")
      }
    }
  }

  /// The folder for the feeds of hubs.
  private static let hubFolder = Folder("Hub")

  /// Adds all feeds of a hub that the token may read and that aren't followed yet.
  ///
  /// - Parameter address: the address of the hub or of its list of feeds.
  func addFeeds(ofHub address: String, _ wish: SourceWish) async throws -> Addition {
    if wish.name != nil { throw Refusal.hubNames(address: HubClient.base(of: address)) }
    let token = try await token(of: wish)
    let transport = LiveTransport(profile.environment.transportOptions(profile.settings))
    let client = HubClient(
      transport, address: address, token: token, options: wish.options, now: profile.environment.now())
    let result: Result<[HubClient.Feed], HubClient.Failure>
    do throws(HubClient.Failure) { result = .success(try await client.feeds()) } catch {
      result = .failure(error)
    }
    await transport.shutdown()
    let feeds: [HubClient.Feed]
    switch result {
    case .success(let found): feeds = found
    case .failure(.request(let failure)):
      throw Refusal.failed(
        address: client.address, failure, sentence: profile.words.sentence(failure).text)
    case .failure(let failure):
      let isToken = if case .refused(_, let status, _) = failure { status == 401 } else { false }
      throw Refusal.hub(
        address: client.address, sentence: failure.sentence(profile), isOfToken: isToken)
    }
    guard !feeds.isEmpty else {
      throw Refusal.hub(
        address: client.address,
        sentence: token == nil
          ? "the hub has no public feed; give a token for other feeds"
          : "this token may not read any feed of the hub",
        isOfToken: true)
    }
    var added: [Added] = []
    var known = 0
    try profile.settingsFile.append { current in
      let followed =
        profile.sources.map { ($0.name, $0.address) }
        + current.sources.map { ($0.name, $0.source.address) }
      let addresses = Set(followed.map(\.1))
      var names = NewNames(besides: followed.map(\.0))
      (added, known) = ([], 0)
      return feeds.compactMap { feed in
        guard !addresses.contains(feed.address) else {
          known += 1
          return nil
        }
        let name = names.next(feed.title, address: feed.address)
        var wish = wish
        wish.options.stream = true
        added.append(Added(name: name, title: SafeOutput.line(feed.title), address: feed.address))
        return lines(wish, name: name, address: feed.address, kind: .native, folder: Self.hubFolder)
      }
    }
    return .feeds(added, known: known)
  }
}
