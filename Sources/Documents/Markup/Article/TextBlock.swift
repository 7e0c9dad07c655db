/// A part of a page's text, or pictures, between the borders of two block elements.
struct TextBlock: Hashable {
  /// The range of its nodes, from the first with text or a picture to after the last.
  var nodes: Range<Int>
  /// The index of the innermost block element around it.
  var element: Int
  /// The number of words, in quarters of a word.
  var words = 0
  /// The number of words in links, in quarters of a word.
  var linked = 0
  var hasPicture = false
  /// Whether it belongs to the text of the article, according to `markContent`.
  var isContent = false

  /// Whether more than a third of its words are links.
  var isLinks: Bool { linked * 3 > words }

  /// Whether more than two thirds of its words are links.
  var isOnlyLinks: Bool { linked * 3 > words * 2 }

  /// Whether it has so many words that it is text regardless of its neighbours.
  var isLong: Bool { words / 4 > 16 }

  /// Sets `isContent` of blocks. The rule is the classifier by number of words and link density of Kohlschütter,
  /// Fankhauser and Nejdl (WSDM 2010), with their thresholds.
  ///
  /// - Parameter places: the positions of the blocks to classify, in the order of the page, without those that have no
  ///   words.
  static func markContent(_ blocks: inout [TextBlock], at places: [Int]) {
    for (order, place) in places.enumerated() {
      let previous = order > 0 ? blocks[places[order - 1]] : nil
      let next = order + 1 < places.count ? blocks[places[order + 1]] : nil
      blocks[place].isContent = blocks[place].isContent(after: previous, before: next)
    }
  }

  /// Whether the block belongs to the text, judging by its own words and those of its neighbours.
  private func isContent(after previous: TextBlock?, before next: TextBlock?) -> Bool {
    guard !isLinks else { return false }
    let (before, behind) = ((previous?.words ?? 0) / 4, (next?.words ?? 0) / 4)
    // The threshold is 5/9 of the words.
    if let previous, previous.linked * 9 > previous.words * 5 { return words / 4 > 40 || behind > 17 }
    return isLong || behind > 15 || before > 4
  }
}
