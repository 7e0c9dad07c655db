package import Screen

/// A picture in a message's text.
package struct BodyPicture: Hashable, Sendable {
  /// http or https, absolute, in ASCII.
  package var address: String
  /// Its sides in pixels, as the text says; it need not be true.
  package var width: Int?
  package var height: Int?

  package init(address: String, width: Int? = nil, height: Int? = nil) {
    self.address = address
    self.width = width
    self.height = height
  }
}

/// Where a picture may be drawn in a text that is laid out.
package struct PicturePlace: Hashable, Sendable {
  package var picture: BodyPicture
  /// The number of the link that it belongs to.
  package var link: Int?
  /// How many lines of the text are above it.
  package var line: Int
  /// What its rows begin with: bars and indentation.
  package var margin: StyledText
  /// The room beside the margin.
  package var columns: Int
  /// Whether no line of text describes it, so that blank lines separate it.
  package var isAlone: Bool

  package init(
    picture: BodyPicture, link: Int? = nil, line: Int, margin: StyledText = .empty, columns: Int,
    isAlone: Bool = false
  ) {
    self.picture = picture
    self.link = link
    self.line = line
    self.margin = margin
    self.columns = columns
    self.isAlone = isAlone
  }
}
