import Basics
import Foundation
import Platform

/// Reads standard input of a hook: limited in size and in time, since the program that starts the hook waits for it.
enum HookInput {
  /// Returns the input, or an empty string if nothing arrived in time.
  static func text(within time: Duration = Limits.hookInputTime) -> String {
    guard isatty(STDIN_FILENO) == 0 else { return "" }
    let clock = ContinuousClock()
    let end = clock.now + time
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < Limits.hookBytes, clock.now < end {
      guard Descriptors.readable([STDIN_FILENO], within: end - clock.now) != [] else { break }
      let count = piece.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return String(decoding: bytes.prefix(Limits.hookBytes), as: UTF8.self)
  }
}
