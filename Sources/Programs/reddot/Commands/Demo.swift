import ArgumentParser
import Foundation
import Platform
import Screen
import Session

/// `reddot demo`
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Show how it works: a server on this machine, ten minutes in ten seconds.",
    discussion: """
      Needs no network and no settings, and leaves nothing behind. With --headless the poll timeline is printed as \
      lines instead.

      EXAMPLES:
        reddot demo
        reddot demo --headless --seconds 60
      """)

  @Flag(help: "Print the timeline instead of opening the inbox.") var headless = false
  @Option(help: ArgumentHelp("With --headless: end after so many seconds.", valueName: "n")) var seconds = 60

  func validate() throws {
    if seconds < 1 { throw ValidationError("--seconds must be at least 1") }
  }

  @MainActor
  func run() async throws {
    let environment = Composition.environment()
    let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
    let server = DemoServer(now: environment.now, timer: environment.timer)
    let serving = Task.detached {
      defer { continuation.finish() }
      do {
        try await server.run { continuation.yield($0) }
      } catch let error as POSIXError {
        let reason = String(cString: strerror(error.code.rawValue))
        throw Complaint("the demo's server on 127.0.0.1 ended: \(reason); start the demo again")
      }
    }
    var iterator = ports.makeAsyncIterator()
    if let port = await iterator.next() { try await show(port, environment) }
    serving.cancel()
    try await serving.value
  }

  /// Runs the demo with its server at that port of this machine.
  @MainActor
  private func show(_ port: Int, _ environment: Environment) async throws {
    let demo = try DemoProfile(port: port, strings: DemoServer.strings, environment: environment)
    let remove: @Sendable () -> Void = { if let sentence = demo.remove() { Complaint.print(sentence) } }
    defer { remove() }
    let profile = try demo.open()
    if headless {
      let signals = EndingSignals(before: remove)
      defer { signals.cancel() }
      try await DemoTimeline(profile: profile).run(seconds: seconds) { line in
        do throws(OutputFailure) {
          // Flushed after each line, for a reader of a pipe, and so that none is lost at a signal.
          try Answer.print(line)
          try Answer.flush()
        } catch {
          remove()
          Reddot.end(error)
        }
      }
      return
    }
    var run = InboxRun(profile: profile)
    run.notice = "demo: 10 min are 10 s, grace 3 s"
    run.showsTimeline = true
    run.onEnd = remove
    run.onStart = { session in
      session.follow(DemoDirector.acts(by: environment.timer)) { session, act in session.perform(act) }
    }
    try await run.run()
  }
}
