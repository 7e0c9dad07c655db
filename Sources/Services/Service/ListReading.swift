import Formats
import Foundation
import Limits
import Messages

/// What the pages of a list have brought in one poll. The list has its newest element first, and may change between two
/// pages.
struct ListReading: Sendable {
  /// One element.
  struct Element {
    var message: IncomingMessage
    /// By the service's clock; the list is in its order.
    var time: Date?
    var isOpen = true
    var marks: UpstreamMarks?
  }

  private let earlier: ListCursor
  private let now: Date
  /// Whether all pages are read in any case.
  let isWhole: Bool
  private var list = ServiceMessages()
  private var seen: Set<RemoteID> = []
  private var open: Set<RemoteID> = []
  private var marks: [UpstreamState.Mark] = []
  private var newest: Date?
  private var hasReachedKnown = false
  private(set) var pages = 0
  /// How many elements there were, readable or not.
  private(set) var count = 0
  /// Whether the last page was read.
  private(set) var hasEnded = false

  init(_ cursor: ListCursor, now: Date) {
    earlier = cursor
    self.now = now
    isWhole = cursor.isWholeDue(now)
  }

  var isDone: Bool { hasEnded || hasReachedKnown && !isWhole }

  /// Takes one page.
  ///
  /// - Parameter isLast: whether the list ends with it.
  mutating func take(_ page: [JSONValue], isLast: Bool, _ read: (inout JSONFields) -> Element?) {
    pages += 1
    count += page.count
    hasEnded = isLast
    var elements: [Element] = []
    for (index, element) in page.enumerated() {
      list.take(element, at: JSONPath.index(index, under: "$")) { fields in
        // The first one is the newest: the list may have moved on since.
        guard let element = read(&fields), seen.insert(element.message.remoteID).inserted else { return nil }
        elements.append(element)
        return element.message
      }
    }
    for element in elements {
      let id = element.message.remoteID
      if element.isOpen { open.insert(id) }
      if let said = element.marks { marks.append(UpstreamState.Mark(id, said)) }
      guard let time = element.time else { continue }
      newest = max(newest ?? time, time)
      if let known = earlier.newest, known.timeIntervalSince(time) > Limits.listOverlap {
        hasReachedKnown = true
      }
    }
  }

  /// - Parameter validators: of the first page.
  func content(_ validators: Validators = Validators()) -> PollContent {
    var cursor = earlier
    var upstream = UpstreamState()
    upstream.marks = marks
    cursor.newest = newest ?? cursor.newest
    if hasEnded, isWhole {
      cursor.noteWhole(open, pages: pages, at: now, into: &upstream)
    } else {
      cursor.noteBeginning(list.messages.map(\.remoteID))
    }
    var content = PollContent(
      messages: list.messages.reversed(),
      position: PollPosition(cursor: cursor.cursor, validators: validators), problems: list.problems)
    content.upstream = upstream
    return content
  }
}
