import Basics
import Foundation
import Interface
import Markup
import Messages
import Synchronization
import TerminalHarness
import Testing
import Words

@testable import Banners
@testable import HTTP
@testable import Platform
@testable import Profile
@testable import Settings
@testable import Storage

/// A stage with a real store in memory, scripted answers for views, and the built engine.
final class BannerStageHarness: Sendable {
  static let now = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21T00:00:00Z

  let profile: Profile
  let stage: BannerStage
  let web: ScriptedWeb
  private let told: AsyncStream<BannerEvent>
  private let running: Task<Void, Never>

  /// - Parameters:
  ///   - pages: HTML by address; other addresses cannot be reached.
  ///   - host: the path of the engine's program; by default the built one.
  init(
    sources: [ConfiguredSource] = [source("team")], pages: [String: String] = [:],
    settings: Settings = Settings(), versionCommand: [String] = [],
    versionTime: Duration = .seconds(3600),
    host: BannerScripts = BannerScripts(path: BuiltProduct.path("reddot"), arguments: ["script-host"]),
    store: Store? = nil
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    var settings = settings
    settings.osVersion = settings.osVersion ?? "13"
    settings.sources = sources.map { source in
      var one = SourceEntry(source: source)
      one.appVersionCommand = versionCommand
      return one
    }
    let environment = Environment(
      variables: ["PATH": "/usr/bin:/bin"], home: "/home/ada", version: "0.1.0", now: { Self.now },
      clock: { .gmt }, random: { 0 })
    profile = try Profile(
      settings: settings, file: SettingsFile(path: "/none", home: "/home/ada"),
      store: try store ?? Store.inMemory(now: Self.now), environment: environment)
    web = ScriptedWeb(pages)
    let (told, continuation) = AsyncStream.makeStream(of: BannerEvent.self)
    self.told = told
    let stage = BannerStage(
      profile: profile, transport: web, scripts: host, route: DefaultRoute(root: "/none"),
      versionTime: versionTime
    ) { continuation.yield($0) }
    self.stage = stage
    running = Task {
      await stage.run()
      continuation.finish()
    }
  }

  static func source(_ name: String, version: String? = nil) -> ConfiguredSource {
    var source = ConfiguredSource(name: name, kind: .banners, address: "http://\(name).example/control.json")
    source.appVersion = version
    return source
  }

  func id(_ name: String = "team") throws -> SourceID { try profile.source(named: name).id }

  /// Records a poll with this control file and notifies the stage.
  func read(_ text: String, from name: String = "team") throws {
    let source = try profile.source(named: name)
    var content = PollContent(messages: [])
    content.document = SourceDocument(address: source.address, bytes: Data(text.utf8))
    try record(.content(content, PollHints()), of: source)
  }

  func record(_ outcome: PollOutcome, of source: Source) throws {
    try profile.store.polls.record(
      outcome, for: source.id, attempt: .soft, start: Self.now, end: Self.now, state: PollState())
    stage.controlFileRead(source.id)
  }

  func memory(_ banner: String, of name: String = "team") throws -> BannerState? {
    try profile.store.banners.all(of: try id(name))[banner]
  }

  /// All events up to this one as lines, without `ready`.
  func events(until last: String) async throws -> [String] { try await events(matching: { $0 == last }) }

  func events(matching isLast: (String) -> Bool) async throws -> [String] {
    var lines: [String] = []
    for await event in told {
      if case .ready = event { continue }
      let line = Self.line(event)
      lines.append(line)
      if isLast(line) { return lines }
      if lines.count > 200 { break }
    }
    // Thrown, so that a test with a loop ends too.
    throw Failure(description: "what was waited for never came after \(lines)")
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns once the stage has handled all events.
  func settle() async { await stage.waitUntilIdle() }

  /// Ends the stage and returns the events that were not read yet.
  func end() async -> [String] {
    await stage.end()
    await running.value
    var lines: [String] = []
    for await event in told {
      if case .ready = event { continue }
      lines.append(Self.line(event))
    }
    return lines
  }

  static func line(_ event: BannerEvent) -> String {
    switch event {
    case .raised(let placement, let banner, let view):
      "raised \(placement.source)/\(banner)/\(view) \(placement.rows.map(String.init) ?? "full") \(placement.origin)"
    case .page: "page"
    case .ready: "ready"
    case .changed(let changes, _):
      "changed "
        + changes.map { change in
          switch change {
          case .text(element: let id, let text): "\(id)=\(text)"
          case .html(element: let id, let html): "\(id):\(html)"
          case .hidden(element: let id, let isHidden): "\(id) \(isHidden ? "hidden" : "shown")"
          case .clickable(element: let id, let isClickable): "\(id) \(isClickable ? "clickable" : "dead")"
          }
        }.joined(separator: ", ")
    case .failed(let failure): "failed \(failure.logSentence(.inLanguage("en")))"
    case .noAppVersion(let source, let reason): "failed \(AppVersion.missing(source, reason))"
    case .storageFailed(let failure): "failed \(failure.sentence)"
    case .openRequested(let address, let isAfterPress):
      isAfterPress ? "open \(address)" : "open \(address) without a press"
    case .closed: "closed"
    }
  }
}

/// Pages by address, with an ETag each; other addresses cannot be reached.
final class ScriptedWeb: HTTPTransport {
  struct Page: Sendable {
    var html: String
    var type = "text/html; charset=utf-8"
    var status = 200
  }

  private let state: Mutex<(pages: [String: Page], asked: [TransportRequest])>

  init(_ pages: [String: String]) { state = Mutex((pages.mapValues { Page(html: $0) }, [])) }

  /// The requests in their order.
  var asked: [TransportRequest] { state.withLock { $0.asked } }

  func serve(_ pages: [String: Page]) { state.withLock { $0.pages = pages } }

  func send(_ request: TransportRequest) async throws(RequestFailure) -> TransportResponse {
    let page = state.withLock { state in
      state.asked.append(request)
      return state.pages[request.url]
    }
    guard let page else { throw .refused(host: "banners.example", port: 80) }
    let etag = "\"\(page.html.utf8.count)\""
    guard page.html.utf8.count <= request.responseLimit else { throw .tooLarge(limit: request.responseLimit) }
    if request.etag == etag { return TransportResponse(status: 304, finalURL: request.url) }
    return TransportResponse(
      status: page.status, headers: ["Content-Type": page.type, "ETag": etag], body: Data(page.html.utf8),
      finalURL: request.url)
  }
}
