import Foundation

/// The number of files and connections that this process may have open.
package enum OpenFiles {
  /// Raises the limit to the wanted number, or as far as the system allows.
  ///
  /// - Returns: the new limit, or `nil` if the system does not report one.
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
