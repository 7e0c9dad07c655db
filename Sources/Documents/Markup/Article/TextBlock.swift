/// A part of a page's text between the borders of two blocks, or pictures there.
struct TextBlock: Hashable {
  /// Its nodes, from the first to behind the last with text or a picture.
  var nodes: Range<Int>
  /// The innermost block around it.
  var element: Int
  /// In quarters of a word, all and those in links.
  var words = 0
  var linked = 0
  var hasPicture = false
  /// Whether the rule of the paper says that it belongs to the text.
  var isContent = false

  /// Whether more than a third of its words are links.
  var isLinks: Bool { linked * 3 > words }

  /// Whether more than two thirds of its words are links.
  var isOnlyLinks: Bool { linked * 3 > words * 2 }

  /// Whether it is text whatever stands beside it.
  var isLong: Bool { words / 4 > 16 }

  /// The classifier by the number of words and link density of Kohlschütter, Fankhauser and Nejdl (WSDM 2010, section
  /// 4.3), with their thresholds.
  ///
  /// - Parameter blocks: in the order of the page, without those that have no words.
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
    // 5/9 of the words.
    if let previous, previous.linked * 9 > previous.words * 5 { return words / 4 > 40 || behind > 17 }
    return isLong || behind > 15 || before > 4
  }
}
