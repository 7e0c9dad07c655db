import Basics
import Foundation
import Messages
import Platform

/// The channel `desktop`: shows notifications through the notification daemon, or through `notify-send` if there is
/// none. It connects at the first notification, and only one thread may use it.
final class DesktopChannel {
  /// The way in which notifications are shown.
  private enum Way {
    case daemon(DesktopNotifications)
    /// The program `notify-send`, whose notifications cannot be withdrawn.
    case program
  }

  private let environment: Environment
  private var way: Way?
  private static let program = "notify-send"

  init(_ environment: Environment) { self.environment = environment }

  /// Whether there is a session bus; makes no connection.
  static func isThere(_ variables: [String: String]) -> Bool {
    (try? BusAddress.session(in: variables, exists: { access($0, F_OK) == 0 })) != nil
  }

  /// Connects, if that has not happened yet.
  ///
  /// - Throws: the reason why neither the bus nor the program can be used.
  func connect() throws(BusFailure) {
    guard way == nil else { return }
    let address = try BusAddress.session(
      in: environment.variables, exists: { access($0, F_OK) == 0 })
    do throws(BusFailure) {
      let daemon = try DesktopNotifications(
        try BusConnection(address: address, now: environment.timer.stopwatch()))
      if daemon.isReddot { throw .nobodyShows }
      way = .daemon(daemon)
    } catch {
      // The program would use the same bus, and wait longer.
      if error == .noAnswer || error == .nobodyShows { throw error }
      guard ProgramRunner.isInstalled(Self.program, path: environment.variables["PATH"]) else { throw error }
      way = .program
    }
  }

  /// Drops the connection, so that the next `connect` creates a new one.
  func disconnect() { way = nil }

  private var daemon: DesktopNotifications? { if case .daemon(let daemon)? = way { daemon } else { nil } }

  var descriptor: Int32? { daemon?.descriptor }
  var hasWaiting: Bool { daemon?.hasWaiting ?? false }

  var abilities: ChannelAbilities {
    let owner = daemon?.owner
    return ChannelAbilities(
      channel: .desktop, canReplace: daemon != nil, canRepeat: daemon?.hasTags ?? false,
      isOurs: { name in owner.map { name.hasPrefix($0 + "/") } ?? false })
  }

  /// A description of the connection for the user, for example the daemon's name.
  var summary: String {
    switch way {
    case .daemon(let daemon): daemon.daemon.isEmpty ? "a notification daemon" : daemon.daemon
    case .program: "\(Self.program), which cannot withdraw notifications"
    case nil: "not connected"
    }
  }

  /// Shows a notification.
  ///
  /// - Parameter earlier: the name of the notification that this one replaces.
  func show(_ content: NoticeContent, replacing earlier: String?) throws(BusFailure) -> NoticeResult {
    switch way {
    case .daemon(let daemon):
      let id = try daemon.show(content, replacing: earlier.flatMap { number(in: $0) })
      return .stands(name: "\(daemon.owner)/\(id)")
    case .program:
      let command =
        [
          Self.program, "-a", "reddot", "-h", "string:desktop-entry:reddot", "-u",
          content.isUrgent ? "critical" : "normal", "--", content.title,
        ]
        + [NotificationMarkup.escapedForProgram(content.body.joined(separator: "\n"))]
      let failure = Blocking.wait { [environment] () -> String? in
        do throws(ProgramFailure) {
          _ = try await environment.programs.run(
            Program(
              command, environment: environment.variables, outputLimit: Limits.noticeCommandOutputBytes,
              deadline: Limits.noticeCommandTime))
          return nil
        } catch {
          return error.words
        }
      }
      if let failure { throw .failed(name: Self.program, text: failure) }
      return .told
    case nil: throw .noBus
    }
  }

  func withdraw(_ name: String) throws(BusFailure) {
    guard let daemon, let id = number(in: name) else { return }
    try daemon.close(id)
  }

  /// Returns the next event of a notification, or `nil` if none arrived in that time.
  func event(within time: Duration) throws(BusFailure) -> Event? {
    guard let daemon, let event = try daemon.event(within: time) else { return nil }
    switch event {
    case .pressed(let id, let button): return .pressed("\(daemon.owner)/\(id)", button)
    case .answered(let id, let number): return .answered("\(daemon.owner)/\(id)", number)
    case .closed(let id): return .closed("\(daemon.owner)/\(id)")
    case .daemonChanged:
      disconnect()
      return .gone
    }
  }

  /// An event of a notification, which is identified by its name on this channel.
  enum Event: Hashable, Sendable {
    case pressed(String, NoticeButton)
    /// The user chose an answer to a question: the name of the notification, and the number of the answer,
    /// from 1.
    case answered(String, Int)
    case closed(String)
    /// The daemon has exited, and its notifications have disappeared.
    case gone
  }

  /// Returns the daemon's id in the name of a notification, or `nil` if another daemon gave the id.
  private func number(in name: String) -> UInt32? {
    guard let daemon, name.hasPrefix(daemon.owner + "/") else { return nil }
    return UInt32(name.dropFirst(daemon.owner.count + 1))
  }
}
