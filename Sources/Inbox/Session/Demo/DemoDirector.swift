package import Messages
import Profile

/// The refreshes of the demo, which show every behaviour of polling without a key press.
package enum DemoDirector {
  package enum Act: Hashable, Sendable {
    /// A refresh of a source, by its name.
    case refresh(String, PollTrigger)
  }

  /// The refreshes, with their time in seconds after the start.
  package static let script: [(second: Int, act: Act)] = [
    // This is within the grace period of the first poll: no request.
    (3, .refresh("team", .soft)),
    // This is forced: polled regardless of the grace period.
    (5, .refresh("team", .forced)),
    // The build server responds slowly to its second request: this refresh joins the poll in flight.
    (7, .refresh("builds", .forced)),
    (9, .refresh("builds", .forced)),
    // The blog responds to its third request with Retry-After, which force does not override.
    (14, .refresh("blog", .forced)),
    (18, .refresh("blog", .forced)),
  ]

  /// Returns a stream that delivers each refresh of `script` at its time.
  package static func acts(by timer: any Clock<Duration>) -> AsyncStream<Act> {
    AsyncStream(script.map { ($0.second, $0.act) }, by: timer)
  }
}

extension InboxSession {
  package func perform(_ act: DemoDirector.Act) {
    switch act {
    case .refresh(let name, let trigger):
      guard let source = loop.profile.sources.first(where: { $0.name == name }) else { return }
      refresh([source.id], trigger)
    }
  }
}

extension AsyncStream where Element: Sendable {
  /// Creates a stream that delivers each step of a script at its second after the start.
  init(_ script: [(second: Int, step: Element)], by timer: any Clock<Duration>) {
    self.init { continuation in
      let task = Task {
        var passed = 0
        for (second, step) in script {
          do {
            try await timer.sleep(for: .seconds(second - passed))
          } catch {
            break
          }
          passed = second
          continuation.yield(step)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
