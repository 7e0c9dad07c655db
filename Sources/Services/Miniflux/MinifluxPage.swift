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

  /// In the order of the document, a few together as they were made: to copy an entry is expensive.
  var parts: [[Entry]] = []
  /// How many there were, broken ones too.
  var count = 0
  /// Of the document.
  var bytes = 0
  var problems: [PollProblem] = []

  var entries: some BidirectionalCollection<Entry> { parts.joined() }
  var first: Entry? { entries.first }
  var last: Entry? { entries.last }
  /// When they were changed.
  var changes: [Date] { entries.compactMap(\.changed) }

  static func read(_ document: Data, _ allowance: Allowance) throws(ServiceFailure) -> MinifluxPage {
    try MinifluxDraft(document, allowance).page()
  }
}

/// A page whose entries are read, and whose messages are still to be made: converting HTML is half of the work, and the next
/// page can be asked for before it.
struct MinifluxDraft: Sendable {
  private var entries: [MinifluxEntry] = []
  private var problems: [PollProblem] = []
  private let allowance: Allowance
  /// How many entries there were, broken ones too.
  private(set) var count = 0
  /// Of the document.
  let bytes: Int

  /// The id of the last entry that could be read.
  var last: Int? { entries.last?.id }

  static func read(_ document: Data) async throws(ServiceFailure) -> MinifluxDraft {
    let allowance = Allowance(documentBytes: document.count)
    let result = await withTaskCancellationHandler {
      Result { () throws(ServiceFailure) in try MinifluxDraft(document, allowance) }
    } onCancel: {
      // Parsing a large page takes so long that the deadline may pass meanwhile.
      allowance.cancel()
    }
    if allowance.isCancelled { throw ServiceFailure(failure: .cancelled) }
    return try result.get()
  }

  init(_ document: Data, _ allowance: Allowance) throws(ServiceFailure) {
    self.allowance = allowance
    bytes = document.count
    var entries: [MinifluxEntry] = []
    var problems: [PollProblem] = []
    var count = 0
    var hasList = false
    do throws(JSONFailure) {
      try JSONReader.walk(
        document, streaming: "entries", selecting: MinifluxEntry.selection, allowance: allowance
      ) { step in
        switch step {
        case .member(let key, let value):
          // Without entries some versions send null.
          if key == "entries", value.isNull { hasList = true }
        case .arrayBegins:
          entries = []
          count = 0
          hasList = true
        case .element(let index, let value):
          count += 1
          let path = JSONPath.index(index, under: "$.entries")
          let (entry, found) = MinifluxEntry.read(value, at: path)
          if let entry { entries.append(entry) }
          if problems.count < Limits.storedProblems { problems += found.map(PollProblem.init) }
        case .badElement(let index, let failure):
          count += 1
          problems.append(
            PollProblem(at: JSONPath.index(index, under: "$.entries"), message: "\(failure.reason)"))
        }
      }
    } catch {
      throw ServiceFailure(failure: .malformed(line: error.line, reason: "\(error.reason)"))
    }
    guard hasList else {
      throw ServiceFailure(failure: .notAFeed(found: "JSON without entries of Miniflux", alternates: []))
    }
    self.entries = entries
    self.problems = problems
    self.count = count
  }

  /// Makes the messages, on all processors but the spared ones; ends early where its task is cancelled.
  func finished(sparing spared: Int = 0) async throws(ServiceFailure) -> MinifluxPage {
    let page = await withTaskCancellationHandler {
      self.page(sparing: spared)
    } onCancel: {
      allowance.cancel()
    }
    if allowance.isCancelled { throw ServiceFailure(failure: .cancelled) }
    return page
  }

  func page(sparing spared: Int = 0) -> MinifluxPage {
    var page = MinifluxPage()
    page.bytes = bytes
    page.count = count
    page.problems = problems
    page.parts = Parallel.map(
      count: entries.count, inPartsOf: 64, sparing: spared, unless: { allowance.isSpent }
    ) {
      entries[$0].entry(allowance)
    }
    if allowance.isSpent, !allowance.isCancelled {
      page.problems.append(PollProblem(at: "", message: allowance.sentence))
    }
    return page
  }
}
