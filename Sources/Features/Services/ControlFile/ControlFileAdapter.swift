import Basics
import Formats
import Foundation
import Messages

/// Polls control files of banners. A control file contains no messages: its last valid copy is stored, and evaluated
/// when the inbox opens.
struct ControlFileAdapter: SourceAdapter {
  static let accept = "application/json, */*;q=0.5"

  let fetcher: Fetcher

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    switch await fetcher.fetch(source, position: position, accept: Self.accept, context: context) {
    case .failed(let failure, let hints): return .failed(failure, hints)
    case .notModified(let next, let hints):
      // Validators are sent only if there is a valid copy. Without them a 304 has no meaning.
      guard !position.validators.isEmpty else {
        return .failed(.malformed(line: nil, reason: "304 to a request without validators"), hints)
      }
      return .notModified(next, hints)
    case .document(let document): return Self.outcome(document, of: source)
    }
  }

  /// Returns the result of a poll whose response is a document.
  static func outcome(_ document: Fetcher.Document, of source: Source) -> PollOutcome {
    let file: ControlFile
    do throws(FetchFailure) {
      file = try controlFile(document.bytes)
    } catch {
      return .failed(error, document.hints)
    }
    let position = PollPosition(
      validators: document.validators, movedTo: document.movedTo, movedCount: document.movedCount)
    var content = PollContent(messages: [], position: position, problems: problems(of: file))
    // The copy is stored under the URL of the next poll, whose request is conditional only if its copy is found.
    content.document = SourceDocument(
      address: position.permanentAddress ?? source.address, bytes: document.bytes)
    return .content(content, document.hints)
  }

  /// Reads a control file.
  ///
  /// - Throws: `malformed`, with the line and the reason, which describes the bytes if they are in another format.
  static func controlFile(_ bytes: Data) throws(FetchFailure) -> ControlFile {
    let file: ControlFile
    do throws(JSONFailure) {
      file = try ControlFileReader.read(bytes)
    } catch {
      throw .malformed(line: error.line, reason: foreign(bytes) ?? "\(error.reason)")
    }
    if file.problems.isEmpty { return file }
    throw .malformed(line: 1, reason: "a control file is an object whose keys are banner names")
  }

  /// Returns the problems of a usable file, in document order.
  static func problems(of file: ControlFile) -> [FormatProblem] {
    file.problems + file.banners.flatMap(\.problems)
  }

  /// Returns a sentence that names the format of bytes that are evidently not JSON, or `nil` if they may be JSON.
  private static func foreign(_ bytes: Data) -> String? {
    let first = bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
    guard let first, !#"{["-0123456789tfn"#.utf8.contains(first) else { return nil }
    let found =
      switch FeedReader.read(bytes, charset: nil, mediaType: nil, address: "") {
      case .feed: "a feed"
      case .page: "a web page"
      case .notAFeed(let found): found
      }
    return "a control file is JSON, and this is \(found)"
  }
}
