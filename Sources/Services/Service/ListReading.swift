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
    /// The API's address of more about it, which the list does not have.
    var details: String?
  }

  /// An element whose details are still to be read.
  struct Wanted {
    var id: RemoteID
    var title: String
    var address: String
    fileprivate var occasion: String
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
  private var detailed: [RemoteID: String]
  private(set) var wanted: [Wanted] = []
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
    detailed = cursor.detailed
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
        let isDetailed = Self.note(element, detailed: detailed, &wanted)
        return isDetailed ? nil : element.message
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

  /// - Returns: whether its details were read before: without them, it would take them from the stored message.
  private static func note(
    _ element: Element, detailed: [RemoteID: String], _ wanted: inout [Wanted]
  ) -> Bool {
    guard let address = element.details else { return false }
    let message = element.message
    let occasion = message.extras?.occasion ?? ""
    if detailed[message.remoteID] == occasion { return true }
    wanted.append(
      Wanted(id: message.remoteID, title: message.title, address: address, occasion: occasion))
    return false
  }

  /// The details of an element were read: later polls need not do so.
  ///
  /// - Parameter add: adds them to its message; nil: there are none.
  mutating func finish(_ element: Wanted, _ add: ((inout IncomingMessage) -> Void)?) {
    detailed[element.id] = element.occasion
    guard let add else { return }
    list.edit { message in
      if message.remoteID == element.id { add(&message) }
      return true
    }
  }

  mutating func note(_ problem: PollProblem) { list.note(problem) }

  /// - Parameter validators: of the first page.
  func content(_ validators: Validators = Validators()) -> PollContent {
    var cursor = earlier
    var upstream = UpstreamState()
    upstream.marks = marks
    cursor.newest = newest ?? cursor.newest
    cursor.detailed = detailed
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
