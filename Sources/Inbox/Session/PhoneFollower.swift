import Foundation
import HTTP
import Logging
import Messages
import Notifications
import Platform
import Polling
import Profile
import Services
import Settings
import Storage

/// Listens for buttons that are pressed on the phone, while notifications there have buttons.
@MainActor
final class PhoneFollower {
  private let loop: InboxLoop
  private let transport: LiveTransport
  private var running: Task<Void, Never>?
  /// The settings of the connection, or `nil` while there is none.
  private var options: PhoneOptions?
  private lazy var repeated = RepeatedLook(loop) { [weak self] in
    try await self?.lookOnce()
    return nil
  }

  init(_ loop: InboxLoop, _ transport: LiveTransport) {
    self.loop = loop
    self.transport = transport
  }

  /// Checks for buttons after every change of the store or the settings.
  func look() { if options != nil || loop.profile.hasPhone { repeated.look() } }

  /// Opens the connection if notifications on the phone have buttons, and closes it otherwise.
  private func lookOnce() async throws {
    let profile = loop.profile
    var wanted: PhoneOptions?
    if profile.hasPhone, profile.settings.phone.hasButtons {
      let isWanted = try await profile.store.inBackground { store throws(StoreFailure) in
        try store.phone.hasButtons()
      }
      if isWanted { wanted = profile.settings.phone }
    }
    guard wanted != options else { return }
    running?.cancel()
    (running, options) = (nil, wanted)
    guard wanted != nil else { return }
    let (delivery, transport) = (PhoneDelivery(profile, transport: transport), transport)
    let environment = profile.environment
    let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    running = Task { [weak self] in
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await StreamKeeper.hold(environment.timer, environment.random) {
            await delivery.listen(by: transport) { bell.yield() }
          }
          bell.finish()
        }
        for await _ in rings { await self?.read(delivery) }
      }
    }
  }

  private func read(_ delivery: PhoneDelivery) async {
    do throws(StoreFailure) {
      guard let failure = try await delivery.readButtons() else { return }
      loop.log?.notice("the buttons of the phone cannot be read: \(loop.profile.phoneReason(failure))")
    } catch {
      loop.report(error)
    }
  }

  func stop() async {
    await repeated.stop()
    running?.cancel()
    await running?.value
  }
}

extension PhoneDelivery {
  /// Keeps the connection open until it ends.
  ///
  /// - Parameter news: called when it is open, and when a button may have been pressed.
  fileprivate func listen(
    by transport: LiveTransport, news: @escaping @Sendable () -> Void
  ) async -> StreamEnding {
    let request: StreamRequest?
    do throws(FetchFailure) { request = try await stream() } catch { return .failed(error) }
    guard let request else { return .none }
    return await StreamEnding.listening(to: request, by: transport, opened: news, news: news)
  }
}
