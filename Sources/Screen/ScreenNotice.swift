/// A notice for the terminal.
package struct ScreenNotice: Hashable, Sendable {
  /// Letters, digits and `-`: terminals have run what stood in another one.
  package let id: String
  package let title: SafeText
  package let body: SafeText
  package let isUrgent: Bool

  package init(id: String, title: SafeText, body: SafeText, isUrgent: Bool = false) {
    self.id = String(
      id.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-") })
    (self.title, self.body, self.isUrgent) = (title, body, isUrgent)
  }
}
