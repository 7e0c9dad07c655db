import Basics
import Foundation
import Synchronization

/// Limits the request rates of each token and each address. Each has a bucket of permitted requests that fills at a
/// rate per minute, and holds twice that.
final class RateLimits: Sendable {
  enum Kind: Hashable { case publish, read, failedTokens }

  private struct Key: Hashable {
    var kind: Kind
    var who: String
  }

  private struct Bucket {
    var left: Double
    var at: Date
  }

  private let rates: HubOptions.Rates
  private let buckets = Mutex<[Key: Bucket]>([:])

  init(_ rates: HubOptions.Rates) { self.rates = rates }

  /// Counts a request of a token or an address.
  ///
  /// - Returns: `nil` if the request is allowed; otherwise the seconds until it is.
  func spend(_ kind: Kind, _ who: String, now: Date) -> Int? {
    let perMinute = Double(rate(kind))
    return buckets.withLock { buckets in
      var bucket = Self.filled(buckets[Key(kind: kind, who: who)], perMinute, now)
      defer { buckets[Key(kind: kind, who: who)] = bucket }
      if buckets.count >= Limits.hubRemembered { forget(&buckets, now) }
      guard bucket.left >= 1 else { return max(1, Int(((1 - bucket.left) * 60 / perMinute).rounded(.up))) }
      bucket.left -= 1
      return nil
    }
  }

  private func rate(_ kind: Kind) -> Int {
    switch kind {
    case .publish: rates.publish
    case .read: rates.read
    case .failedTokens: rates.failedTokens
    }
  }

  /// Returns a bucket with the requests that were added since its last use; a new one is full.
  private static func filled(_ bucket: Bucket?, _ perMinute: Double, _ now: Date) -> Bucket {
    guard let bucket else { return Bucket(left: 2 * perMinute, at: now) }
    // The clock may have been set back.
    let seconds = max(0, now.timeIntervalSince(bucket.at))
    return Bucket(left: min(2 * perMinute, bucket.left + seconds * perMinute / 60), at: now)
  }

  /// Removes full buckets, which have no effect. If too many other buckets remain, all are removed, so that
  /// every count begins again.
  private func forget(_ buckets: inout [Key: Bucket], _ now: Date) {
    buckets = buckets.filter { key, bucket in
      let perMinute = Double(rate(key.kind))
      return Self.filled(bucket, perMinute, now).left < 2 * perMinute
    }
    if buckets.count >= Limits.hubRemembered { buckets = [:] }
  }
}
