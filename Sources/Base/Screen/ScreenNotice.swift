import Basics

/// A desktop notification that the terminal shows.
package struct ScreenNotice: Hashable, Sendable {
  /// The id: letters, digits and `-`, at most `Limits.noticeIDCharacters`. Some terminals have executed the contents of
  /// other ids.
  package let id: String
  package let title: SafeText
  package let body: SafeText
  package let isUrgent: Bool

  package init(id: String, title: SafeText, body: SafeText, isUrgent: Bool = false) {
    let kept = id.unicodeScalars.lazy.filter {
      $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-")
    }
    self.id = String(String.UnicodeScalarView(kept.prefix(Limits.noticeIDCharacters)))
    (self.title, self.body, self.isUrgent) = (title, body, isUrgent)
  }
}
