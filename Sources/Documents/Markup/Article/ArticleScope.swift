import Basics

/// Finds the part of a page that is its article. Elements and blocks are those of `PageTree`.
struct ArticleScope {
  /// The headline, or `nil` if there is none.
  private(set) var title: String?
  /// The range of the page's nodes that contains the article.
  private(set) var nodes: Range<Int>
  /// Whether each element is left out, by the element's index.
  private(set) var isLeftOut: [Bool]
  /// Whether each block is shown, by the block's index.
  private(set) var isKept: [Bool]

  private let page: PageTree
  /// Whether any text counts as an article, regardless of its position and its share of links.
  private let isWeak: Bool
  /// The amount of text that looks like an article in each element, in quarters of a word, by the element's
  /// index.
  private var content: [Int]
  /// The index of the element that contains the article.
  private var element = 0
  /// Whether the page itself marks the element at index `element` as its article, instead of only as its main
  /// part.
  private var isNamed = false
  /// The index of the element with the headline, or `nil` if there is none.
  private var headline: Int?

  /// Finds the article of a page.
  ///
  /// - Parameter isWeak: whether any text counts as an article, regardless of its position and its share of
  ///   links.
  /// - Returns: `nil` if the page has no article.
  init?(of page: PageTree, isWeak: Bool = false) {
    self.page = page
    self.isWeak = isWeak
    isLeftOut = Array(repeating: false, count: page.elements.count)
    isKept = Array(repeating: false, count: page.blocks.count)
    content = Array(repeating: 0, count: page.elements.count)
    nodes = 0..<0
    findTitle()
    leaveOut()
    // The headline counts as a neighbour, although it isn't shown.
    let places = page.blocks.indices.filter {
      let block = page.blocks[$0]
      return block.words > 0 && (!isLeftOut[block.element] || block.element == headline)
    }
    TextBlock.markContent(&page.blocks, at: places)
    if isWeak { markSentences(among: places) }
    for place in places where page.blocks[place].isContent && page.blocks[place].element != headline {
      content[page.blocks[place].element] += page.blocks[place].words
    }
    for index in page.elements.indices.dropFirst().reversed() {
      content[page.elements[index].parent] += content[index]
    }
    guard content[0] >= Limits.articleWords * 4 else { return nil }
    choose()
    let chosen = page.elements[element]
    guard isWeak || chosen.linked * 2 <= chosen.words else { return nil }
    nodes = chosen.nodes
    // A lead between the headline and the text belongs to it.
    if let headline, page.elements[headline].nodes.upperBound <= nodes.lowerBound {
      nodes = page.elements[headline].nodes.upperBound..<nodes.upperBound
    }
    keep()
    let words = page.blocks.indices.reduce(0) { $0 + (isKept[$1] ? page.blocks[$1].words : 0) }
    if words < Limits.articleWords * 4 { return nil }
  }

  /// Marks as content all blocks that are at least as long as a sentence, except lists of links.
  private func markSentences(among places: [Int]) {
    for place in places where page.blocks[place].words / 4 > 10 {
      let role = page.elements[page.blocks[place].element].role
      if !page.blocks[place].isOnlyLinks || role != .item && role != .cell {
        page.blocks[place].isContent = true
      }
    }
  }

  // MARK: The title

  /// Finds the headline: a heading that the title of the page contains, or the only main heading. Otherwise the title
  /// of the page is used.
  private mutating func findTitle() {
    let pageTitle = PageTree.singleSpaced(page.title)
    let shared = page.sharedTitle.map { PageTree.singleSpaced(Array($0.utf8)) } ?? ""
    let known = [shared, pageTitle].map { $0.lowercased() }.filter { !$0.isEmpty }
    for level in 1...2 {
      for index in page.headlines.prefix(Self.headlines) where page.elements[index].role == .heading(level) {
        let text = page.text(of: index)
        guard !text.isEmpty, known.contains(where: { $0.contains(text.lowercased()) }) else { continue }
        headline = index
        title = text
        return
      }
    }
    let firsts = page.headlines.prefix(Self.headlines).filter { page.elements[$0].role == .heading(1) }
    if known.isEmpty, firsts.count == 1 {
      headline = firsts[0]
      title = page.text(of: firsts[0])
    } else {
      title = [shared, pageTitle].first { !$0.isEmpty }
    }
  }

  /// The number of headings that are examined for the headline.
  private static let headlines = 20

  // MARK: The element

  /// Leaves out the headline, elements around the article and consent dialogs.
  private mutating func leaveOut() {
    let total = page.elements[0].words
    // A dialog may be longer than a short article, but does not contain the headline. If there is nothing else, a page
    // about privacy may be the article.
    let around = headline.map { page.elements[$0].nodes }
    func isDialog(_ element: PageTree.Element) -> Bool {
      guard !isWeak, element.asksForConsent, (total - element.words) >= Limits.articleWords * 4 else {
        return false
      }
      return around.map { !element.nodes.contains($0.lowerBound) } ?? true
    }
    for index in page.elements.indices.dropFirst() {
      let element = page.elements[index]
      isLeftOut[index] =
        isLeftOut[element.parent] || index == headline || element.isSurrounding && element.words * 2 < total
        || isDialog(element)
    }
  }

