import CCurl
import Foundation

/// The active transfers, on the thread of libcurl. Between events the thread sleeps without a timer.
final class NetworkLoop {
  /// libcurl's multi handle, or `nil` if libcurl can't be opened or has no memory.
  let multi: UnsafeMutableRawPointer?
  /// The reason why no transfer can be made.
  let failure: String?
  /// The transfers, keyed by their libcurl handles. All of them are checked in each turn, since they are few: one for
  /// each concurrent poll and open stream.
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
  private let clock = ContinuousClock()

  init() {
    failure = CurlLibrary.open()
    multi = failure == nil ? ccurl_multi_new() : nil
  }

  deinit {
    if let multi { ccurl_multi_free(multi) }
  }

  /// Runs the commands and transfers of the thread. Returns when nothing was transferred for a while, or immediately if
  /// there are no transfers and the thread must end.
  func run(for thread: NetworkThread) {
    var idleUntil: ContinuousClock.Instant?
    while true {
      for command in thread.commands() { command(self) }
      if let multi { ccurl_multi_perform(multi) }
      endTransfers()
      let now = clock.now
      for transfer in transfers.values { transfer.serve(at: now) }
      for transfer in transfers.values where transfer.hasEnded { remove(transfer) }
      if transfers.isEmpty {
        let end = idleUntil ?? now + thread.idleTime
        idleUntil = end
        if multi == nil || thread.isClosed || now >= end { return }
      } else {
        idleUntil = nil
      }
      wait(until: transfers.values.compactMap(\.wake).min() ?? idleUntil, at: now)
    }
  }

  func add(_ transfer: Transfer) {
    guard let multi, let easy = transfer.prepare() else {
      return transfer.fail(.unreachable(host: transfer.exchange.address.host, reason: failure ?? "no memory"))
    }
    transfers[easy] = transfer
    transfer.begin(at: clock.now)
    if ccurl_multi_add(multi, easy) != CURLM_OK {
      transfer.fail(.unreachable(host: transfer.exchange.address.host, reason: "libcurl has no memory"))
    }
  }

  /// Returns the transfer with this number, or `nil` if it has ended.
  func transfer(_ number: Int) -> Transfer? { transfers.values.first { $0.number == number && !$0.hasEnded } }

  func cancelAll() {
    for transfer in transfers.values { transfer.fail(.cancelled) }
  }

  /// Handles the end of each transfer that libcurl has completed.
  private func endTransfers() {
    guard let multi else { return }
    var code = CURLE_OK
    while let easy = ccurl_multi_ended(multi, &code) { transfers[easy]?.ended(code) }
  }

  private func remove(_ transfer: Transfer) {
    guard let easy = transfer.easy, let multi else { return }
    transfers[easy] = nil
    ccurl_multi_remove(multi, easy)
    transfer.free()
  }

  private func wait(until end: ContinuousClock.Instant?, at now: ContinuousClock.Instant) {
    guard let multi else { return }
    var sockets = transfers.values.compactMap(\.awaited)
    let time = end.map { max(0, ($0 - now).seconds) * 1000 } ?? Double(Int32.max)
    let milliseconds = Int32(min(time.rounded(.up), Double(Int32.max)))
    ccurl_multi_wait(multi, &sockets, UInt32(sockets.count), milliseconds)
  }
}
