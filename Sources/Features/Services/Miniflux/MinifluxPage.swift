import Basics
import Foundation
import Messages

/// A page of entries.
struct MinifluxPage: Sendable {
  /// An entry as a message, with its id, the time of its last change and its state.
  struct Entry: Sendable {
    var id: Int
    var changed: Date?
    var marks: UpstreamMarks
    var message: IncomingMessage
  }

  private let list: LargeList<Entry>

  init(_ document: Data, _ allowance: Allowance) throws(ServiceFailure) {
    list = try LargeList(
      "entries", of: document, orElse: "JSON without entries of Miniflux", allowance, MinifluxEntry.read
    ) {
      $0.entry(allowance)
    }
  }

  /// The entries, in the order of the document.
  var entries: [Entry] { list.elements }
  /// The number of entries, including broken ones.
  var count: Int { list.count }
  var problems: [FormatProblem] { list.problems }
  var first: Entry? { entries.first }
  var last: Entry? { entries.last }
  /// The times at which the entries were changed.
  var changes: [Date] { entries.compactMap(\.changed) }
}
