import Basics

/// The state of a message's pictures, recordings and formulas while it is read.
struct MediaState {
  /// A picture that was shown.
  struct Shown {
    /// The URL, or `nil` if there was only a placeholder.
    var address: String?
    var alt: String?
    /// The position of the placeholder.
    var place: InlineBuilder.Place?
  }

  /// The number of open elements, for example `<noscript>`, whose content is for browsers without scripts.
  var fallbackDepth = 0
  /// The number of open formulas.
  var formulaDepth = 0
  /// Whether the current formula, which is given in several forms, was already written.
  var hasFormula = false
  private var isInPicture = false
  /// The URL of the first source of the open `picture`.
  private(set) var chosen: String?
  /// The last picture, or `nil` if there was none.
  private(set) var last: Shown?
  /// The URLs of all pictures so far.
  private(set) var addresses: Set<String> = []
  /// The label of an open recording or object whose URL is in an inner element, and the number of hidden elements
  /// around it.
  private var waiting: (label: String, outside: Int)?

  mutating func startPicture() { (isInPicture, chosen) = (true, nil) }

  mutating func endPicture() { (isInPicture, chosen) = (false, nil) }

  /// Sets the URL of the open `picture`, unless it already has one.
  mutating func choose(_ source: String?) { if isInPicture { chosen = chosen ?? source } }

  /// Records a picture that is shown.
  mutating func remember(_ address: String?, _ alt: String?, _ place: InlineBuilder.Place?) {
    last = Shown(address: address, alt: alt, place: place)
    if let address, addresses.count < Limits.links { addresses.insert(address) }
  }

  var isWaiting: Bool { waiting != nil }

  /// Remembers the label of an open recording, whose URL is in an inner element.
  ///
  /// - Parameter depth: the number of hidden elements around it.
  mutating func wait(for label: String, outside depth: Int) { waiting = (label, depth) }

  /// Returns the label of the open recording without a URL, and forgets the recording, since its URL was
  /// found.
  mutating func takeWaiting() -> String? {
    defer { waiting = nil }
    return waiting?.label
  }

  /// Forgets the recording for which no URL was found, if its element has ended.
  ///
  /// - Parameter depth: the number of hidden elements around the element that has ended.
  mutating func stopWaiting(outside depth: Int) {
    if waiting?.outside == depth { waiting = nil }
  }
}
