import ArgumentParser
import Basics
import Foundation
import HTTP
import Platform
import Profile
import Screen
import Session

/// `reddot demo`
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show the inbox on a busy morning, in one minute.",
    discussion: """
      A server on this machine plays the services: a build fails, a rule hides the noise, a message is read on \
      another machine. You can do anything in it. The demo needs no network and no settings, and leaves \
      nothing behind.

      With --polls, it shows when and how sources are polled instead, with ten minutes in ten seconds. With \
      --headless, it prints the timeline of those polls as lines.

      EXAMPLES:
        reddot demo
        reddot demo --polls
        reddot demo --headless --seconds 60
      """)

  @Flag(help: "Show polling instead, with ten minutes in ten seconds.") var polls = false
  @Flag(help: "Print the timeline of polls instead of opening the inbox.") var headless = false
  @Option(help: ArgumentHelp("With --headless: end after this many seconds.", valueName: "n")) var seconds =
    60
  @Option(
    help: ArgumentHelp(
      "For pictures: stop the demo's clock at this instant; nothing happens.", valueName: "time"))
  var still: Instant?

  func validate() throws {
    if seconds < 1 { throw ValidationError("--seconds must be at least 1") }
    if still != nil, polls || headless {
      throw ValidationError("--still cannot be combined with --polls or --headless")
    }
  }

  @MainActor
  func run() async throws {
    // The demo's sources are polled like others, from a server in this process.
    if let reason = CurlLibrary.open() { throw Complaint("the demo cannot start: \(reason)") }
    let environment = Composition.environment()
    let folder = DemoFolder()
    let remove: @Sendable () -> Void = { if let sentence = folder.remove() { Complaint.print(sentence) } }
    defer { remove() }
    // This applies until the inbox handles them.
    let signals = EndingSignals(before: remove)
    defer { signals.cancel() }
    try folder.make()
    if polls || headless {
      let server = DemoServer(now: environment.now, timer: environment.timer)
      try await serve(server.run) { port in
        let demo = DemoProfile(
          in: folder, port: port, strings: DemoServer.strings, environment: environment)
        try await showPolls(demo.open(), onEnd: remove)
      }
    } else {
      let clock = DemoClock(began: still?.date ?? Self.morning(environment))
      let server = MorningServer(began: clock.began)
      try await serve(server.run) { port in
        try await show(clock, environment, onEnd: remove) { environment in
          MorningProfile(in: folder, server, port: port, environment: environment)
        }
      }
    }
  }

  /// Returns 9:41 of today.
  private static func morning(_ environment: Environment) -> Date {
    let clock = environment.clock()
    let today = WallTime(environment.now(), in: clock).dayNumber
    let seconds = clock.seconds(of: WallTime(dayNumber: today, second: (9 * 60 + 41) * 60))
    return Date(timeIntervalSince1970: TimeInterval(seconds))
  }

  /// Runs a server of this machine while `body` runs with its port.
  @MainActor
  private func serve(
    _ run: @escaping @Sendable (@escaping @Sendable (Int) -> Void) async throws -> Void,
    _ body: @MainActor (_ port: Int) async throws -> Void
  ) async throws {
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let serving = Task.detached {
      defer { continuation.finish() }
      do {
        try await run { continuation.yield($0) }
      } catch let error as POSIXError {
        let reason = String(cString: strerror(error.code.rawValue))
        throw Complaint("the demo's server on 127.0.0.1 ended: \(reason); start the demo again")
      }
    }
    var iterator = ports.makeAsyncIterator()
    if let port = await iterator.next() { try await body(port) }
    serving.cancel()
    try await serving.value
  }

  // MARK: The morning

  @MainActor
  private func show(
    _ clock: DemoClock, _ environment: Environment, onEnd: @escaping @Sendable () -> Void,
    _ morning: (Environment) -> MorningProfile
  ) async throws {
    var environment = environment
    environment.now = { clock.now }
    if still != nil { environment.random = { 0 } }
    let morning = morning(environment)
    var run = InboxRun(profile: try await morning.open(synchronises: still == nil))
    run.onEnd = onEnd
    if still == nil {
      let director = MorningDirector(morning)
      run.onStart = { session in
        clock.run()
        session.follow(MorningStory.scenes(by: environment.timer)) { session, scene in
          director.perform(scene, in: session)
        }
      }
    }
    try await run.run()
  }

  // MARK: Polling

  @MainActor
  private func showPolls(_ profile: Profile, onEnd: @escaping @Sendable () -> Void) async throws {
    let timer = profile.environment.timer
    if headless {
      try await DemoTimeline(profile: profile).run(seconds: seconds) { line in
        do throws(OutputFailure) {
          // The output is flushed after each line, for a reader of a pipe, and so that no line is lost at a signal.
          try Answer.print(line)
          try Answer.flush()
        } catch {
          onEnd()
          Reddot.end(error)
        }
      }
      return
    }
    var run = InboxRun(profile: profile)
    run.notice = "demo: 10 min are 10 s, grace 3 s"
    run.showsTimeline = true
    run.onEnd = onEnd
    run.onStart = { session in
      session.follow(DemoDirector.acts(by: timer)) { session, act in session.perform(act) }
    }
    try await run.run()
  }
}
