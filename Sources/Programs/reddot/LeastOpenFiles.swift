import Platform

/// The number of files and connections that reddot needs to have open at the same time.
enum LeastOpenFiles {
  /// The minimum: eight polls with their files, the readers of the database, programs and the network's threads need
  /// about fifty.
  private static let least = 64
  private static let wanted = 256

  /// Raises the limit if it is low and may be raised.
  ///
  /// - Returns: a sentence if the limit stays too low: later, something would fail in the middle of its work.
  static func prepare() -> String? {
    guard let limit = OpenFiles.raise(to: wanted), limit < least else { return nil }
    return
      "only \(limit) files may be open at the same time here, and reddot needs \(least); raise the limit, as with "
      + "ulimit -n \(wanted)"
  }
}
