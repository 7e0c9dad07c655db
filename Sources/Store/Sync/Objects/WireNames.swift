import Basics

// What sources, messages and occasions are called on all machines: parts of digests, so that nobody has to agree on
// numbers, and a place that loses its key shows no address.

extension WireUID {
  /// A source that the settings call the same on several machines, whatever its address: `sync_as`.
  package init(syncAs name: String) { self.init(digest: SHA256.digest("sync", name)) }

  /// A source of pushes that all machines which name it have in common: `shared`.
  package init(shared name: String) { self.init(digest: SHA256.digest("shared", name)) }

  private init(digest: [UInt8]) { bytes = Array(digest.prefix(16)) }
}

extension Act.Target {
  /// - Parameter remoteID: as stored; texts of other bytes have other keys, also where they look the same.
  package static func key(ofRemoteID remoteID: String) -> UInt64 {
    word(SHA256.digest(remoteID))
  }

  /// - Parameter occasion: what a source says that a message reports now; `extras.occasion`.
  package static func occasion(of occasion: String) -> UInt64 { notZero(word(SHA256.digest("o", occasion))) }

  /// Of a message that counts as a new one when its content changes: `unread_on_change`.
  package static func occasion(ofContentHash hash: UInt64) -> UInt64 {
    let digits = String(hash, radix: 16)
    return notZero(
      word(SHA256.digest("c", String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits)))
  }

  /// Of a shared push, which a later push with its id repeats.
  ///
  /// - Parameter stamp: of its `push` cell.
  package static func occasion(ofPush stamp: Stamp) -> UInt64 { UInt64(clamping: stamp.rawValue) }

  /// 0 means "whatever it reports".
  static func notZero(_ occasion: UInt64) -> UInt64 { occasion == 0 ? 1 : occasion }

  private static func word(_ digest: [UInt8]) -> UInt64 {
    digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
