import Basics

extension RemoteID {
  /// The beginning of the ids under which messages with this id are stored, if the id is in doubt: several
  /// different entries share it. A digest replaces a very long id.
  package var base: String {
    text.utf8.count + 17 <= Limits.remoteIDBytes ? text : "sha256:" + SHA256.digest(text).hex
  }

  /// Returns the id under which a message with these facts is stored, if the id with which it arrived (this
  /// one) is in doubt. The result is the same on all machines, and is none of the ids in `given`.
  package func apart(_ facts: EntryFacts, from given: Set<RemoteID>) -> RemoteID {
    var hash = ContentHash.of(facts.title, facts.time?.point, facts.page)
    while true {
      let id = RemoteID(base + "|" + String(UInt64(bitPattern: hash), radix: 16).leftPadded(to: 16))
      if !given.contains(id) { return id }
      hash = ContentHash.of(hash, facts.text)
    }
  }

  /// Whether this id was made for a message that arrived with `id`, an id in doubt. It then consists of `id`,
  /// the separator `|`, and a hash of the message's facts, or its link in databases of earlier versions.
  package func isApart(from id: RemoteID) -> Bool {
    let base = id.base
    guard text.utf8.starts(with: base.utf8) else { return false }
    let rest = text.utf8.dropFirst(base.utf8.count)
    return rest.first == UInt8(ascii: "|") && Self.isMade(rest.dropFirst())
  }

  /// The id with which a message arrived, if this is the id under which the message is stored.
  ///
  /// An id that several entries share is in doubt: `apart` adds a suffix before it is stored. This property
  /// removes the suffix.
  package var undoubted: RemoteID {
    guard let sign = text.utf8.lastIndex(of: UInt8(ascii: "|")), sign > text.startIndex,
      text.utf8.distance(from: sign, to: text.endIndex) == 17, Self.isMade(text.utf8[sign...].dropFirst())
    else { return self }
    return RemoteID(String(text[..<sign]))
  }

  /// Whether the bytes can be the suffix of the stored form of an id in doubt: a link, or up to 16 hex digits.
  private static func isMade(_ bytes: Substring.UTF8View) -> Bool {
    if bytes.starts(with: "http".utf8) { return true }
    return bytes.count <= 16
      && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}

extension String {
  fileprivate func leftPadded(to count: Int) -> String {
    String(repeating: "0", count: max(0, count - utf8.count)) + self
  }
}