  /// Sets `element` to the element that the page marks as its article, if that contains most of the text.
  /// Otherwise sets it to the smallest element with four fifths of the text.
  private mutating func choose() {
    for scope in PageHints.Scope.allCases {
      let named = page.elements.indices.filter { page.elements[$0].scope == scope && !isLeftOut[$0] }
      guard let best = named.max(by: { content[$0] < content[$1] }), content[best] * 2 >= content[0] else {
        continue
      }
      element = best
      isNamed = scope != .main
      break
    }
    guard !isNamed else { return }
    // Inner elements follow their parents.
    for index in page.elements.indices.dropFirst(element + 1)
    where page.elements[index].parent == element && page.elements[index].role.canHoldArticle
      && content[index] * 5 >= content[element] * 4
    {
      element = index
    }
    // Cells alone would not form a table.
    while element != 0, page.elements[element].role == .row || page.elements[element].name == "tbody" {
      element = page.elements[element].parent
    }
  }

  // MARK: The blocks

  /// Chooses the blocks of the article that are shown, and marks them in `isKept`.
  private mutating func keep() {
    let places = page.blocks.indices.filter {
      let block = page.blocks[$0]
      return nodes.lowerBound <= block.nodes.lowerBound && block.nodes.upperBound <= nodes.upperBound
        && !isLeftOut[block.element]
    }
    guard let someText = places.last(where: { page.blocks[$0].isContent }) else { return }
    // A short block before the first long one may be the author or the date, if it is shorter than a lead. One after
    // the last long one may be a copyright notice, unless both have the same parent.
    let long = places.filter { page.blocks[$0].isContent && page.blocks[$0].isLong }
    let lead = places.first { page.blocks[$0].isContent && page.blocks[$0].words / 4 >= 10 }
    let (first, last) = (lead ?? long.first ?? places[0], long.last ?? someText)
    // A heading is kept if the block after it is.
    var isNextKept = false
    for place in places.reversed() {
      if case .heading = page.elements[page.blocks[place].element].role {
        let block = page.blocks[place]
        isKept[place] = isNextKept && !block.isLinks || block.isContent && block.isLong
      } else {
        isKept[place] =
          page.blocks[place].isContent && place >= first
          && (place <= last || isNamed || parent(of: place) == parent(of: last))
          || isPart(place, first: first, last: last)
      }
      isNextKept = isKept[place]
    }
  }

  /// Whether a block is next to one that consists only of links, as in a menu. Blocks without words are skipped:
  /// pictures and frames between two links of a menu.
  ///
  /// - Parameter step: 1 for the block after it, -1 for the block before it.
  private func isMenu(_ step: Int, beside place: Int) -> Bool {
    var next = place + step
    while page.blocks.indices.contains(next), page.blocks[next].words == 0 { next += step }
    return page.blocks.indices.contains(next) && page.blocks[next].isOnlyLinks
  }

  /// Returns the index of the element around a block's own element.
  private func parent(of block: Int) -> Int { page.elements[page.blocks[block].element].parent }

  /// Whether a block that is not clearly text belongs to the article.
  ///
  /// - Parameters:
  ///   - first: the position of the first block of the article that is clearly text.
  ///   - last: the position of the last block of the article that is clearly text.
  private func isPart(_ place: Int, first: Int, last: Int) -> Bool {
    let block = page.blocks[place]
    let around = page.elements[block.element]
    let isInside = first < place && place < last
    guard block.words > 0 else {
      let isInScope = page.elements[element].nodes.contains(block.nodes.lowerBound)
      return block.hasPicture && place < last && isInScope && (isInside || isNamed || around.isInFigure)
    }
    if let table = around.table, page.elements[table].isData, place > first { return true }
    switch around.role {
    case .preformatted: return true
    case .item, .cell:
      // A list of links is a menu, unless it is inside the text.
      return block.isOnlyLinks ? isInside && isNamed : place > first || isNamed
    case .block, .figure:
      let isExpected = isInside || isNamed && place > first || page.elements[element].scope == .body
      // A single paragraph that is a link is a part of the text; several are a menu.
      let isOneLink =
        isInside && around.name == "p" && !isMenu(-1, beside: place) && !isMenu(1, beside: place)
      return isExpected ? !block.isOnlyLinks || isOneLink : around.name == "figcaption" && !block.isLinks
    case .generic, .surrounding, .table, .row, .heading, .ignored, .ignoredBlock, .inline, .link, .image,
      .picture, .source, .lineBreak, .rule, .title, .meta, .base, .transparent:
      return false
    }
  }
}
