import Basics
import Foundation
import Synchronization

/// A cache of the store's tokens, valid for some seconds. It also contains the numbers that no token has.
final class TokenCache: Sendable {
  private struct State {
    var known: [Int: (access: HubAccess?, at: Date)] = [:]
    /// The tokens used since the store was last informed.
    var used: Set<Int> = []
  }

  private let store: any HubStoring
  private let state = Mutex(State())

  init(_ store: any HubStoring) { self.store = store }

  /// Returns the rights of a token. Throws `badToken` for one that is unknown or has ended.
  func access(_ text: String, now: Date) async throws(HubFailure) -> HubAccess {
    guard let token = HubToken(text), let access = try await access(token.number, now),
      token.matches(access.hash), access.isValid(at: now)
    else { throw .badToken }
    // Lists show only the day.
    if access.used.map({ now.timeIntervalSince($0) > 3600 }) ?? true {
      state.withLock { state in
        state.used.insert(token.number)
        state.known[token.number]?.access?.used = now
      }
    }
    return access
  }

  private func access(_ number: Int, _ now: Date) async throws(HubFailure) -> HubAccess? {
    let known = state.withLock { $0.known[number] }
    if let known, abs(now.timeIntervalSince(known.at)) < Limits.hubTokenSeconds { return known.access }
    let access = try await store.access(token: number)
    state.withLock { state in
      if state.known.count >= Limits.hubRemembered { state.known = [:] }
      state.known[number] = (access, now)
    }
    return access
  }

  /// Forgets all tokens, after another process changed them.
  func forget() { state.withLock { $0.known = [:] } }

  /// Returns the tokens that were used since the last call.
  func removeUsed() -> Set<Int> {
    state.withLock { state in
      defer { state.used = [] }
      return state.used
    }
  }
}
