package import Basics

extension FeedText {
  /// Returns the text independent of its document. HTML has its relative links resolved against `base`, until the
  /// document's allowance is spent; plain text is unchanged.
  package func standalone(_ allowance: Allowance) -> String {
    switch kind {
    case .text: raw
    case .html: base.map { FragmentLinks.resolved(raw, against: $0, allowance: allowance) } ?? raw
    }
  }
}
