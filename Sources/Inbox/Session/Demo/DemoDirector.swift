package import Messages
import Profile

/// The refreshes of the demo, which show every behaviour of polling without a key press.
package enum DemoDirector {
  package enum Act: Hashable, Sendable {
    /// A refresh of a source, by its name.
    case refresh(String, PollTrigger)
  }

  /// Seconds after the start, and the act.
  package static let script: [(second: Int, act: Act)] = [
    // Within the grace of the first poll: no request.
    (3, .refresh("team", .soft)),
    // Forced: polled in spite of it.
    (5, .refresh("team", .forced)),
    // The build server answers its second request slowly: this one joins the poll in flight.
    (7, .refresh("builds", .forced)),
    (9, .refresh("builds", .forced)),
    // The blog answers its third request with Retry-After, which force does not override.
    (14, .refresh("blog", .forced)),
    (18, .refresh("blog", .forced)),
  ]

  /// The acts, each at its time.
  package static func acts(by timer: any Clock<Duration>) -> AsyncStream<Act> {
    AsyncStream { continuation in
      let task = Task {
        var passed = 0
        for step in script {
          do {
            try await timer.sleep(for: .seconds(step.second - passed))
          } catch {
            break
          }
          passed = step.second
          continuation.yield(step.act)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
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
