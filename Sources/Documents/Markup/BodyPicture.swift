package import Screen

/// A picture in a message's text.
package struct BodyPicture: Hashable, Sendable {
  /// The URL: http or https, absolute, in ASCII.
  package var address: String
  /// The sides in pixels, as given in the text; they may be wrong.
  package var width: Int?
  package var height: Int?

  package init(address: String, width: Int? = nil, height: Int? = nil) {
    self.address = address
    self.width = width
    self.height = height
  }
}

/// The place of a picture in the lines of a message.
package struct PicturePlace: Hashable, Sendable {
  package var picture: BodyPicture
  /// The number of the link around it, or `nil` if there is none.
  package var link: Int?
  /// The number of lines of text above it.
  package var line: Int
  /// The beginning of the picture's rows: bars and indentation.
  package var margin: StyledText
  /// The number of columns to the right of the margin.
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
