/// A 64-bit hash of a message's content, the same in every process and version: an equal hash shows that a message
/// arrived again unchanged. The algorithm is frozen, because hashes are stored; a test checks their values.
package struct ContentHash {
  private var state: UInt64 = 0x243F_6A88_85A3_08D3

  /// Returns the hash of everything except the remote id. `extras` is the JSON of `content.extras`, in UTF-8.
  package static func of(_ content: IncomingMessage, extras: [UInt8]?) -> Int64 {
    var hash = ContentHash()
    // The choice of its translations depends on the reader, not on the message.
    let isTranslated = content.extras?.translations.isEmpty == false
    hash.combine(content.kind.rawValue)
    hash.combine(isTranslated ? "" : content.title)
    hash.combine(isTranslated ? "" : content.body)
    hash.combine(content.html)
    hash.combine(content.url)
    hash.combine(content.author)
    hash.combine(content.published?.milliseconds)
    hash.combine(content.updated?.milliseconds)
    hash.combine(Int64(content.priority.rawValue))
    hash.combine(Int64(content.tags.count))
    for tag in content.tags { hash.combine(tag) }
    hash.combine(content.channel)
    hash.combine(isTranslated ? nil : content.language)
    hash.combine(content.visibleFrom?.milliseconds)
    hash.combine(content.expires?.milliseconds)
    hash.combine(content.isDismissable ? 1 : 0)
    hash.combine(Int64(content.rank.rawValue))
    hash.mix(extras == nil ? 0 : 1)
    extras?.withUnsafeBytes { hash.combine($0) }
    // This field was added later, so that a message without it keeps its old hash.
    switch content.lifetime {
    case .afterArrival(let seconds)?: hash.combine(Int64(bitPattern: seconds.bitPattern))
    case .afterAppearance(let seconds)?: hash.combine(~Int64(bitPattern: seconds.bitPattern))
    case nil: break
    }
    return Int64(bitPattern: hash.state)
  }

  /// Returns the hash of everything in a feature notification except the remote id.
  package static func of(_ notice: FeatureNotice) -> Int64 {
    var hash = ContentHash()
    hash.combine(notice.isEnabled ? 1 : 0)
    hash.combine(Int64(notice.names.count))
    for name in notice.names { hash.combine(name) }
    hash.combine(notice.data)
    hash.combine(notice.channel)
    hash.combine(notice.visibleFrom?.milliseconds)
    hash.combine(notice.expires?.milliseconds)
    switch notice.lifetime {
    case .afterArrival(let seconds)?: hash.combine(Int64(bitPattern: seconds.bitPattern))
    case .afterAppearance(let seconds)?: hash.combine(~Int64(bitPattern: seconds.bitPattern))
    case nil: break
    }
    return Int64(bitPattern: hash.state)
  }

  /// Returns the hash of a feature's data.
  package static func of(data: String?) -> Int64 {
    var hash = ContentHash()
    hash.combine(data)
    return Int64(bitPattern: hash.state)
  }

  /// Returns the hash of some numbers, each of which may be missing.
  static func of(_ numbers: Int64?...) -> Int64 {
    var hash = ContentHash()
    for number in numbers { hash.combine(number) }
    return Int64(bitPattern: hash.state)
  }

  /// Returns the hash of one string.
  package static func of(_ text: String) -> Int64 {
    var hash = ContentHash()
    hash.combine(text)
    return Int64(bitPattern: hash.state)
  }

  /// Returns the hash of some bytes.
  package static func of(bytes: UnsafeRawBufferPointer) -> Int64 {
    var hash = ContentHash()
    hash.combine(bytes)
    return Int64(bitPattern: hash.state)
  }

  private mutating func combine(_ value: Int64) { mix(UInt64(bitPattern: value)) }

  private mutating func combine(_ value: Int64?) {
    mix(value == nil ? 0 : 1)
    if let value { combine(value) }
  }

  private mutating func combine(_ text: String?) {
    mix(text == nil ? 0 : 1)
    if let text { combine(text) }
  }

  private mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { combine(UnsafeRawBufferPointer($0)) }
  }

  /// Adds bytes to the hash, eight at a time, and then their number.
  private mutating func combine(_ raw: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= raw.count {
      mix(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var last: UInt64 = 0
    while offset < raw.count {
      last = last << 8 | UInt64(raw[offset])
      offset += 1
    }
    mix(last)
    // The length distinguishes strings that end in zeros, and separates the fields.
    mix(UInt64(raw.count))
  }

  /// Adds a word of 64 bits to the hash: it is multiplied by a constant, and both halves of the product are
  /// combined.
  private mutating func mix(_ word: UInt64) {
    let (high, low) = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    state = (high ^ low) &+ 0x1319_8A2E_0370_7344
  }
}
