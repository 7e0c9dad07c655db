import Basics
import Foundation

extension IncomingMessage {
  /// The ids that earlier versions made for an entry without an id and a link, the newest form first. They are frozen,
  /// since messages are stored with them.
  package var formerIDs: [RemoteID] {
    guard let formerTitle else { return [] }
    let seconds = published.map(\.timeIntervalSince1970)
    let date = seconds.map { Self.integer($0) } ?? ""
    let older = RemoteID.digest(of: "\(formerTitle)\u{0}\(date)\u{0}\(body)")
    // The URL of an enclosure had precedence over the day as the id.
    if extras?.enclosures?.isEmpty == false { return [older] }
    let day = seconds.map { Self.integer(($0 / 86_400).rounded(.down)) } ?? ""
    // A title that was derived from the body was part of the id, unlike one that was derived from a link.
    let title = formerTitle.isEmpty && !body.isEmpty ? self.title : formerTitle
    return [RemoteID.digest(of: "\(title)\u{0}\(day)"), older]
  }

  /// Returns a number without its fraction. Dates from outside may be beyond every integer.
  private static func integer(_ number: Double) -> String {
    String(Int(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : .min))
  }
}

extension RemoteID {
  /// Returns the id that is the digest of a string.
  package static func digest(of text: String) -> RemoteID {
    RemoteID("sha256:" + SHA256.digest(text).hex)
  }
}
