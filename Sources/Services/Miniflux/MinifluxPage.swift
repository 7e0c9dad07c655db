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

  /// In the order of the document.
  private(set) var entries: [Entry] = []
  /// How many there were, broken ones too.
  private(set) var count = 0
  private(set) var problems: [PollProblem] = []

  var first: Entry? { entries.first }
  var last: Entry? { entries.last }
  /// When they were changed.
  var changes: [Date] { entries.compactMap(\.changed) }

  /// Ends early where its task is cancelled.
  static func read(_ document: Data) async throws(ServiceFailure) -> MinifluxPage {
    let allowance = Allowance(documentBytes: document.count)
    let result = await withTaskCancellationHandler {
      Result { () throws(ServiceFailure) in try MinifluxPage(document, allowance) }
    } onCancel: {
      // Reading a large page takes so long that the deadline may pass meanwhile.
      allowance.cancel()
    }
    if allowance.isCancelled { throw ServiceFailure(failure: .cancelled) }
    return try result.get()
  }

  /// Reads the entries one after another, and makes their messages on all processors: converting HTML is half of the work.
  init(_ document: Data, _ allowance: Allowance) throws(ServiceFailure) {
    let drafts = try drafts(of: document, allowance)
    for part in Parallel.map(
      count: drafts.count, inPartsOf: 64, unless: { allowance.isSpent },
      { drafts[$0].entry(allowance) })
    {
      entries += part
    }
    if allowance.isSpent, !allowance.isCancelled {
      problems.append(PollProblem(at: "", message: allowance.sentence))
    }
  }

  private mutating func drafts(
    of document: Data, _ allowance: Allowance
  ) throws(ServiceFailure) -> [MinifluxEntry] {
    var drafts: [MinifluxEntry] = []
    var problems: [PollProblem] = []
    var count = 0
    var hasList = false
    do throws(JSONFailure) {
      try JSONReader.walk(document, streaming: "entries", allowance: allowance) { step in
        switch step {
        case .member(let key, let value):
          // Without entries some versions send null.
          if key == "entries", value.isNull { hasList = true }
        case .arrayBegins:
          drafts = []
          count = 0
          hasList = true
        case .element(let index, let value):
          count += 1
          let path = JSONPath.index(index, under: "$.entries")
          let (entry, found) = MinifluxEntry.read(value, at: path)
          if let entry { drafts.append(entry) }
          if problems.count < Limits.storedProblems { problems += found.map(PollProblem.init) }
        }
      }
    } catch {
      throw ServiceFailure(failure: .malformed(line: error.line, reason: "\(error.reason)"))
    }
    guard hasList else {
      throw ServiceFailure(failure: .notAFeed(found: "JSON without entries of Miniflux", alternates: []))
    }
    self.problems = problems
    self.count = count
    return drafts
  }
}
