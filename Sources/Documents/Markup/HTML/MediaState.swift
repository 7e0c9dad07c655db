import Basics

/// The state of a message's pictures, recordings and formulas while it is read.
struct MediaState {
  struct Shown {
    /// The URL, or `nil` if there was only a placeholder.
    var address: String?
    var alt: String?
    /// The position of the placeholder.
    var place: InlineBuilder.Place?
  }

  /// The number of open elements for browsers without scripts, and of open formulas.
  var fallbackDepth = 0
  var formulaDepth = 0
  /// Whether the current formula, which is given in several forms, was already written.
  var hasFormula = false
  private var isInPicture = false
  /// The first source of the open `picture`.
  private(set) var chosen: String?
  /// The last picture, and the URLs of all.
  private(set) var last: Shown?
  private(set) var addresses: Set<String> = []
  /// The label of an open recording or object whose URL is in an inner element, and the number of hidden elements
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
