/// Decides which URLs readers may open: only those of http, https or mailto.
enum OpenableAddress {
  static func isOne(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex else { return false }
    return ["http", "https", "mailto"].contains(text[..<colon].lowercased())
  }
}
