import Foundation
import Notifications
import TestBasics

/// A separate session bus for a test, with a stand-in for a desktop's notification daemon. It works only while a test waits for
/// it.
final class NotificationDaemon {
  /// The arguments of one call of `Notify`.
  struct Shown: Hashable {
    var id: UInt32
    var replaces: UInt32
    var summary: String
    var body: String
    var actions: [String]
    var caller: String
  }

  static let isPossible = SessionBus.isPossible

  private(set) var shown: [Shown] = []
  /// The title of a notification for which the response is an error.
  var refusedTitle: String?
  private(set) var refusals = 0
  /// Ids that were closed by a call, in that order.
  private(set) var closed: [UInt32] = []
  private let bus: SessionBus
  private let connection: BusConnection
  private var lastID: UInt32 = 6

  convenience init(_ household: Household) throws { try self.init(on: SessionBus(household)) }

  /// - Parameter replacing: whether it takes the name from an owner that allows it.
  init(on bus: SessionBus, replacing: Bool = false) throws {
    self.bus = bus
    connection = try bus.connection()
    try connection.callBus(
      "RequestName", [.string("org.freedesktop.Notifications"), .uint32(replacing ? 2 | 4 : 4)])
  }

  var environment: [String: String] { bus.environment }

  /// Answers calls until the condition holds.
  func wait(for what: String, until holds: (NotificationDaemon) throws -> Bool) throws {
    let deadline = ContinuousClock.now + HangLimit.duration
    while try !holds(self) {
      if ContinuousClock.now > deadline {
        throw HouseholdFailure("no \(what); shown: \(shown), closed: \(closed)")
      }
      if let message = try connection.receive(within: .milliseconds(20)) { try take(message) }
    }
  }

  private func take(_ message: BusMessage) throws {
    guard message.kind == .call else { return }
    var answer = BusMessage(.answer)
    (answer.answers, answer.destination) = (message.serial, message.sender)
    switch message.member {
    case "GetServerInformation":
      answer.body = ["stand-in", "reddot", "1", "1.2"].map(BusValue.string)
    case "GetCapabilities": answer.body = [.strings(["actions", "body", "body-markup"])]
    case "Notify" where message.body[3].text == refusedTitle:
      refusals += 1
      var failure = BusMessage(.failure)
      (failure.answers, failure.destination) = (message.serial, message.sender)
      failure.errorName = "org.freedesktop.Notifications.Error"
      failure.body = [.string("not this one")]
      try connection.send(failure)
      return
    case "Notify":
      let replaces = message.body[1].number ?? 0
      if replaces == 0 { lastID += 1 }
      let id = replaces == 0 ? lastID : replaces
      shown.append(
        Shown(
          id: id, replaces: replaces, summary: message.body[3].text ?? "", body: message.body[4].text ?? "",
          actions: message.body[5].texts, caller: message.sender ?? ""))
      answer.body = [.uint32(id)]
    case "CloseNotification":
      let id = message.body[0].number ?? 0
      closed.append(id)
      try tell("NotificationClosed", [.uint32(id), .uint32(3)], message.sender)
    case _: break
    }
    try connection.send(answer)
  }

  /// Presses a button like a user: the daemon closes the notification, too.
  func press(_ action: String, of id: UInt32) throws {
    let caller = shown.last { $0.id == id }?.caller
    try tell("ActionInvoked", [.uint32(id), .string(action)], caller)
    try tell("NotificationClosed", [.uint32(id), .uint32(2)], caller)
  }

  /// Lets the notification expire without being seen.
  func expire(_ id: UInt32) throws { try tell("NotificationClosed", [.uint32(id), .uint32(1)], nil) }

  /// Closes the notification like a user.
  func dismiss(_ id: UInt32) throws { try tell("NotificationClosed", [.uint32(id), .uint32(2)], nil) }

  private func tell(_ member: String, _ body: [BusValue], _ caller: String?) throws {
    var signal = BusMessage(.signal)
    (signal.path, signal.interface) = ("/org/freedesktop/Notifications", "org.freedesktop.Notifications")
    (signal.member, signal.body, signal.destination) = (member, body, caller)
    try connection.send(signal)
  }
}

extension Household {
  static let showsProcesses = FileManager.default.fileExists(atPath: "/proc/self/cmdline")

  /// Returns the processes that show the notifications of this database.
  func noticeHosts() throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { process in
      // It may end meanwhile.
      guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return false }
      let words = String(decoding: line, as: UTF8.self)
      return words.contains("notice-host") && words.contains(database)
    }
  }
}
