import Screen

extension Document {
  /// Reads plain text as a mail reader does. Lines and indentation are kept, URLs become numbered links, lines after
  /// `>` become quotes, and a signature after `-- ` is faint. More than 512 KiB is cut, with a note.
  ///
  /// - Parameter own: the URL of the message itself; links to it have no number.
  package static func plain(_ text: String, own: String? = nil) -> Document {
    let (text, note) = SourceCut.cut(text)
    var reader = PlainText(own: own)
    var blocks = reader.blocks(text)
    if let note { blocks.append(note) }
    return Document(blocks: blocks, links: reader.links.links)
  }
}
