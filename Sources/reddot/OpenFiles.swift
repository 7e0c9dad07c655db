import Foundation

/// How many files and connections this process may have open.
enum OpenFiles {
  /// Eight polls with their files, the readers of the database, programs and the network's threads need about fifty.
  static let least: UInt64 = 64
  private static let wanted: UInt64 = 256

  /// Raises the limit where it is low and may be raised.
  ///
  /// - Returns: a sentence where there are too few: later, something would fail in the middle of its work.
  static func prepare() -> String? {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0, UInt64(limit.rlim_cur) < wanted else { return nil }
    let most = min(UInt64(limit.rlim_max), wanted)
    if UInt64(limit.rlim_cur) < most {
      var raised = limit
      raised.rlim_cur = rlim_t(most)
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    guard UInt64(limit.rlim_cur) < least else { return nil }
    return
      "only \(limit.rlim_cur) files may be open at once here, and reddot needs \(least); raise the limit, as with "
      + "ulimit -n \(wanted)"
  }
}
