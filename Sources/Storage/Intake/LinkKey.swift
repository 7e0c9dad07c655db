import Limits
import Messages

/// What shows that messages of different sources are the same: a hash of the address that a message links to, or of an id
/// that is unique everywhere. Stored, so what it makes of a text is frozen; a test checks its values.
enum LinkKey {
  /// The keys of a message; none where it has no such link and no such id.
  static func all(url: String?, remoteID: String) -> [Int64] {
    let link = url.flatMap { of(link: $0) }
    guard let id = of(id: remoteID), id != link else { return link.map { [$0] } ?? [] }
    return link.map { [$0, id] } ?? [id]
  }

  /// One more key, for messages of one source: its address without the query, which may hold a token or a time, with the
  /// title and the moment. Nil for an address without a query, and for a message without a date.
  static func withoutQuery(url: String?, remoteID: String, title: String, published: Milliseconds?) -> Int64?
  {
    let link = url ?? remoteID
    // Nearly no link has one, and to look for it costs less than to read the link.
    guard let published, link.utf8.contains(UInt8(ascii: "?")), let key = of(link: link, keepsQuery: false)
    else { return nil }
    let stored =
      title.utf8.count > Limits.titleCharacters ? title.prefix(characters: Limits.titleCharacters) : title
    return ContentHash.of("\(key) \(published) \(stored)")
  }

  /// Nil for others than entries of feeds.
  static func withoutQuery(_ message: some Matchable, as id: RemoteID) -> Int64? {
    message.kind == .feed
      ? withoutQuery(
        url: message.url, remoteID: id.text, title: message.title,
        published: message.published?.milliseconds) : nil
  }

  /// An Atom id (RFC 4287 section 4.2.6) or a permalink as RSS's guid; other ids are unique in their source only.
  private static func of(id: String) -> Int64? {
    if id.hasPrefix("http") { return of(link: id) }
    return id.hasPrefix("tag:") || id.hasPrefix("urn:") ? ContentHash.of(id) : nil
  }

  /// An http or https address without what leads to the same page: scheme, `www.`, port 80 or 443, a slash at the end, a
  /// fragment, and parameters that count visits. Nil for others, and for a site's first page, to which all messages of a
  /// source may link.
  ///
  /// - Parameter keepsQuery: false leaves the parameters out; then nil for an address that has none.
  private static func of(link: String, keepsQuery: Bool = true) -> Int64? {
    var link = link
    return link.withUTF8 { bytes in
      var rest = Substring(bytes)
      guard rest.drop(prefix: "http", ignoringCase: true) else { return nil }
      _ = rest.drop(prefix: "s", ignoringCase: true)
      guard rest.drop(prefix: "://") else { return nil }
      _ = rest.drop(prefix: "www.", ignoringCase: true)
      let end = rest.bytes.firstIndex {
        $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
      }
      var host = rest.bytes[..<(end ?? rest.bytes.endIndex)]
      for port in usualPorts where host.count >= port.count && host.suffix(port.count).elementsEqual(port) {
        host = host.dropLast(port.count)
      }
      guard !host.isEmpty, let end else { return nil }
      let tail = rest.bytes[end...]
      let fragment = tail.firstIndex(of: UInt8(ascii: "#")) ?? tail.endIndex
      let query = tail[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
      var path = tail[..<query]
      while path.last == UInt8(ascii: "/") { path = path.dropLast() }
      var parameters =
        query == fragment
        ? []
        : tail[tail.index(after: query)..<fragment].split(separator: UInt8(ascii: "&")).filter {
          !countsVisits($0)
        }
      if parameters.isEmpty && (path.isEmpty || !keepsQuery) { return nil }
      if !keepsQuery { parameters = [] }
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { key in
        var length = 0
        func append(_ byte: UInt8) {
          key[length] = byte
          length += 1
        }
        for byte in host { append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) }
        for byte in path { append(byte) }
        var mark = UInt8(ascii: "?")
        for parameter in parameters {
          append(mark)
          for byte in parameter { append(byte) }
          mark = UInt8(ascii: "&")
        }
        return ContentHash.of(bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(key)[..<length]))
      }
    }
  }

  private static let usualPorts = [Array(":80".utf8), Array(":443".utf8)]

  private static func countsVisits(_ parameter: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    ["utm_", "fbclid=", "gclid=", "mc_cid=", "mc_eid="].contains { parameter.starts(with: $0.utf8) }
  }

  private struct Substring {
    var bytes: Slice<UnsafeBufferPointer<UInt8>>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes[...] }

    mutating func drop(prefix: StaticString, ignoringCase: Bool = false) -> Bool {
      let wanted = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
      guard bytes.count >= wanted.count else { return false }
      for (byte, letter) in zip(bytes, wanted) {
        let isLetter = (0x61...0x7A).contains(letter)
        guard (ignoringCase && isLetter ? byte | 0x20 : byte) == letter else { return false }
      }
      bytes = bytes.dropFirst(wanted.count)
      return true
    }
  }
}
