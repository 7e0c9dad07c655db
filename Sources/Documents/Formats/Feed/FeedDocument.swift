package import Basics
package import Foundation

/// The decoded bytes of a web feed, which can be read as a whole or in sections.
package struct FeedDocument: Sendable {
  private let decoded: DecodedText
  private let mediaType: String?
  private let address: String
  /// The name of the format if the bytes are binary and so no feed, for example "a PNG image".
  private let foreign: String?

  /// Decodes the bytes of a document.
  ///
  /// - Parameters:
  ///   - charset: the charset of the HTTP Content-Type.
  ///   - mediaType: the Content-Type; used only to name the format if the bytes do not show it.
  ///   - address: the URL of the document (its Content-Location, if it has one), which is the base of its links.
  package init(
    _ bytes: Data, charset: String?, mediaType: String?, address: String
  ) {
    self.mediaType = mediaType
    self.address = address.utf8.count <= Limits.baseBytes ? address : ""
    foreign = SniffedType.name(ofBinary: bytes)
    decoded = DecodedText(foreign == nil ? bytes : Data(), charset: charset)
  }

  /// Reads the whole document, in the format that its bytes show. Never fails, and fetches nothing.
  ///
  /// - Parameter allowance: the limit on the total size of everything that is made from the document. The
  ///   caller also applies it to the messages that it makes.
  package func read(_ allowance: Allowance? = nil) -> FeedReading {
    let allowance = allowance ?? Allowance(documentBytes: decoded.bytes.count)
    if let foreign { return .notAFeed(found: foreign) }
    guard let first = decoded.bytes.first(where: { !$0.isXMLSpace }) else {
      return .notAFeed(found: "an empty document")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      return JSONFeedReader.read(
        decoded.bytes, problem: decoded.problem, address: address, allowance: allowance)
    }
    return withBytes { markup($0, allowance) }
  }

  /// Returns the feed in sections, or `nil` if it is small or can only be read as a whole.
  ///
  /// - Parameters:
  ///   - sectionBytes: the minimum size of a section.
  ///   - least: the size in bytes from which a document is cut.
  package func sections(
    of sectionBytes: Int = Limits.feedSectionBytes, from least: Int = Limits.largeFeedBytes,
    _ allowance: Allowance
  ) -> SectionedFeed? {
    guard foreign == nil, decoded.bytes.count >= least else { return nil }
    return withBytes { bytes in
      let start = SniffedMarkup(bytes)
      guard start.kind == .xml else { return nil }
      let body = UnsafeBufferPointer(rebasing: bytes[start.offset...])
      guard let cut = FeedCut(body, size: sectionBytes) else { return nil }
      return SectionedFeed(
        decoded, from: start.offset, cut, address: address, allowance: allowance)
    }
  }

  /// Calls `body` with the decoded bytes.
  private func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    decoded.bytes.withUnsafeBytes { body($0.bindMemory(to: UInt8.self)) }
  }

  /// Reads a document that is not JSON.
  private func markup(_ bytes: UnsafeBufferPointer<UInt8>, _ allowance: Allowance) -> FeedReading {
    let start = SniffedMarkup(bytes)
    switch start.kind {
    case .xml:
      return FeedReader.document(
        bytes, from: start.offset, problem: decoded.problem, address: address, allowance: allowance)
    case .embeddedFeed:
      let note = decoded.problem ?? "the document begins with text that belongs to no feed"
      return FeedReader.document(
        bytes, from: start.offset, problem: note, address: address, allowance: allowance)
    case .html:
      return PageReader.read(bytes, address: address)
    case .text:
      let isHTML = mediaType?.lowercased().hasPrefix("text/html") == true
      return isHTML ? PageReader.read(bytes, address: address) : .notAFeed(found: "plain text")
    }
  }
}
