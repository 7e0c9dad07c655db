import CCurl

/// libcurl, which is opened when it is needed.
package enum CurlLibrary {
  /// - Returns: why it can't be opened, and what to install; nil if it is open.
  static func open() -> String? {
    ccurl_open().map { "libcurl can't be opened (Debian's package is libcurl4): \(String(cString: $0))" }
  }

  /// Such as "libcurl 7.88.1". Opens the library; a sentence if that fails.
  package static var nameAndVersion: String {
    if let failure = open() { return failure }
    return "libcurl \(String(cString: ccurl_version()))"
  }
}
