import Basics

extension Document {
  /// Reads Markdown: CommonMark with GitHub's tables and strikethrough. From raw HTML, only the tags of emphasis and
  /// line breaks have an effect; text between tags is kept. More than 128 KiB is cut, with a note.
  ///
  /// - Parameter own: the URL of the message itself; links to it have no number.
  package static func markdown(_ text: String, own: String? = nil) -> Document {
    let (text, note) = SourceCut.cut(text, to: Limits.markdownBytes)
    let builder = HTMLBuilder(base: nil, own: own)
    let stop = MarkdownParser.parse(text, into: builder)
    return builder.document(notes: [stop, note].compactMap { $0 })
  }
}
