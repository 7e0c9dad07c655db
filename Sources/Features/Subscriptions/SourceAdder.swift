import Basics
import Formats
import Foundation
import HTTP
package import Messages
import Platform
package import Profile
import Screen
package import Services
package import Settings
package import Storage
import Words

/// A source that the user wants to add, with the values from the command line.
package struct SourceWish: Sendable {
  package var address: String
  /// The name of the new source, or `nil` for an automatic one.
  package var name: String?
  /// The kind of source, or `nil` to detect it from the document.
  package var kind: SourceKind?
  /// The program of a `command` source, with its arguments.
  package var command: [String]?
  package var format: CommandFormat?
  /// The options that determine which servers the source trusts.
  package var options = SourceOptions()
  /// The interval as it will be written in the settings.
  package var interval: String?
  /// The origin of the token or password, for example a command, or `nil` for none.
  package var credential: CredentialOrigin?
  /// The user name that belongs to the token.
  package var user: String?
  /// Whether the source is added without fetching it first.
  package var isUnchecked = false

  package init(address: String) { self.address = address }
}

/// Adds sources to the settings. It fetches the address first; if the document is a web page, it adds the feed that the
/// page links to.
package struct SourceAdder: Sendable {
  let profile: Profile

  package init(_ profile: Profile) { self.profile = profile }

  /// A source that was added.
  package struct Added: Sendable {
    package var name: String
    package var title: String
    package var address: String
    /// The number of banners in a control file, or `nil` for other sources, and if it wasn't fetched.
    package var banners: Int?
    /// The number of messages of a service, or `nil` for other sources, and if it wasn't polled.
    package var messages: Int?
    /// A sentence about the entries that could not be read, or `nil` if there are none.
    package var leftOut: String?
    /// The response that was examined; it is used for the first poll.
    package var first: FirstAnswer?
    /// A lock that is held until the first poll is stored, so that a running inbox does not repeat the request.
    package var turn: StoreLock?

    package var sentence: String {
      let count =
        banners.map { $0 == 1 ? ", 1 banner" : ", \($0) banners" } ?? ""
        + (messages.map { $0 == 1 ? ", 1 message" : ", \($0) messages" } ?? "")
      return "added \(SafeOutput.line(name))"
        + (title == name || title.isEmpty ? "" : " (\(SafeOutput.line(title)))")
        + ": \(SafeOutput.line(UserInfo.removed(from: address)))\(count)" + (leftOut.map { "\n\($0)" } ?? "")
    }
  }

  /// The reason why a source was not added.
  package enum Refusal: UserFacingError {
    case badAddress(String)
    /// A source with this address already exists.
    case known(name: String)
    case nameTaken(String)
    case failed(address: String, FetchFailure, sentence: String)
    /// The token permits reading messages, but not sending the user's changes to the service.
    case missingScope(address: String, MissingScope)
    /// The page links to several feeds, one of which must be chosen.
    case choices([FeedChoice])
    /// The page links to a feed on another server, but the user's token or password is only for the page's server.
    case elsewhere(String)
    /// The page of a server names a file or a socket of this machine as its feed.
    case local(String)
    /// The hub refused the request, or has no feeds. `isOfToken`: whether another token may help.
    case hub(address: String, sentence: String, isOfToken: Bool)
    /// A name was given for all feeds of a hub.
    case hubNames(address: String)

    package var sentence: String { sentence(offersOptions: true) }

    /// Returns the reason as a sentence.
    ///
    /// - Parameter offersOptions: whether the user can use the command's options, which don't exist in the inbox.
    func sentence(offersOptions: Bool) -> String {
      let force = offersOptions ? "; use --force to add it anyway" : ""
      return switch self {
      case .badAddress(let text):
        if NearestName.of(text, in: SourceAdder.serviceNames) != nil {
          "\(text) is not an address\(NearestName.question(text, in: SourceAdder.serviceNames))"
        } else {
          "\(text) is neither an http, https, http+unix or file address nor a path that begins with / or ~, nor a service"
        }
      case .known(let name): "it is already followed, as \"\(name)\""
      case .nameTaken(let name):
        "\"\(name)\" is the name of another source; give another name" + (offersOptions ? " with --name" : "")
      case .failed(let address, let failure, let sentence):
        (failure.namesItsFile ? "" : "\(UserInfo.removed(from: address)): ")
          + "\(sentence) Nothing was added\(force)"
      case .missingScope(let address, let missing):
        "\(UserInfo.removed(from: address)): the token lacks the scope \(missing.scope)"
          + (offersOptions ? " (it has \(missing.has.prefix(10).joined(separator: ", ")))" : "")
          + "; create another token" + (missing.page.map { ": \($0)" } ?? "") + ". Nothing was added"
          + (offersOptions ? ", since messages could be read, and not marked as done there\(force)" : "")
      case .choices(let choices):
        "the page names several feeds; add one of them: "
          + choices.map { $0.title.isEmpty ? $0.url : "\($0.url) (\($0.title))" }.joined(separator: ", ")
      case .elsewhere(let address):
        "the page names a feed on another server, which does not get the token or password; "
          + "if you trust that server, add \(address) directly"
      case .local(let address):
        "the page names \(address) as its feed, which is on this machine and not on the page's server; "
          + "if you trust it, add it directly"
      case .hub(let address, let sentence, _):
        "\(UserInfo.removed(from: address)): \(sentence). Nothing was added"
      case .hubNames(let address):
        "a hub's feeds have their own names; leave --name out, or add one feed, \(UserInfo.removed(from: address))/v1/feeds/NAME"
      }
    }
  }

  /// Examines a source and adds it to the settings. For the address of a hub, adds all of its feeds.
  package func add(_ wish: SourceWish) async throws -> Addition {
    var wish = wish
    if let command = wish.command { return .source(try await add(command: command, wish)) }
    let home = profile.environment.home
    guard var address = relative(wish.address) ?? Self.address(wish.address, home: home) else {
      throw Refusal.badAddress(wish.address)
    }
    try refuseKnown(address)
    if let name = wish.name, profile.sources.contains(where: { $0.name == name }) {
      throw Refusal.nameTaken(name)
    }
    var title: String?
    var banners: Int?
    var kind = wish.kind
    var reading: Inspection?
    if wish.isUnchecked {
      address = Self.withoutTLS(wish.address, in: address) ?? address
      try refuseKnown(address)
      if kind == nil, Examiner.folder(address) != nil { kind = .calendar }
    } else {
      if kind == nil, HubClient.isList(address) { return try await addFeeds(ofHub: address, wish) }
      let examiner = Examiner(profile.environment) { profile.settings }
      var seen: Inspection
      do {
        seen = try await look(examiner, address, kind, wish)
      } catch let refusal as Refusal {
        guard let plain = Self.withoutTLS(wish.address, in: address) else { throw refusal }
        try refuseKnown(plain)
        do {
          seen = try await look(examiner, plain, kind, wish)
        } catch Refusal.failed(_, .refused, _) {
          throw refusal
        }
        address = plain
      }
      if kind == nil, HubClient.isStartPage(seen) { return try await addFeeds(ofHub: address, wish) }
      if seen.kind == nil, let first = seen.alternates.first {
        // A feed of readers' comments is chosen only by name.
        guard seen.alternates.dropFirst().allSatisfy(\.isOfComments) else {
          throw Refusal.choices(seen.alternates.map { FeedChoice(title: $0.title ?? "", url: $0.url) })
        }
        // A secret for the page's server must not be sent to the server that the page links to.
        let hasSecret = wish.credential != nil || Credential.configured(address: address) != nil
        if Origin(first.url) != Origin(address) {
          guard SourceAddress.isWeb(first.url) else { throw Refusal.local(first.url) }
          if hasSecret { throw Refusal.elsewhere(first.url) }
          (wish.options.clientCertificate, wish.options.clientKey, wish.options.verify) = (nil, nil, nil)
        }
        address = UserInfo.carried(from: address, to: first.url)
        try refuseKnown(address)
        seen = try await look(examiner, address, kind, wish)
      }
      guard let found = seen.kind else {
        let failure =
          seen.failure ?? .notAFeed(found: found(seen), alternates: seen.alternates.map(\.url))
        throw Refusal.failed(address: address, failure, sentence: profile.words.sentence(failure).text)
      }
      kind = kind ?? found
      title = seen.title
      if found == .banners { banners = seen.banners.count }
      reading = seen
    }
    var name = ""
    let turn = try reading?.first.flatMap { _ in try profile.store.tryLock(.adding) }
    try profile.settingsFile.append { current in
      // Another process may have added the source in the meantime, or used the name.
      if let known = current.sources.first(where: { $0.source.address == address && $0.source.kind != .local }
      ) {
        throw Refusal.known(name: known.name)
      }
      let names = profile.sources.map(\.name) + current.sources.map(\.name)
      if let wished = wish.name, names.contains(wished) { throw Refusal.nameTaken(wished) }
      var free = NewNames(besides: names)
      name = wish.name ?? free.next(title, address: address)
      return [lines(wish, name: name, address: address, kind: kind)]
    }
    var added = Added(name: name, title: SafeOutput.line(title ?? name), address: address, banners: banners)
    added.leftOut = reading.flatMap { Self.leftOut(of: $0, name, address) }
    (added.first, added.turn) = (reading?.first, turn)
    return .source(added)
  }

  /// Returns a sentence about the entries of a document that could not be read, or `nil` if there are none.
  private static func leftOut(of reading: Inspection, _ name: String, _ address: String) -> String? {
    let file = Source(id: Source.unregistered, name: name, kind: .calendar, address: address).fileName
    let sentence = reading.problems.leftOutSentence(of: name, document: file)
    return reading.calendar?.isEmpty == true ? sentence.map { "no event could be read: \($0)" } : sentence
  }

  /// Adds a `command` source. Its program is run once as a test, in the current folder.
  private func add(command: [String], _ wish: SourceWish) async throws -> Added {
    var wish = wish
    // The program of a source is run in the folder of the settings.
    if let program = command.first, program.contains("/"), !program.hasPrefix("/") {
      wish.command?[0] = URL(fileURLWithPath: program).standardizedFileURL.path
    }
    let words = wish.command ?? []
    let address = SourceAddress.ofCommand(words)
    try refuseKnown(address)
    var seen: Inspection?
    if !wish.isUnchecked {
      do {
        seen = try await Examiner(profile.environment) { profile.settings }.inspect(
          command: words, format: wish.format?.rawValue, installed: profile.installed)
      } catch let failure as FetchFailure {
        let sentence = profile.words.sentence(failure).text
        throw Refusal.failed(address: words.first ?? "", failure, sentence: sentence)
      }
    }
    let title = seen?.title
    var name = ""
    let turn = try seen?.first.flatMap { _ in try profile.store.tryLock(.adding) }
    try profile.settingsFile.append { current in
      let names = profile.sources.map(\.name) + current.sources.map(\.name)
      if let wished = wish.name, names.contains(wished) { throw Refusal.nameTaken(wished) }
      var free = NewNames(besides: names)
      let program = words.first.map { URL(fileURLWithPath: $0).lastPathComponent }
      name = wish.name ?? free.next(title ?? program, address: "")
      return [lines(wish, name: name, address: "", kind: .command)]
    }
    var added = Added(
      name: name, title: SafeOutput.line(title ?? name), address: words.joined(separator: " "))
    (added.first, added.turn) = (seen?.first, turn)
    added.leftOut = seen?.problems.leftOutSentence(of: name)
    return added
  }

  /// Returns the URL for an address that the user typed, or `nil` if it is invalid. A host without a scheme gets https.
  static func address(_ text: String, home: String) -> String? {
    if let address = SourceAddress.normalized(text, home: home) { return address }
    let typed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let host = typed.prefix { !"/?#".contains($0) }
    guard host.contains(".") || host.contains(":") || host.lowercased() == "localhost",
      !typed.contains(where: \.isWhitespace), !typed.contains("://")
    else { return nil }
    return SourceAddress.normalized("https://" + typed, home: home)
  }

  /// Returns the http address of a server if https was only assumed and the server is on this machine or in its
  /// network, where few servers have a certificate. Otherwise, returns `nil`.
  static func withoutTLS(_ typed: String, in address: String) -> String? {
    guard address.hasPrefix("https://"), !typed.lowercased().contains("https:"),
      let host = URL(string: address)?.host()?.lowercased(), isLocal(host)
    else { return nil }
    return "http://" + address.dropFirst("https://".count)
  }

  /// Whether a host is this machine or in its network: private addresses (RFC 1918, RFC 4193), and names that no public
  /// server has (RFC 6761, RFC 6762, RFC 8375).
  private static func isLocal(_ host: String) -> Bool {
    if host.contains(":") {
      let address = host.trimmingCharacters(in: ["[", "]"])
      return address == "::1" || ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains(where: address.hasPrefix)
    }
    let parts = host.split(onBytes: ".").map(String.init)
    let numbers = parts.compactMap { UInt8($0) }
    guard numbers.count == 4, parts.count == 4 else {
      return parts.count < 2 || ["localhost", "local", "internal", "lan"].contains(parts.last)
        || host.hasSuffix(".home.arpa")
    }
    switch (numbers[0], numbers[1]) {
    case (10, _), (127, _), (192, 168), (169, 254), (172, 16...31): return true
    case _: return false
    }
  }

  /// Returns the URL for a source's changed address, with the source's current password, which isn't shown to the user.
  package func address(_ text: String, of source: Source) -> String? {
    Self.address(text, home: profile.environment.home).map {
      UserInfo.carried(from: source.address, to: $0)
    }
  }

  /// Adds a source from the input of the inbox's key `a`, which is an address as the user typed it, the name of a
  /// service, or the path of an OPML file.
  ///
  /// - Parameter noting: called with a source when it is in the settings.
  package func answer(to text: String, noting: @Sendable (Added) async -> Void) async -> AddAnswer {
    let typed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let kind = Self.service(named: typed) { return .asks(ServiceQuestions.form(of: kind)) }
    do {
      if let report = try Subscriptions(profile).importIfOPML(typed) {
        return .imported(added: report.added.count, known: report.known)
      }
      switch try await add(SourceWish(address: typed)) {
      case .source(let added):
        await noting(added)
        return .added(name: added.name, title: added.title)
      case .feeds(let added, let known): return .imported(added: added.count, known: known)
      }
    } catch let refusal as Refusal {
      switch refusal {
      case .known(let name): return .alreadyThere(name: name, title: name)
      case .failed(_, let failure, _): return .failed(failure)
      case .choices(let choices): return .choices(choices)
      case .badAddress, .nameTaken, .elsewhere, .local, .missingScope, .hub, .hubNames:
        return .refused(reason: refusal.sentence(offersOptions: false))
      }
    } catch {
      return .refused(reason: (error as? any UserFacingError)?.sentence ?? "\(error)")
    }
  }

  /// Returns the URL of a file whose path is relative to the working directory, or `nil` if there is no such file.
  private func relative(_ text: String) -> String? {
    FileManager.default.fileExists(atPath: text) ? URL(fileURLWithPath: text).absoluteString : nil
  }

  /// Throws if a source with this address already exists.
  private func refuseKnown(_ address: String) throws(Refusal) {
    if let known = profile.sources.first(where: { $0.address == address }) {
      throw .known(name: known.name)
    }
  }

  /// Fetches and examines an address, with the token from the wish.
  private func look(
    _ examiner: Examiner, _ address: String, _ kind: SourceKind?, _ wish: SourceWish
  ) async throws -> Inspection {
    do {
      let token = try await token(of: wish)
      return try await examiner.inspect(
        address, kind: kind, token: token, user: wish.user, options: wish.options)
    } catch let failure as FetchFailure {
      throw Refusal.failed(address: address, failure, sentence: profile.words.sentence(failure).text)
    }
  }

  /// Reads the token, for example with its command, or returns `nil` if the wish has none.
  func token(of wish: SourceWish) async throws(Credentials.Failure) -> String? {
    guard let origin = wish.credential else { return nil }
    let environment = profile.environment
    return try await Credentials(environment: environment.variables, programs: environment.programs)
      .token(from: origin, within: profile.settings.sourceDefaults.tokenTimeout)
  }

  /// Returns a description of a document that can't be followed.
  private func found(_ inspection: Inspection) -> String {
    if inspection.format == "page" { return StatusReason.name(ofPage: inspection.title) }
    let words = inspection.problems.first?.message ?? "nothing known"
    // The inspector's sentence is "this is X, not a feed".
    return words.replacingBytes("this is ", with: "").replacingBytes(", not a feed", with: "")
  }

  /// Returns the lines of the settings for a source.
  func lines(
    _ wish: SourceWish, name: String, address: String, kind: SourceKind?, folder: Folder? = nil
  ) -> [String] {
    let kind = kind ?? .feed
    var entry = SourceEntry(
      source: ConfiguredSource(
        name: name, kind: kind, address: !kind.row.isPolled || kind == .command ? "" : address))
    entry.source.folder = folder
    entry.source.settings.options = wish.options
    entry.source.settings.options.command = wish.command
    entry.source.settings.options.format = wish.format?.rawValue
    entry.credential = wish.credential
    entry.user = wish.user
    return entry.lines(typed: wish.interval.map { ["interval": TOMLText.quoted($0)] } ?? [:])
  }
}
