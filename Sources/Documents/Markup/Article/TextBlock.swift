/// A part of a page's text between the borders of two blocks, or the pictures there.
struct TextBlock: Hashable {
  /// The nodes, from the first to after the last with text or a picture.
  var nodes: Range<Int>
  /// The innermost block around it.
  var element: Int
  /// The number of words, and of those in links, in quarters of a word.
  var words = 0
  var linked = 0
  var hasPicture = false
  /// Whether it belongs to the text by the rule of the paper.
  var isContent = false

  /// Whether more than a third of its words are links.
  var isLinks: Bool { linked * 3 > words }

  /// Whether more than two thirds of its words are links.
  var isOnlyLinks: Bool { linked * 3 > words * 2 }

  /// Whether it is text regardless of its neighbours.
  var isLong: Bool { words / 4 > 16 }

  /// Applies the classifier by the number of words and link density of Kohlschütter, Fankhauser and Nejdl (WSDM 2010),
  /// with their thresholds.
  ///
  /// - Parameter blocks: the blocks in the order of the page, without those that have no words.
  static func markContent(_ blocks: inout [TextBlock], at places: [Int]) {
    for (order, place) in places.enumerated() {
      let previous = order > 0 ? blocks[places[order - 1]] : nil
      let next = order + 1 < places.count ? blocks[places[order + 1]] : nil
      blocks[place].isContent = blocks[place].isContent(after: previous, before: next)
    }
  }

  private func isContent(after previous: TextBlock?, before next: TextBlock?) -> Bool {
    guard !isLinks else { return false }
    let (before, behind) = ((previous?.words ?? 0) / 4, (next?.words ?? 0) / 4)
    // The threshold is 5/9 of the words.
    if let previous, previous.linked * 9 > previous.words * 5 { return words / 4 > 40 || behind > 17 }
    return isLong || behind > 15 || before > 4
  }
}
