import Foundation

/// A program's output to a terminal: its notifications, its bells and the rest, read strictly. The code of a
/// notification ends with ST alone. Bytes that a terminal could take for its end, or that are not in its grammar, are a
/// problem.
struct ToldNotices {
  /// The number of the code.
  enum Code: String, Sendable {
    case identified = "99"
    case titled = "777"
    case plain = "9"
  }

  struct Notice: Hashable {
    var code: Code
    /// The id, which only the first code has.
    var id: String?
    var title: String
    var body = ""
    /// Whether tmux passes it on to the terminal around it.
    var isWrapped: Bool
  }

  private(set) var notices: [Notice] = []
  /// The ids of the withdrawn notifications.
  private(set) var closed: [String] = []
  private(set) var bells = 0
  /// Everything else, as it was written.
  private(set) var rest: [UInt8] = []
  private(set) var problems: [String] = []
  /// The notifications of which only a part has arrived.
  private var begun: [String: Notice] = [:]
  private let isWrapped: Bool

  init(_ bytes: [UInt8]) { self.init(bytes, isWrapped: false) }

  private init(_ bytes: [UInt8], isWrapped: Bool) {
    self.isWrapped = isWrapped
    var index = 0
    while index < bytes.count {
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      switch (bytes[index], next) {
      case (0x07, _):
        bells += 1
        index += 1
      case (0x1B, UInt8(ascii: "]")): index = command(bytes, at: index)
      case (0x1B, UInt8(ascii: "P")): index = passedOn(bytes, at: index)
      case let (byte, _):
        rest.append(byte)
        index += 1
      }
    }
    for id in begun.keys { problems.append("\(id) isn't whole") }
  }

  /// An OSC.
  /// - Returns: the index behind it.
  private mutating func command(_ bytes: [UInt8], at start: Int) -> Int {
    var end = start + 2
    while end < bytes.count, bytes[end] >= 0x20, bytes[end] != 0x7F { end += 1 }
    let text = String(validating: bytes[(start + 2)..<end], as: UTF8.self)
    let parts = text?.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false) ?? []
    guard let text, let code = parts.first.flatMap({ Code(rawValue: String($0)) }) else {
      // Titles and the like, which others check.
      rest += bytes[start...min(end, bytes.count - 1)]
      return end + 1
    }
    guard bytes[end...].starts(with: [0x1B, UInt8(ascii: "\\")]) else {
      problems.append("\(text.debugDescription) ends with \(bytes[end...].prefix(2).map { $0 })")
      return end + 1
    }
    take(code, parts.count > 1 ? String(parts[1]) : "")
    return end + 2
  }

  /// Returns the bytes that tmux passes on: an escape inside is written twice, a single one begins the end.
  private mutating func passedOn(_ bytes: [UInt8], at start: Int) -> Int {
    let head = Array("tmux;".utf8)
    guard bytes[(start + 2)...].starts(with: head), !isWrapped else {
      problems.append("a DCS that isn't for tmux")
      return start + 2
    }
    var inner: [UInt8] = []
    var index = start + 2 + head.count
    while index < bytes.count {
      guard bytes[index] == 0x1B else {
        inner.append(bytes[index])
        index += 1
        continue
      }
      let next = index + 1 < bytes.count ? bytes[index + 1] : 0
      index += 2
      if next == 0x1B {
        inner.append(0x1B)
        continue
      }
      if next != UInt8(ascii: "\\") { problems.append("what is passed on ends with \(next)") }
      adopt(ToldNotices.inside(inner, begun), inner)
      return index
    }
    problems.append("what is passed on has no end")
    return index
  }

  private static func inside(_ bytes: [UInt8], _ begun: [String: Notice]) -> ToldNotices {
    var inside = ToldNotices([], isWrapped: true)
    inside.begun = begun
    let end = bytes.starts(with: [0x1B, UInt8(ascii: "]")]) ? inside.command(bytes, at: 0) : 0
    if end != bytes.count || !inside.rest.isEmpty { inside.problems.append("passed on: not one notice") }
    return inside
  }

  private mutating func adopt(_ inside: ToldNotices, _ bytes: [UInt8]) {
    notices += inside.notices
    closed += inside.closed
    problems += inside.problems
    begun = inside.begun
  }

  private mutating func take(_ code: Code, _ text: String) {
    switch code {
    case .identified: identified(text)
    case .titled:
      let parts = text.split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3, parts[0] == "notify", !parts[1].isEmpty else {
        problems.append("OSC 777 \(text.debugDescription)")
        return
      }
      tell(Notice(code: code, title: parts[1], body: parts[2], isWrapped: isWrapped))
    case .plain:
      if text.isEmpty || text.firstMatch(of: /^[0-9]+(;|$)/) != nil {
        problems.append("OSC 9 \(text.debugDescription) is another command")
      }
      tell(Notice(code: code, title: text, isWrapped: isWrapped))
    }
  }

  /// Reads a code in kitty's form: keys of one letter, values of a few characters, another semicolon, and the payload.
  private mutating func identified(_ text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      problems.append("OSC 99 \(text.debugDescription) has \(parts.count) parts")
      return
    }
    var values: [Substring: Substring] = [:]
    for pair in parts[0].split(separator: ":", omittingEmptySubsequences: false) {
      guard let match = pair.wholeMatch(of: /([a-z])=([a-zA-Z0-9\-_\/+.,(){}\[\]*&^%$#@!`~?]+)/) else {
        problems.append("OSC 99 with \(pair.debugDescription)")
        return
      }
      values[match.1] = match.2
    }
    guard let id = values["i"].map(String.init), id.wholeMatch(of: /[a-zA-Z0-9\-]+/) != nil else {
      problems.append("OSC 99 without an id of its own")
      return
    }
    if values["p"] == "close" {
      if !parts[1].isEmpty { problems.append("a close with a payload") }
      closed.append(id)
      return
    }
    guard values["e"] == "1", parts[1].utf8.count <= 4096, let data = Data(base64Encoded: parts[1]),
      let payload = String(validating: data, as: UTF8.self)
    else {
      problems.append("the payload \(parts[1].debugDescription)")
      return
    }
    var notice = begun[id] ?? Notice(code: .identified, id: id, title: "", isWrapped: isWrapped)
    switch values["p"] ?? "title" {
    case "title": notice.title += payload
    case "body": notice.body += payload
    case let other: problems.append("a payload of the kind \(other)")
    }
    begun[id] = values["d"] == "0" ? notice : nil
    if begun[id] == nil { tell(notice) }
  }

  private mutating func tell(_ notice: Notice) {
    for text in [notice.title, notice.body] where text.unicodeScalars.contains(where: PlainText.isHarmful) {
      problems.append("\(text.debugDescription) isn't plain")
    }
    if notice.title.isEmpty { problems.append("a notice without a title") }
    if notice.title.count > 1024 || notice.body.count > 1024 { problems.append("more than kitty takes") }
    notices.append(notice)
  }
}
