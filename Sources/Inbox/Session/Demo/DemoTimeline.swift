import Foundation
import Interface
import Messages
import Notifications
import Platform
import Polling
package import Profile
import Screen
import Storage
import Words

/// The demo without the inbox: the poll timeline as lines.
package struct DemoTimeline: Sendable {
  private let profile: Profile

  package init(profile: Profile) { self.profile = profile }

  /// Runs for a number of seconds and calls `tell` with each line of the timeline.
  package func run(seconds: Int, _ tell: @escaping @Sendable (String) -> Void) async throws {
    let environment = profile.environment
    let adapters = AdapterFetcher(profile, language: try profile.storedLanguage())
    let poller = Poller(
      sources: profile.sources, fetching: adapters, recording: StoreRecorder(profile.observedArrival),
      clock: environment.timer, now: environment.now, jitter: { environment.random() * 0.1 })
    tell(
      "ten minutes are ten seconds here, grace is three; polls of \(profile.sources.map(\.name).joined(separator: ", "))"
    )
    let words = profile.words
    let names = Dictionary(uniqueKeysWithValues: profile.sources.map { ($0.id, $0.name) })
    let widest = names.values.map { SafeText(untrusted: $0).columns }.max() ?? 0
    let start = environment.now()
    let clock = environment.clock()
    let store = profile.store
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await poller.run() }
      group.addTask {
        for await event in await poller.events() {
          guard case .attempt(let attempt) = event else { continue }
          var dot = " "
          do throws(StoreFailure) {
            if try store.sources.statuses().first(where: { $0.source.id == attempt.source })?.isUnseen == true
            {
              dot = "●"
            }
          } catch {
            tell(error.sentence)
          }
          let name = SafeText(untrusted: names[attempt.source] ?? "").padded(to: widest)
          let second = String(format: "%5.1f s", attempt.end.timeIntervalSince(start))
          let trigger = words.name(attempt.trigger).padded(to: 8)
          tell(
            "\(second)  \(dot) \(name.text)  \(trigger.text)  \(words.result(of: attempt, in: clock).text)")
        }
      }
      group.addTask {
        for await act in DemoDirector.acts(by: environment.timer) {
          guard case .refresh(let name, let trigger) = act,
            let source = profile.sources.first(where: { $0.name == name })
          else { continue }
          Task { await poller.refresh(source.id, trigger) }
        }
      }
      do {
        try await environment.timer.sleep(for: .seconds(seconds))
      } catch {
        // If the run ends early, the polls end too.
      }
      await poller.stop()
      group.cancelAll()
    }
    await adapters.shutDown()
  }
}
