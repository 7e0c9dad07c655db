/// How a dialog that asks for consent is told from an article: it has a button, and its text names these again and again.
enum ConsentText {
  /// Beginnings of words in the languages of most such dialogs, in lower case.
  static let words: [StaticString] = [
    "cookie", "consent", "privacy", "personal data", "datenschutz", "einwilligung", "confidentialit",
    "privacidad",
    "rgpd", "gdpr", "dsgvo",
  ]
  /// In a dialog one of them stands in so many words.
  static let wordsBetween = 60
  static let least = 2
}

extension PageTree.Element {
  var asksForConsent: Bool {
    hasButton && consent >= ConsentText.least && consent * ConsentText.wordsBetween * 4 >= words
  }
}
