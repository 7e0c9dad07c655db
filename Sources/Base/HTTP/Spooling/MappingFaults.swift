import Foundation
import Synchronization

/// Mapped files whose bytes cannot be read any more: the disk failed, or the file became shorter. The system sends SIGBUS
/// then, which would end the process. Instead the bytes become zeros, and whoever reads them asks `count` afterwards.
enum MappingFaults {
  #if os(Linux)
    /// Mappings at the same time: polls and articles have one each.
    private static let most = 64
    /// Start and end of each; zeros are free. Read by the signal's handler, so it is never moved or freed.
    nonisolated(unsafe) private static let ranges = {
      let ranges = UnsafeMutablePointer<UInt>.allocate(capacity: 2 * most)
      ranges.initialize(repeating: 0, count: 2 * most)
      return ranges
    }()
    nonisolated(unsafe) private static let faults = {
      let faults = UnsafeMutablePointer<Int>.allocate(capacity: 1)
      faults.initialize(to: 0)
      return faults
    }()
    nonisolated(unsafe) private static let earlier = {
      let action = UnsafeMutablePointer<sigaction>.allocate(capacity: 1)
      action.initialize(to: sigaction())
      return action
    }()
    private static let pageBytes = UInt(sysconf(Int32(_SC_PAGESIZE)))
    private static let isInstalled = Mutex(false)

    /// How many pages could not be read so far.
    static var count: Int { faults.pointee }

    /// Bytes that were not mapped could not be read.
    static func add() { isInstalled.withLock { _ in faults.pointee += 1 } }

    static func watch(_ start: UnsafeMutableRawPointer, _ length: Int) {
      isInstalled.withLock { isInstalled in
        // Made before the handler may need them.
        _ = (faults.pointee, pageBytes)
        let place = (0..<most).first { ranges[2 * $0] == 0 }
        guard let place else { return }
        ranges[2 * place + 1] = UInt(bitPattern: start) + UInt(length)
        ranges[2 * place] = UInt(bitPattern: start)
        guard !isInstalled else { return }
        isInstalled = true
        var action = sigaction()
        action.sa_flags = Int32(SA_SIGINFO)
        action.__sigaction_handler.sa_sigaction = { _, info, _ in MappingFaults.handle(info) }
        sigaction(SIGBUS, &action, earlier)
      }
    }

    static func forget(_ start: UnsafeMutableRawPointer) {
      isInstalled.withLock { _ in
        for place in 0..<most where ranges[2 * place] == UInt(bitPattern: start) { ranges[2 * place] = 0 }
      }
    }

    /// Only what is allowed in a handler of a signal.
    private static func handle(_ info: UnsafeMutablePointer<siginfo_t>?) {
      let address = UInt(bitPattern: info?.pointee._sifields._sigfault.si_addr)
      for place in 0..<most where ranges[2 * place] != 0 {
        guard address >= ranges[2 * place], address < ranges[2 * place + 1] else { continue }
        let page = UnsafeMutableRawPointer(bitPattern: address & ~(pageBytes - 1))
        let flags = Int32(MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS)
        guard mmap(page, Int(pageBytes), PROT_READ, flags, -1, 0) != MAP_FAILED else { break }
        faults.pointee += 1
        return
      }
      // Another fault: as it was before. The instruction is tried again.
      sigaction(SIGBUS, earlier, nil)
    }
  #else
    private static let noted = Mutex(0)
    static var count: Int { noted.withLock { $0 } }
    static func add() { noted.withLock { $0 += 1 } }
    static func watch(_ start: UnsafeMutableRawPointer, _ length: Int) {}
    static func forget(_ start: UnsafeMutableRawPointer) {}
  #endif
}
