import Formats
import Foundation
import Limits
import Messages

/// One page of entries.
struct MinifluxPage: Sendable {
  struct Entry: Sendable {
    var id: Int
    var changed: Date?
    var marks: UpstreamMarks
    var message: IncomingMessage
  }

  var entries: [Entry] = []
  /// How many there were, broken ones too.
  var count = 0
  /// Of the document.
  var bytes = 0
  var problems: [PollProblem] = []

  /// Reads the entries one after another, and makes their messages on all processors: converting HTML is most of the work.
  static func read(_ document: Data) async throws(ServiceFailure) -> MinifluxPage {
    let allowance = Allowance(documentBytes: document.count)
    let result = await withTaskCancellationHandler {
      Result { () throws(ServiceFailure) in try read(document, allowance) }
    } onCancel: {
      // Parsing a large page takes so long that the deadline may pass meanwhile.
      allowance.cancel()
    }
    if allowance.isCancelled { throw ServiceFailure(failure: .cancelled) }
    return try result.get()
  }

  static func read(_ document: Data, _ allowance: Allowance) throws(ServiceFailure) -> MinifluxPage {
    var page = MinifluxPage()
    page.bytes = document.count
    var raw: [MinifluxEntry] = []
    var hasList = false
    do throws(JSONFailure) {
      try JSONReader.walk(document, streaming: "entries", allowance: allowance) { step in
        switch step {
        case .member(let key, let value):
          // Without entries some versions send null.
          if key == "entries", value.isNull { hasList = true }
        case .arrayBegins:
          raw = []
          page.count = 0
          hasList = true
        case .element(let index, let value):
          page.count += 1
          let path = JSONPath.index(index, under: "$.entries")
          let (entry, problems) = MinifluxEntry.read(value, at: path)
          if let entry { raw.append(entry) }
          if page.problems.count < Limits.storedProblems { page.problems += problems.map(PollProblem.init) }
        case .badElement(let index, let failure):
          page.count += 1
          page.problems.append(
            PollProblem(at: JSONPath.index(index, under: "$.entries"), message: "\(failure.reason)"))
        }
      }
    } catch {
      throw ServiceFailure(failure: .malformed(line: error.line, reason: "\(error.reason)"))
    }
    guard hasList else {
      throw ServiceFailure(failure: .notAFeed(found: "JSON without entries of Miniflux", alternates: []))
    }
    let found = raw
    let parts = Parallel.map(count: found.count, inPartsOf: 64, unless: { allowance.isSpent }) {
      found[$0].entry(allowance)
    }
    for part in parts { page.entries += part }
    if allowance.isSpent, !allowance.isCancelled {
      page.problems.append(PollProblem(at: "", message: allowance.sentence))
    }
    return page
  }
}
