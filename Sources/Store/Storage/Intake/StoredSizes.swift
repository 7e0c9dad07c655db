import Basics
import Messages

/// Cuts what a source sent to the sizes that are stored: the one place where that is done. What was cut is named in the
/// message's extras.
extension IncomingMessage {
  var fitting: IncomingMessage {
    var message = self
    message.cutToFit()
    return message
  }

  /// Its id stays as it is: that under which it is stored is found by matching.
  ///
  /// - Returns: whether anything was cut.
  @discardableResult mutating func cutToFit() -> Bool {
    var cut = Cutting()
    cut.text(&title, .title, characters: Limits.titleCharacters)
    cut.text(&body, .body, bytes: Limits.bodyBytes)
    cut.text(&html, .html, bytes: Limits.bodyBytes)
    cut.whole(&url, .url, bytes: Limits.addressBytes)
    cut.text(&author, .author, characters: Limits.nameCharacters)
    cut.text(&channel, .channel, characters: Limits.nameCharacters)
    cut.text(&language, .language, characters: Limits.nameCharacters)
    cut.list(&tags, .tags, count: Limits.tags) { cut, tag in
      cut.text(&tag, .tags, characters: Limits.nameCharacters)
      return true
    }
    if extras != nil { cut.extras(&extras) }
    if remoteID.text.utf8.count > Limits.remoteIDBytes { cut.parts.insert(.id) }
    guard !cut.parts.isEmpty else { return false }
    var extras = extras ?? MessageExtras()
    extras.cut = MessagePart.allCases.filter(cut.parts.contains)
    self.extras = extras
    return true
  }
}

extension RemoteID {
  /// The id itself or, if it is too long, its beginning and a hash of all of it.
  var fitting: RemoteID {
    guard text.utf8.count > Limits.remoteIDBytes else { return self }
    let hash = UInt64(bitPattern: ContentHash.of(text))
    return RemoteID(text.prefix(bytes: Limits.remoteIDBytes - 20) + "…" + String(hash, radix: 16))
  }
}

extension [FeatureNotice] {
  /// With as many names as one poll may switch, the first ones.
  var fitting: Self {
    var room = Limits.featuresPerPoll
    return map { notice in
      var notice = notice
      notice.remoteID = notice.remoteID.fitting
      notice.names = notice.names.prefix(room).map { $0.prefix(characters: Limits.nameCharacters) }
      room -= notice.names.count
      if let data = notice.data, data.utf8.count > Limits.unknownKeysBytes { notice.data = nil }
      notice.channel = notice.channel?.prefix(characters: Limits.nameCharacters)
      return notice
    }
  }
}

private struct Cutting {
  var parts: Set<MessagePart> = []

  mutating func text(_ text: inout String, _ part: MessagePart, bytes: Int) {
    guard text.utf8.count > bytes else { return }
    text = text.prefix(bytes: bytes)
    parts.insert(part)
  }

  mutating func text(_ text: inout String, _ part: MessagePart, characters: Int) {
    guard text.utf8.count > characters else { return }
    let fitting = text.prefix(characters: characters)
    guard fitting.utf8.count < text.utf8.count else { return }
    text = fitting
    parts.insert(part)
  }

  mutating func text(_ text: inout String?, _ part: MessagePart, bytes: Int) {
    guard var some = text, some.utf8.count > bytes else { return }
    self.text(&some, part, bytes: bytes)
    text = some
  }

  mutating func text(_ text: inout String?, _ part: MessagePart, characters: Int) {
    guard var some = text, some.utf8.count > characters else { return }
    self.text(&some, part, characters: characters)
    text = some
  }

  /// Left out if it is too long: a part of an address or of JSON has another meaning.
  mutating func whole(_ text: inout String?, _ part: MessagePart, bytes: Int) {
    guard let some = text, some.utf8.count > bytes else { return }
    text = nil
    parts.insert(part)
  }

  /// - Parameter fit: cuts an element; false leaves it out.
  mutating func list<Element>(
    _ list: inout [Element], _ part: MessagePart, count: Int, fit: (inout Cutting, inout Element) -> Bool
  ) {
    if list.count > count {
      list.removeSubrange(count...)
      parts.insert(part)
    }
    let kept = list.compactMap { element in
      var element = element
      return fit(&self, &element) ? element : nil
    }
    if kept.count < list.count { parts.insert(part) }
    list = kept
  }

  mutating func extras(_ extras: inout MessageExtras?) {
    guard var some = extras else { return }
    list(&some.actions, .actions, count: Limits.actions) { cut, action in
      cut.text(&action.label, .actions, characters: Limits.nameCharacters)
      return action.url.utf8.count <= Limits.addressBytes
    }
    if var enclosures = some.enclosures {
      list(&enclosures, .actions, count: Limits.actions) { cut, enclosure in
        cut.text(&enclosure.type, .actions, characters: Limits.nameCharacters)
        return enclosure.url.utf8.count <= Limits.addressBytes
      }
      some.enclosures = enclosures
    }
    var room = Limits.translationBytes
    list(&some.translations, .translations, count: Limits.translations) { cut, translation in
      cut.text(&translation.language, .translations, characters: Limits.nameCharacters)
      cut.text(&translation.title, .translations, characters: Limits.titleCharacters)
      cut.text(&translation.body, .translations, bytes: min(Limits.bodyBytes, max(room, 0)))
      room -= translation.body.utf8.count
      return true
    }
    let holdsPicture = some.poster.map(PictureData.isAddress) ?? false
    whole(&some.poster, .poster, bytes: holdsPicture ? Limits.pictureAddressBytes : Limits.addressBytes)
    whole(&some.unknownKeys, .data, bytes: Limits.unknownKeysBytes)
    text(&some.category, .category, characters: Limits.nameCharacters)
    text(&some.sound, .sound, characters: Limits.nameCharacters)
    text(&some.group, .group, characters: Limits.nameCharacters)
    extras = some
  }
}

extension String {
  /// As many of its characters as fit. Of a character that is larger than a kilobyte, its beginning.
  func prefix(bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var text = self
    // Bridged and sliced text would make every step below cost its whole length.
    text.makeContiguousUTF8()
    let limit = text.utf8.index(text.startIndex, offsetBy: max(0, bytes))
    // An index within a character counts as that character's own.
    let whole = text.index(limit, offsetBy: 0)
    if text.utf8.distance(from: whole, to: limit) <= 1024 { return String(text[..<whole]) }
    return String(text.unicodeScalars[..<text.unicodeScalars.index(limit, offsetBy: 0)])
  }

  /// The first characters, none of which may make it larger than 16 bytes a character.
  func prefix(characters: Int) -> String {
    let text = prefix(bytes: characters * 16)
    return String(
      text[..<(text.index(text.startIndex, offsetBy: characters, limitedBy: text.endIndex) ?? text.endIndex)])
  }
}
