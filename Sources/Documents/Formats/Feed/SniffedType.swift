import Foundation

/// Returns names for documents that are not feeds, which are shown to users: "a PNG image".
enum SniffedType {
  /// Returns the name of a binary format, or `nil` for text and unknown formats.
  static func name(ofBinary bytes: Data) -> String? {
    let head = Array(bytes.prefix(16))
    for (signature, name) in signatures where head.starts(with: signature) { return name }
    if head.count >= 12, head.starts(with: Array("RIFF".utf8)) {
      switch head[8..<12] {
      case Array("WEBP".utf8)[...]: return "a WebP image"
      default: return "a sound or video file"
      }
    }
    if head.count >= 8, head[4..<8] == Array("ftyp".utf8)[...] { return "a film" }
    return nil
  }

  /// Returns the name of an XML format.
  ///
  /// - Parameter root: the name of the root element, or `nil` if none was found.
  static func name(ofRoot root: String?) -> String {
    guard let root else { return "XML that cannot be read" }
    switch root.lowercased() {
    case "opml": return "an OPML list of feeds"
    case "urlset", "sitemapindex": return "a sitemap"
    case "svg": return "an SVG image"
    case "opensearchdescription": return "a description of a search engine"
    case "plist": return "a property list"
    case "envelope": return "a SOAP message"
    default: return "an XML document (<\(root.prefix(40))>)"
    }
  }

  /// The first bytes of binary formats, and their names.
  private static let signatures: [([UInt8], String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "a PNG image"), (Array("GIF8".utf8), "a GIF image"),
    ([0xFF, 0xD8, 0xFF], "a JPEG image"), ([0, 0, 1, 0], "an icon"), (Array("%PDF".utf8), "a PDF document"),
    ([0x50, 0x4B, 3, 4], "a ZIP archive or an office document"), ([0x1F, 0x8B], "gzip data"),
    (Array("BZh".utf8), "bzip2 data"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "xz data"),
    ([0x28, 0xB5, 0x2F, 0xFD], "zstd data"), (Array("ID3".utf8), "an MP3 recording"),
    ([0xFF, 0xFB], "an MP3 recording"), (Array("OggS".utf8), "an Ogg recording"),
    (Array("fLaC".utf8), "a FLAC recording"), ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    (Array("MZ".utf8) + [0x90], "a program"), (Array("SQLite format 3".utf8), "an SQLite database"),
    ([0x1A, 0x45, 0xDF, 0xA3], "a film"),
  ]
}
