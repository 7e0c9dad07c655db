package import Basics

extension FeedText {
  /// The text without its document: of HTML, the fragment with its relative links
  /// resolved against `base`, until the document's allowance is spent; of plain text, the text.
  package func standalone(_ allowance: Allowance) -> String {
    switch kind {
    case .text: raw
    case .html: base.map { FragmentLinks.resolved(raw, against: $0, allowance: allowance) } ?? raw
    }
  }
}
