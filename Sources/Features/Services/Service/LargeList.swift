import Basics
import Formats
import Foundation
import Messages

/// The list in a large response. Its elements are read one after another and converted into messages on all processors,
/// because converting HTML is half of the work.
struct LargeList<Element: Sendable>: Sendable {
  /// The elements, in the order of the document.
  private(set) var elements: [Element] = []
  /// The number of elements, including broken ones.
  private(set) var count = 0
  private(set) var problems: [FormatProblem] = []

  /// Reads the list from a JSON document.
  ///
  /// - Parameters:
  ///   - key: the key of the list in the document. Some servers write null for an empty list.
  ///   - found: a description of a document without such a list, for the error message.
  ///   - draft: returns an element as the server wrote it, or `nil` if it can't be used.
  ///   - element: converts an element of the server; it runs on all processors.
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
          // The cost is that of the draft, the element, and the stored message. If the allowance is spent, the loop
          // ends.
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
    // This problem comes first: it is the reason why the rest is missing, and a limit must not cut it off.
    if allowance.isSpent, !allowance.isCancelled {
      all.insert(FormatProblem(at: "", message: allowance.sentence), at: 0)
    }
    (self.count, self.problems) = (count, all)
  }
}

extension Data {
  /// Parses the data as one page of a list, with the memory limit (`Allowance`) for a document of its size. Ends early
  /// if the task is cancelled: a large page takes so long that the deadline may pass in the meantime.
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
