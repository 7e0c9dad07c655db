import Basics

// The ids of sources, messages and occasions on all machines. They are parts of digests, so that numbers need no
// coordination, and a sync location whose key is lost reveals no URL.

extension WireUID {
  /// Creates the id of a source to which the settings of several machines give the same name with `sync_as`, whatever
  /// its URL is.
  package init(syncAs name: String) { self.init(digest: SHA256.digest("sync", name)) }

  /// Creates the id of a source of pushed messages that is shared between all machines with a source of this name
  /// (setting `shared`).
  package init(shared name: String) { self.init(digest: SHA256.digest("shared", name)) }

  private init(digest: [UInt8]) { bytes = Array(digest.prefix(16)) }
}

extension Act.Target {
  /// Returns the key of a message.
  ///
  /// - Parameter remoteID: the id as stored; strings with other bytes have other keys, even if they look the same.
  package static func key(ofRemoteID remoteID: String) -> UInt64 {
    word(SHA256.digest(remoteID))
  }

  /// Returns the number that stands for an occasion in synchronised acts.
  ///
  /// - Parameter occasion: the present occasion of a message from its source; `extras.occasion`.
  package static func occasion(of occasion: String) -> UInt64 { notZero(word(SHA256.digest("o", occasion))) }

  /// Returns the occasion of a message that counts as new when its content changes: `unread_on_change`.
  package static func occasion(ofContentHash hash: UInt64) -> UInt64 {
    let digits = String(hash, radix: 16)
    return notZero(
      word(SHA256.digest("c", String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits)))
  }

  /// Returns the occasion of a message that a script pushed into a shared source. Each push of the same
  /// message has another stamp, and so another occasion.
  ///
  /// - Parameter stamp: the stamp of the write of the field `push`.
  package static func occasion(ofPush stamp: Stamp) -> UInt64 { UInt64(clamping: stamp.rawValue) }

  /// Returns the number, or 1 instead of 0, since 0 means any occasion.
  static func notZero(_ occasion: UInt64) -> UInt64 { occasion == 0 ? 1 : occasion }

  private static func word(_ digest: [UInt8]) -> UInt64 {
    digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
