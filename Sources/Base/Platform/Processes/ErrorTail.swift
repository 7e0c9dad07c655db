import Basics
import Foundation

/// Keeps the end of a program's standard error, regardless of its length and of how long the program runs.
///
/// A file would grow for as long as the program runs, and a pipe that we read would break if we end first. So a
/// separate tail(1) reads it, keeps `Limits.programComplaintBytes`, and ends with the program.
struct ErrorTail: Sendable {
  /// The descriptor of standard error for the program; close it once the program was started.
  let writing: Int32
  private let reading: Int32
  private let tail: Child

  /// - Throws: if tail(1) cannot be started; `ENOENT` if it does not exist.
  init(environment: [String: String]) throws(POSIXError) {
    let errors = try Descriptors.pipe()
    let end: (read: Int32, write: Int32)
    do throws(POSIXError) {
      end = try Descriptors.pipe()
    } catch {
      close(errors.read)
      close(errors.write)
      throw error
    }
    defer {
      close(errors.read)
      close(end.write)
    }
    var start = ProgramStart(
      words: ["tail", "-c", String(Limits.programComplaintBytes)], environment: environment,
      group: .ownSession)
    start.descriptors = [(0, errors.read), (1, end.write), (2, nil)]
    do throws(POSIXError) {
      tail = try Child(start)
    } catch {
      close(errors.write)
      close(end.read)
      throw error
    }
    (writing, reading) = (errors.write, end.read)
  }

  /// Returns the kept bytes, once the program and its child processes have closed their standard error, or nothing if
  /// they do not in this time. Blocks the thread; call it once.
  func bytes(within time: Duration) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: Limits.programComplaintBytes)
    let deadline = ContinuousClock.now + time
    while bytes.count < Limits.programComplaintBytes {
      guard Descriptors.readable([reading], within: deadline - ContinuousClock.now) != [] else { break }
      let count = read(reading, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return bytes
  }

  /// Waits for the end of tail(1), so that no zombie is left; blocks the thread.
  func finish() {
    close(reading)
    tail.reap()
  }
}
