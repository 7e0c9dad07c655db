import Foundation

/// How many files and connections this process may have open.
package enum OpenFiles {
  /// Raises the limit to what is wanted, or as far as it may be raised.
  ///
  /// - Returns: the limit from now on; nil if the system doesn't say.
  package static func raise(to wanted: Int) -> Int? {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return nil }
    let most = min(limit.rlim_max, rlim_t(clamping: wanted))
    if limit.rlim_cur < most {
      var raised = limit
      raised.rlim_cur = most
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
