import Basics
import Messages

/// Cuts the content from a source to the stored sizes. Only this code does so. It records the cut parts in the
/// message's extras.
extension IncomingMessage {
  var fitting: IncomingMessage {
    var message = self
    message.cutToFit()
    return message
  }

  /// Cuts the message, except its id: matching determines the id under which it is stored.
  ///
  /// - Returns: whether anything was cut.
  @discardableResult mutating func cutToFit() -> Bool {
    var cut = Cutting()
    for row in MessageField.rows {
      guard let size = row.size, let value = row.read(self) else { continue }
      let fitting = cut.fitting(value, size)
      if fitting != value { row.write(&self, fitting) }
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
  /// The notifications, cut to the stored sizes. Only the first feature names are kept, in total as many as
  /// one poll may switch.
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

/// Cuts values, and records which parts of the message were cut.
private struct Cutting {
  var parts: Set<MessagePart> = []

  mutating func fitting(
    _ value: MessageField.Value, _ size: (limit: MessageField.Size, part: MessagePart)
  ) -> MessageField.Value? {
    switch (value, size.limit) {
    case (.text(var text), .bytes(let bytes)):
      self.text(&text, size.part, bytes: bytes)
      return .text(text)
    case (.text(var text), .characters(let characters)):
      self.text(&text, size.part, characters: characters)
      return .text(text)
    case (.text(let text), .whole(let bytes)):
      var kept: String? = text
      whole(&kept, size.part, bytes: bytes)
      return kept.map(MessageField.Value.text)
    case (.texts(var texts), .list(let count, let characters)):
      list(&texts, size.part, count: count) { cut, text in
        cut.text(&text, size.part, characters: characters)
        return true
      }
      return .texts(texts)
    default:
      return value
    }
  }

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

  mutating func text(_ text: inout String?, _ part: MessagePart, characters: Int) {
    guard var some = text, some.utf8.count > characters else { return }
    self.text(&some, part, characters: characters)
    text = some
  }

  /// Removes a value that is too long, since a part of a URL or of JSON has another meaning.
  mutating func whole(_ text: inout String?, _ part: MessagePart, bytes: Int) {
    guard let some = text, some.utf8.count > bytes else { return }
    text = nil
    parts.insert(part)
  }

  /// Cuts a list to a number of elements, and each element with `fit`.
  ///
  /// - Parameter fit: cuts an element, or returns `false` to leave it out.
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
      return action.url.utf8.count <= Limits.addressBytes && action.orderBytes <= Limits.addressBytes
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
    text(&some.occasion, .data, characters: Limits.nameCharacters)
    whole(&some.handle, .data, bytes: Limits.addressBytes)
    extras = some
  }
}

extension MessageAction {
  /// The number of bytes that define what the button does besides opening its URL. If they were cut, it would do
  /// something else.
  fileprivate var orderBytes: Int {
    let headers = request?.headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count } ?? 0
    let method = request?.method.utf8.count ?? 0
    return headers + method + (request?.body?.utf8.count ?? 0) + (upstream?.utf8.count ?? 0)
  }
}

extension String {
  /// Returns the beginning of the string, at most this many bytes of UTF-8 and only whole characters. A character
  /// larger than a kilobyte is cut.
  func prefix(bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var text = self
    // Bridged and sliced strings would make every step below take time for their whole length.
    text.makeContiguousUTF8()
    let limit = text.utf8.index(text.startIndex, offsetBy: max(0, bytes))
    // An index within a character is moved to that character's start.
    let whole = text.index(limit, offsetBy: 0)
    if text.utf8.distance(from: whole, to: limit) <= 1024 { return String(text[..<whole]) }
    return String(text.unicodeScalars[..<text.unicodeScalars.index(limit, offsetBy: 0)])
  }

  /// Returns the first characters, which may have at most 16 bytes each on average.
  func prefix(characters: Int) -> String {
    let text = prefix(bytes: characters * 16)
    return String(
      text[..<(text.index(text.startIndex, offsetBy: characters, limitedBy: text.endIndex) ?? text.endIndex)])
  }
}
