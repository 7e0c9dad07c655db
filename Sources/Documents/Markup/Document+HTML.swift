import Formats

extension Document {
  /// Reads HTML as a mail reader does: a fragment or a whole page, which may be broken. Scripts, styles and hidden
  /// elements are left out. Text of more than 512 KiB is cut, with a note.
  ///
  /// - Parameters:
  ///   - base: the base of relative links; without it only absolute links are offered.
  ///   - own: the URL of the message itself; links to it have no number.
  ///   - keepsPictures: whether the document lists its pictures, so that they can be drawn.
  package static func html(
    _ html: String, base: String?, own: String? = nil, keepsPictures: Bool = false
  ) -> Document {
    let builder = HTMLBuilder(base: base, own: own, keepsPictures: keepsPictures)
    let notes = builder.read(html)
    return builder.document(notes: notes)
  }
}

extension HTMLBuilder {
  /// Reads HTML into this builder.
  ///
  /// - Returns: the notes for the end of the document, for example that it was cut.
  func read(_ html: String) -> [Block] {
    let (source, note) = SourceCut.cut(html)
    var text = CDATAMarks.removed(from: source)
    text.withUTF8 { HTMLStream(sink: self, reading: .page).run($0) }
    return note.map { [$0] } ?? []
  }
}
