import CCurl

/// libcurl, which is opened on first use.
package enum CurlLibrary {
  /// Opens the library. Returns the reason if it cannot be opened, with the package to install, or `nil`.
  package static func open() -> String? {
    ccurl_open().map { "libcurl cannot be opened (Debian's package is libcurl4): \(String(cString: $0))" }
  }

  /// The name and version, for example "libcurl 7.88.1", or a sentence if libcurl cannot be opened. Opens the library.
  package static var nameAndVersion: String {
    if let failure = open() { return failure }
    return "libcurl \(String(cString: ccurl_version()))"
  }
}
