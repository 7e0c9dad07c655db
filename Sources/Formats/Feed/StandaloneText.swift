package import Limits

extension FeedText {
  /// The text as it can be kept apart from its document: of HTML, the fragment with its relative links
  /// resolved against `base`, as far as the document's allowance goes; of plain text, the text.
  package func standalone(_ allowance: Allowance) -> String {
    switch kind {
    case .text: raw
    case .html: base.map { FragmentLinks.resolved(raw, against: $0, allowance: allowance) } ?? raw
    }
  }
}
