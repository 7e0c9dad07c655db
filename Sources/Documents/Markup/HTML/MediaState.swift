import Basics

/// What is known of a message's pictures, recordings and formulas while it is read.
struct MediaState {
  struct Shown {
    /// nil if only a placeholder was there.
    var address: String?
    var alt: String?
    /// Where the placeholder is.
    var place: InlineBuilder.Place?
  }

  /// How many elements for browsers without scripts are open, and how many formulas.
  var fallbackDepth = 0
  var formulaDepth = 0
  /// Whether the formula that stands here in several forms was written.
  var hasFormula = false
  private var isInPicture = false
  /// Of the open `picture`, the first of its sources.
  private(set) var chosen: String?
  /// The last picture, and the addresses of all.
  private(set) var last: Shown?
  private(set) var addresses: Set<String> = []
  /// The label of an open recording or object whose address stands in an element inside, and how many hidden elements are
  /// around it.
  private var waiting: (label: String, outside: Int)?

  mutating func startPicture() { (isInPicture, chosen) = (true, nil) }

  mutating func endPicture() { (isInPicture, chosen) = (false, nil) }

  mutating func choose(_ source: String?) { if isInPicture { chosen = chosen ?? source } }

  mutating func remember(_ address: String?, _ alt: String?, _ place: InlineBuilder.Place?) {
    last = Shown(address: address, alt: alt, place: place)
    if let address, addresses.count < Limits.links { addresses.insert(address) }
  }

  var isWaiting: Bool { waiting != nil }

  mutating func wait(for label: String, outside depth: Int) { waiting = (label, depth) }

  mutating func takeWaiting() -> String? {
    defer { waiting = nil }
    return waiting?.label
  }

  mutating func stopWaiting(outside depth: Int) {
    if waiting?.outside == depth { waiting = nil }
  }
}
