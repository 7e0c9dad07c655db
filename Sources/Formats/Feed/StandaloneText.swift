extension FeedText {
  /// The text as it can be kept apart from its document: of HTML, the fragment with its relative links
  /// resolved against `base`; of plain text, the text.
  package var standalone: String {
    switch kind {
    case .text: raw
    case .html: base.map { FragmentLinks.resolved(raw, against: $0) } ?? raw
    }
  }
}
