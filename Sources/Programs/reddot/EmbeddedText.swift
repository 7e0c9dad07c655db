import CResources

/// A text file that was embedded when the program was built.
enum EmbeddedText {
  /// - Returns: `nil` if there is no file of that name.
  static func named(_ name: String) -> String? {
    var count = 0
    guard let start = reddot_words(name, &count) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
