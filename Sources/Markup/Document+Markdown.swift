import Limits

extension Document {
  /// Reads Markdown: headings, emphasis, code, lists, quotes, links, images, tables. More than
  /// 128 KiB is cut, with a note.
  package static func markdown(_ text: String) -> Document {
    let (text, note) = SourceCut.cut(text, to: Limits.markdownBytes)
    var reader = MarkdownBlocks()
    var blocks = reader.blocks(text)
    if let note { blocks.append(note) }
    return Document(blocks: blocks, links: reader.links.links)
  }
}
