import Basics
import Formats
import Foundation
import Messages

/// The list of a large answer: its elements are read one after another, and made into messages on all processors, since
/// converting HTML is half of the work.
struct LargeList<Element: Sendable>: Sendable {
  /// In the order of the document.
  private(set) var elements: [Element] = []
  /// How many there were, broken ones too.
  private(set) var count = 0
  private(set) var problems: [FormatProblem] = []

  /// - Parameters:
  ///   - key: of the list in the document. Some servers write null for an empty one.
  ///   - found: what a document without such a list is, in words.
  ///   - draft: an element as the server wrote it; nil where it can't be used.
  init<Draft: Sendable>(
    _ key: String, of document: Data, orElse found: String, _ allowance: Allowance,
    _ draft: (_ value: JSONValue, _ path: String) -> (Draft?, [FormatProblem]),
    _ element: @escaping @Sendable (Draft) -> Element
  ) throws(ServiceFailure) {
    var read: [Draft] = []
    var problems = LimitedProblems(limit: Limits.storedProblems)
    var count = 0
    var hasList = false
    do throws(JSONFailure) {
      try JSONReader.walk(document, streaming: key, allowance: allowance) { step in
        switch step {
        case .member(let name, let value): if name == key, value.isNull { hasList = true }
        case .arrayBegins:
          read = []
          count = 0
          hasList = true
        case .element(let index, let value):
          count += 1
          // The draft, the element, and the message that is stored; where nothing is left, the walk ends.
          allowance.spend(3 * Limits.itemBytes)
          let (draft, found) = draft(value, JSONPath.index(index, under: "$.\(key)"))
          if let draft { read.append(draft) }
          (draft == nil ? found.leavingOut : found).forEach { problems.append($0) }
        }
      }
    } catch {
      throw ServiceFailure(error, in: document)
    }
    guard hasList else { throw ServiceFailure(failure: .notAFeed(found: found, alternates: [])) }
    let drafts = read
    let parts = Parallel.map(count: drafts.count, inPartsOf: 64, unless: { allowance.isSpent }) {
      element(drafts[$0])
    }
    for part in parts { elements += part }
    var all = problems.all
    // In front: it is the reason for which the rest is missing, and must not be cut off by a limit.
    if allowance.isSpent, !allowance.isCancelled {
      all.insert(FormatProblem(at: "", message: allowance.sentence), at: 0)
    }
    (self.count, self.problems) = (count, all)
  }
}

extension Data {
  /// Reads a page with its allowance. Ends early where the task is cancelled: a large page takes so long that the deadline may
  /// pass meanwhile.
  func page<Page>(
    _ read: (Data, Allowance) throws(ServiceFailure) -> Page
  ) async throws(ServiceFailure) -> Page {
    let allowance = Allowance(documentBytes: count)
    let result = await withTaskCancellationHandler {
      Result { () throws(ServiceFailure) in try read(self, allowance) }
    } onCancel: {
      allowance.cancel()
    }
    if allowance.isCancelled { throw ServiceFailure(failure: .cancelled) }
    return try result.get()
  }
}
