/// Distinguishes a consent dialog from an article. A dialog has a button, and its text uses some words repeatedly.
enum ConsentText {
  /// The beginnings of words about cookies, consent and privacy, in the languages of most consent dialogs, in
  /// lower case.
  static let words: [StaticString] = [
    "cookie", "consent", "privacy", "personal data", "datenschutz", "einwilligung", "confidentialit",
    "privacidad",
    "rgpd", "gdpr", "dsgvo",
  ]
  /// The maximum number of words in a dialog's text for each occurrence of one of `words`.
  static let wordsBetween = 60
  /// The minimum number of `words` in a dialog.
  static let least = 2
}

extension PageTree.Element {
  /// Whether the element is a consent dialog.
  var asksForConsent: Bool {
    hasButton && consent >= ConsentText.least && consent * ConsentText.wordsBetween * 4 >= words
  }
}
