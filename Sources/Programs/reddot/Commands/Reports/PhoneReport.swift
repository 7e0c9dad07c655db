import Basics
import Formats
import Foundation
import Messages
import Notifications
import Platform
import Profile
import Screen
import Settings
import Storage
import Words

extension Profile {
  /// Returns lines about the phone: its notifications, its failures, and its buttons.
  func whyPhone(json: Bool) throws(StoreFailure) -> [String] {
    let state = try store.phone.state()
    let waiting = hasPhone ? try store.notices.waiting(for: .phone).count : 0
    if json { return [SafeOutput.json(phoneJSON(state, waiting: waiting))] }
    guard hasPhone else {
      return ["phone: not used; add \"phone\" to notify_via, and a table [phone] with the url of a topic"]
    }
    let (now, clock) = (environment.now(), environment.clock())
    func time(_ date: Date) -> String { words.instant(date, from: now, in: clock).text }
    var lines = ["phone: a topic of \(phoneServer), show = \"\(settings.phone.show.rawValue)\""]
    guard let state else { return lines + ["  nothing was sent yet; \(Self.messages(waiting)) waiting"] }
    lines.append(
      "  last sent: \(state.sentAt.map(time) ?? "never"); \(Self.messages(waiting)) waiting")
    if let failure = state.failure {
      let since = state.failedAt.map { ", since \(time($0))" } ?? ""
      let next = state.retryAt.map { "; next try at \(time($0))" } ?? ""
      lines.append("  \(state.failures) failures\(since): \(phoneReason(failure))\(next)")
    }
    switch state.hasSequences {
    case true?: lines.append("  the server can replace and withdraw notifications")
    case false?: lines.append("  the server is older than ntfy 2.16, so notifications stay on the phone")
    case nil: break
    }
    guard settings.phone.hasButtons else { return lines + ["  buttons: none"] }
    let presses = state.presses
    lines.append(
      "  buttons: \(presses.pressed) carried out, \(presses.settled) for messages that were read or answered before"
    )
    lines.append(
      "  ignored: \(presses.unsigned) forged or of another database, \(presses.replayed) sent again, \(presses.late) late, \(presses.malformed) unreadable or not allowed"
    )
    if let failure = state.readFailure {
      lines.append("  the buttons cannot be read: \(phoneReason(failure))")
    } else if let read = state.readAt {
      lines.append("  buttons last arrived: \(time(read))")
    }
    return lines.map(SafeOutput.line)
  }

  private static func messages(_ count: Int) -> String { count == 1 ? "1 message" : "\(count) messages" }

  private func phoneJSON(_ state: PhoneState?, waiting: Int) -> JSONValue {
    let presses = state?.presses ?? PhonePresses()
    func reason(_ failure: FetchFailure?) -> JSONValue { failure.map { .string(phoneReason($0)) } ?? .null }
    return .object(
      JSONObject([
        .init(key: "phone", value: .bool(hasPhone)),
        .init(key: "waiting", value: .integer(waiting)),
        .init(key: "sent", value: MessageJSON.date(state?.sentAt)),
        .init(key: "failures", value: .integer(state?.failures ?? 0)),
        .init(key: "failure", value: reason(state?.failure)),
        .init(key: "next", value: MessageJSON.date(state?.retryAt)),
        .init(key: "withdraws", value: state?.hasSequences.map(JSONValue.bool) ?? .null),
        .init(key: "pressed", value: .integer(presses.pressed)),
        .init(key: "settled", value: .integer(presses.settled)),
        .init(key: "forged", value: .integer(presses.unsigned)),
        .init(key: "replayed", value: .integer(presses.replayed)),
        .init(key: "late", value: .integer(presses.late)),
        .init(key: "malformed", value: .integer(presses.malformed)),
        .init(key: "buttons_failure", value: reason(state?.readFailure)),
      ]))
  }
}
