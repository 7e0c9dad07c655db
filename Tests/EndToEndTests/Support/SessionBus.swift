import Foundation
import Notifications

/// A session bus of a test's own: a real dbus-daemon.
final class SessionBus {
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/dbus-daemon")
  static let hasNotifySend = FileManager.default.isExecutableFile(atPath: "/usr/bin/notify-send")

  let address: String
  private let process: Running

  init(_ household: Household) throws {
    let plain = CharacterSet(
      charactersIn: "-_/.*ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    // As the D-Bus specification escapes it.
    guard let path = "\(household.home)/bus".addingPercentEncoding(withAllowedCharacters: plain) else {
      throw HouseholdFailure("\(household.home) is not text")
    }
    address = "unix:path=\(path)"
    process = try Running(
      "/usr/bin/dbus-daemon",
      ["--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1", "--address=\(address)"],
      environment: household.environment, keeping: household)
    try process.wait(for: "the bus's address") { $0.outputBytes.contains(UInt8(ascii: "\n")) }
  }

  var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

  func connection() throws -> BusConnection {
    let start = ContinuousClock.now
    return try BusConnection(address: address) { ContinuousClock.now - start }
  }
}

/// A program that shows notifications, such as a chat.
final class ShowingProgram {
  let connection: BusConnection
  private let name: String

  init(_ name: String, on bus: SessionBus) throws {
    self.name = name
    connection = try bus.connection()
  }

  static func notify(
    _ name: String, _ summary: String, body: String = "", replacing: UInt32 = 0,
    hints: [(String, BusValue)] = []
  ) -> BusMessage {
    .call(
      "Notify", of: "org.freedesktop.Notifications", at: "/org/freedesktop/Notifications",
      to: "org.freedesktop.Notifications",
      [
        .string(name), .uint32(replacing), .string(""), .string(summary), .string(body), .strings([]),
        .dictionary(hints), .int32(-1),
      ])
  }

  /// Shows a notification without waiting for the response.
  func show(
    _ summary: String, body: String = "", replacing: UInt32 = 0, hints: [(String, BusValue)] = []
  ) throws {
    try connection.send(Self.notify(name, summary, body: body, replacing: replacing, hints: hints))
  }

  /// Says that no answer is wanted, so that it needs no daemon.
  func showUnanswered(_ summary: String, body: String = "", hints: [(String, BusValue)] = []) throws {
    var call = Self.notify(name, summary, body: body, hints: hints)
    call.wantsNoAnswer = true
    try connection.send(call)
  }
}
