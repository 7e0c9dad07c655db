import Basics
import Foundation
package import Messages
import Platform
import Profile
import Words

extension Profile {
  /// Returns the address of the session bus for this process.
  package func sessionBus() throws(BusFailure) -> String {
    try BusAddress.session(in: environment.variables, exists: { access($0, F_OK) == 0 })
  }

  /// The active sources that collect the desktop's notifications.
  package var desktopSources: [Source] { sources.filter { $0.kind == .desktop && !$0.isPaused } }

  /// The reason why other programs' notifications cannot be received, as a sentence. It is `nil` if no source
  /// collects them, or no reason is known.
  package var desktopProblem: String? {
    guard !desktopSources.isEmpty else { return nil }
    do {
      _ = try sessionBus()
      return nil
    } catch {
      return "notifications of other programs cannot be received: \(error.sentence)"
    }
  }
}

extension BusFailure {
  /// The reason of the failure, as a clause for users.
  package var sentence: String {
    switch self {
    case .noBus: "the session bus was not found (neither DBUS_SESSION_BUS_ADDRESS nor $XDG_RUNTIME_DIR/bus)"
    case .unknownAddress(let kind):
      "the session bus is at a \(kind) address, which is not a socket of this machine"
    case .cannotConnect(let reason): "the session bus cannot be connected to: \(reason)"
    case .refused(let answer): "the session bus refuses this user: \(SafeOutput.line(answer))"
    case .noAnswer:
      "the session bus does not answer within \(Int(Limits.busTime / .seconds(1))) s; check DBUS_SESSION_BUS_ADDRESS, or log in again"
    case .noDaemonAnswer: "the notification daemon does not answer"
    case .nobodyShows: "no notification daemon runs here; reddot itself keeps what programs show"
    case .closed: "the session bus closed the connection"
    case .broken: "the response of the session bus cannot be read"
    case .failed(let name, let text):
      "the notification daemon answered \(SafeOutput.line(name)): \(SafeOutput.line(text))"
    }
  }
}
