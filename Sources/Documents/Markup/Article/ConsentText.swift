/// Distinguishes a consent dialog from an article: it has a button, and its text uses these words repeatedly.
enum ConsentText {
  /// The beginnings of words in the languages of most such dialogs, in lower case.
  static let words: [StaticString] = [
    "cookie", "consent", "privacy", "personal data", "datenschutz", "einwilligung", "confidentialit",
    "privacidad",
    "rgpd", "gdpr", "dsgvo",
  ]
  /// The number of words among which a dialog has at least one of them.
  static let wordsBetween = 60
  static let least = 2
}

extension PageTree.Element {
  var asksForConsent: Bool {
    hasButton && consent >= ConsentText.least && consent * ConsentText.wordsBetween * 4 >= words
  }
}
