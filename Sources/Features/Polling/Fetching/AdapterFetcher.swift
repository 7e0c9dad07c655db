import Basics
import Formats
import Foundation
package import HTTP
import Logging
package import Messages
import Platform
package import Profile
import Screen
package import Services
import Settings
import Storage
import Words

/// Polls sources for the poller, and sends the user's changes to them. It chooses the adapter for the kind of each
/// source, and adds the source's credential.
package actor AdapterFetcher: PollFetching, ActSending {
  package nonisolated let transport: LiveTransport
  private let adapters: SourceAdapters
  private let credentials: Credentials
  private let environment: Environment
  private let installed: Date
  private let log: Logger?
  /// Returns the last document of a source whose kind stores it, or `nil` if there is none.
  private let copy: @Sendable (SourceID) -> Data?
  /// The threads on which documents are parsed, so that a large document does not block other work.
  nonisolated let threads = WorkThreads()
  /// The sources of the settings, by name.
  private var entries: [String: SourceEntry]
  /// The cookies of polls of which further parts will be fetched.
  private var jars: [SourceID: CookieJar] = [:]
  /// The responses that were received when sources were examined, before the user followed them, by name.
  private var firstAnswers: [String: FirstAnswer] = [:]
  private var language: String
  private var words: Words

  /// - Parameter language: the language in which messages are stored.
  package init(_ profile: Profile, language: String) {
    environment = profile.environment
    transport = LiveTransport(profile.environment.transportOptions(profile.settings))
    adapters = SourceAdapters(
      transport: transport, programs: profile.commandPrograms)
    log = profile.logFile.map { FileLog(path: $0, now: profile.environment.now).logger(label: "command") }
    credentials = Credentials(
      environment: profile.environment.variables, programs: profile.environment.programs)
    installed = profile.installed
    let store = profile.store
    copy = { source in try? store.documents.goodCopy(of: source)?.bytes }
    entries = profile.settings.sourcesByName
    self.language = language
    words = .inLanguage(language)
  }

  /// Applies changed settings.
  package func settingsChanged(_ profile: Profile, language: String) {
    entries = profile.settings.sourcesByName
    self.language = language
    words = .inLanguage(language)
  }

  /// Uses a response that was already received as the first poll of a source.
  package func begin(_ name: String, with answer: FirstAnswer) { firstAnswers[name] = answer }

  /// Removes and returns the response for the first poll of a source, or returns `nil` if there is none. Another
  /// process may have polled the source in the meantime; the response is then not used, because it is older than the
  /// stored messages.
  private func firstAnswer(of source: Source, at position: PollPosition) -> FirstAnswer? {
    guard let answer = firstAnswers.removeValue(forKey: source.name) else { return nil }
    let isFirst = position.cursor == nil && position.validators.isEmpty && position.movedTo == nil
    guard case .parts(let parts) = answer else { return isFirst ? answer : nil }
    guard isFirst || position.isContinued, let first = parts.first else { return nil }
    if parts.count > 1 { firstAnswers[source.name] = .parts(Array(parts.dropFirst())) }
    return .parts([first])
  }

  package func shutDown() async { await transport.shutdown() }

  package func poll(
    _ source: Source, from position: PollPosition,
    hold: @escaping @Sendable (_ address: String) async -> HostHold?
  ) async -> PollOutcome {
    await poll(source, from: position, waiting: nil, hold: hold)
  }

  /// Returns the longest time for which the server of a source can hold a request until there is something new, or
  /// `nil` if it can't.
  func longestWait(of source: Source) -> Duration? {
    adapters.adapter(for: source.kind)?.longestWait(of: source)
  }

  /// Fetches one part of a poll.
  ///
  /// - Parameter wait: the time for which the server should hold the request; `nil` for an immediate response.
  func poll(
    _ source: Source, from position: PollPosition, waiting wait: Duration?,
    hold: @escaping @Sendable (_ address: String) async -> HostHold?
  ) async -> PollOutcome {
    let outcome = await ask(source, from: position, waiting: wait, hold: hold)
    guard case .failed(let failure, _) = outcome, failure.mayBeOfAddress, wait == nil, !position.isContinued,
      position.permanentAddress != nil, await hold(source.address) == nil
    else { return outcome }
    // The target of permanent redirects may be gone, and the configured address valid again.
    var configured = position
    (configured.movedTo, configured.movedCount) = (nil, 0)
    configured.validators = Validators()
    let second = await ask(source, from: configured, waiting: nil, hold: hold)
    if case .failed = second { return outcome }
    return second
  }

  /// Fetches one part of a poll from the URL in the position, or from the source's own.
  private func ask(
    _ source: Source, from position: PollPosition, waiting wait: Duration?,
    hold: @escaping @Sendable (_ address: String) async -> HostHold?
  ) async -> PollOutcome {
    let first = wait == nil ? firstAnswer(of: source, at: position) : nil
    if case .parts(let parts)? = first, let outcome = parts.first { return outcome }
    if source.kind == .schedule {
      let words = words
      let adapter = ScheduleAdapter(
        environment: environment, installed: installed, language: words.language,
        missedBefore: { words.count(.missedBefore, $0).text })
      return await threads.run { adapter.poll(source, from: position) }
    }
    let document: Fetcher.Document? = if case .document(let document)? = first { document } else { nil }
    if source.kind == .calendar {
      return await poll(calendar: source, document, from: position, hold: hold)
    }
    guard let adapter = adapters.adapter(for: source.kind) else {
      return .failed(.file(path: source.address, reason: "sources of this kind are not polled"), PollHints())
    }
    var context: PollContext
    do throws(FetchFailure) {
      context = try await self.context(of: source, hold: hold)
    } catch {
      return .failed(error, PollHints())
    }
    if position.isContinued, let jar = jars[source.id] { context.cookies = jar }
    if let log { context.log = { log.notice("\($0)") } }
    context.takesStreams = true
    context.document = document
    context.wait = wait
    let folder = entries[source.name]?.strings
    let outcome = await threads.run { [context] in
      await Self.poll(source, position, context, by: adapter, strings: folder)
    }
    if wait != nil {
      // Another poll of the same source may have separate cookies in the meantime.
    } else if case .content(_, let hints) = outcome, hints.hasMore {
      jars[source.id] = context.cookies
    } else {
      jars[source.id] = nil
    }
    return outcome
  }

  private func poll(
    calendar source: Source, _ document: Fetcher.Document?, from position: PollPosition,
    hold: @escaping @Sendable (_ address: String) async -> HostHold?
  ) async -> PollOutcome {
    let (words, copy) = (words, copy)
    do throws(FetchFailure) {
      var context = try await context(of: source, hold: hold)
      context.document = document
      let adapter = CalendarAdapter(
        fetcher: Fetcher(transport: transport),
        words: CalendarWords(reader: environment.clock(), join: words(.joinMeeting).text),
        missedBefore: { words.count(.missedBefore, $0).text }, sentence: { words.sentence($0).text },
        copy: { copy(source.id) })
      return await threads.run { [context] in
        await adapter.poll(source, from: position, context: context)
      }
    } catch {
      return .failed(error, PollHints())
    }
  }

  /// Returns the context of a poll, with the source's token and the holds on hosts.
  private func context(
    of source: Source, hold: @escaping @Sendable (_ address: String) async -> HostHold?
  ) async throws(FetchFailure) -> PollContext {
    var context = context(of: source)
    context.hold = { address in await hold(address).map { HeldHost(host: $0.host, until: $0.until) } }
    context.credential = try await credential(of: source)
    return context
  }

  /// Sends changes by the user to the service of a source. The credential is sent only to the source's own address,
  /// even if redirects led elsewhere.
  package func carry(_ acts: [OutgoingAct], of source: Source, at address: String?) async -> WriteBackResult {
    var result = WriteBackResult()
    var context = context(of: source)
    do throws(FetchFailure) {
      context.credential = try await credential(of: source)
    } catch {
      result.failure = error
      return result
    }
    let there = source.moved(to: address ?? source.address)
    return await threads.run { [adapters, context, there] in
      await adapters.carry(acts, of: there, context: context) ?? WriteBackResult()
    }
  }

  /// Returns the request that opens a source's push channel, with its credential, or `nil` if it has no such channel.
  func streamRequest(of source: Source) async throws(FetchFailure) -> StreamRequest? {
    guard SourceAdapters.facts(of: source.kind)?.isStreamed == true else { return nil }
    var context = context(of: source)
    let credential = try await credentials(of: source)
    context.credential = credential(source.address)
    context.credentialElsewhere = credential
    return try await adapters.stream(of: source, context: context)
  }

  /// Returns the context of a poll without a credential.
  private func context(of source: Source) -> PollContext {
    var context = PollContext(now: environment.now(), language: language, installed: installed)
    if let entry = entries[source.name] { context.connectTimeout = entry.connectTimeout }
    return context
  }

  /// Returns a sentence about a failure, in the user's language.
  func words(_ failure: FetchFailure) -> String { words.sentence(failure).text }

  /// Sends the request of a message's button, without a credential, because the address comes from the message.
  ///
  /// - Returns: the failure, or `nil` if the request succeeded.
  package nonisolated func perform(_ action: MessageAction) async -> FetchFailure? {
    guard let wanted = action.request,
      let method = TransportRequest.Method(rawValue: wanted.method.uppercased())
    else { return .invalidAddress(action.url) }
    var request = TransportRequest(url: action.url)
    request.method = method
    // The user has agreed only to this address.
    request.followsRedirects = false
    let headers = wanted.headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
    // Headers that frame the request are not taken from the message.
    let own: Set = [
      "host", "connection", "content-length", "transfer-encoding", "content-type", "te", "upgrade",
    ]
    request.headers = headers.filter { !own.contains($0.name.lowercased()) }
    let type = headers.first { $0.name.lowercased() == "content-type" }?.value
    request.body = wanted.body.map { .bytes(Data($0.utf8), type: type ?? "text/plain; charset=utf-8") }
    request.requestTimeout = .seconds(15)
    request.responseLimit = Limits.errorBodyBytes
    do throws(RequestFailure) {
      let response = try await transport.send(request)
      return (200..<300).contains(response.status) ? nil : .status(response.status, reason: "")
    } catch {
      return FetchFailure(error)
    }
  }

  /// Returns the source's token or password for its own server.
  private func credential(of source: Source) async throws(FetchFailure) -> Credential? {
    try await credentials(of: source)(source.address)
  }

  /// Returns the source's token or password for any server that may receive it.
  private func credentials(
    of source: Source
  ) async throws(FetchFailure) -> @Sendable (_ address: String) -> Credential? {
    var token: String?
    if let entry = entries[source.name], let origin = entry.credential {
      do throws(Credentials.Failure) {
        token = try await credentials.token(from: origin, within: entry.tokenTimeout)
      } catch {
        throw .credentials(reason: error.reason)
      }
    }
    let user = entries[source.name]?.user
    guard let facts = SourceAdapters.facts(of: source.kind) else {
      return { [token] in .configured(token: token, user: user, address: $0) }
    }
    return { [token] in .configured(facts.scheme, token: token, user: user, address: $0) }
  }

  /// Returns the settings for fetching the web page of a source's message. The source's token is read only if the page
  /// is on the source's own server.
  ///
  /// - Parameter source: the source, or `nil` if it is no longer in the settings.
  func access(of source: Source?, to address: String) async -> Result<ArticleLoader.Access, FetchFailure> {
    var access = ArticleLoader.Access()
    guard let source else { return .success(access) }
    access.polling = source.polling
    access.options = source.moved(to: address).options
    if let entry = entries[source.name] { access.connectTimeout = entry.connectTimeout }
    guard let origin = Origin(address), origin == Origin(source.address) else { return .success(access) }
    do throws(FetchFailure) {
      access.credential = try await credential(of: source)
      return .success(access)
    } catch {
      return .failure(error)
    }
  }

  /// Polls with an adapter. If the settings name a folder of `.strings` files, the adapter gets its strings.
  private static func poll(
    _ source: Source, _ position: PollPosition, _ context: PollContext, by adapter: any SourceAdapter,
    strings folder: String?
  ) async -> PollOutcome {
    guard let folder else { return await adapter.poll(source, position: position, context: context) }
    var context = context
    let given = strings(in: folder)
    context.strings = given.catalog
    let outcome = await adapter.poll(source, position: position, context: context)
    guard case .content(var content, let hints) = outcome else { return outcome }
    content.problems += given.problems
    return .content(content, hints)
  }

  /// Reads the strings of an app from its folder. They are read for each poll, because they change with the app. If
  /// files cannot be read, a problem is added, and messages show the keys.
  private static func strings(in folder: String) -> StringsFolder {
    do throws(GivenFile.Failure) {
      return try StringsFolder.read(folder)
    } catch {
      var nothing = StringsFolder()
      nothing.problems = [FormatProblem(at: error.name, message: error.reason)]
      return nothing
    }
  }
}

extension Profile {
  /// The means to run the programs of `command` sources, in the folder of the settings file.
  var commandPrograms: CommandPrograms {
    CommandPrograms(
      runner: environment.programs, environment: environment.variables,
      directory: ReplacedFile.folder(of: settingsFile.path))
  }
}

extension FetchFailure {
  /// Whether a poll that failed might succeed at another address of the same source.
  fileprivate var mayBeOfAddress: Bool {
    switch self {
    case .cancelled, .heldBack, .storage: false
    case _: true
    }
  }
}
