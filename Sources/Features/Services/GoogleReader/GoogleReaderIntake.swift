import Basics
import Formats
import Foundation
import HTTP
import Messages

/// Sends one request of a poll, for a page of the unread ids, a page of the starred ids, or some items, and collects
/// its result.
struct GoogleReaderIntake {
  private(set) var cursor: GoogleReaderCursor
  private(set) var problems: [FormatProblem] = []
  private(set) var upstream = UpstreamState()
  private var items: [GoogleReaderID: IncomingMessage] = [:]
  private let isFreshRSS: Bool

  init(_ cursor: GoogleReaderCursor, isFreshRSS: Bool) {
    self.cursor = cursor
    self.isFreshRSS = isFreshRSS
  }

  /// The messages of the items, oldest first.
  var messages: [IncomingMessage] { items.sorted { $0.key < $1.key }.map(\.value) }

  /// Whether the next part has something to read.
  var hasMore: Bool { cursor.unreadList != nil || cursor.starredList != nil || cursor.unread != nil }

  /// Sends the request that is due next.
  mutating func run(_ server: GoogleReaderServer, isContinued: Bool) async throws(ServiceFailure) {
    if cursor.unreadList != nil || !isContinued {
      try await readUnread(server)
    } else if cursor.starredList != nil {
      try await readStarred(server)
    } else {
      try await readItems(server)
    }
  }

  /// Reads a page of the unread ids. After the last page, decides what has to be read next.
  private mutating func readUnread(_ server: GoogleReaderServer) async throws(ServiceFailure) {
    var list = cursor.unreadList ?? GoogleReaderCursor.List()
    let query = [("s", server.stream), ("xt", GoogleReaderTag.state("read"))]
    if try await list.readPage(server, query, &problems) {
      cursor.unreadList = list
      return
    }
    cursor.unreadList = nil
    let unread = list.ids.set
    // A star that was set here is in none of the earlier lists, and another client may remove it.
    if !server.starredHere.isEmpty || cursor.areStarsDue(unread, at: server.client.context.now) {
      cursor.starredList = cursor.starredList ?? GoogleReaderCursor.List()
    }
    // An item that was read here may have become unread elsewhere since.
    for id in unread.intersection(cursor.known.set).sorted(by: >).prefix(Limits.googleReaderMarks) {
      mark(id, UpstreamMarks(isRead: false))
    }
    // Items that are no longer unread count as new if they become unread again.
    cursor.known.set.formIntersection(unread)
    list.continuation = nil
    list.end.set = []
    cursor.unread = list
    if unread == cursor.known.set { endUnread() }
  }

  /// Reads a page of the starred ids. After the last page, reports the stars that were added or removed.
  private mutating func readStarred(_ server: GoogleReaderServer) async throws(ServiceFailure) {
    var list = cursor.starredList ?? GoogleReaderCursor.List()
    let starredHere = server.starredHere
    if try await list.readPage(server, [("s", GoogleReaderTag.state("starred"))], &problems) {
      cursor.starredList = list
      return
    }
    cursor.starredList = nil
    let stars = list.ids.set
    for id in stars.sorted() { mark(id, UpstreamMarks(isStarred: true)) }
    guard list.isComplete else { return cursor.starred.set.formUnion(stars) }
    let before = cursor.starred.set.union(starredHere)
    for id in before.subtracting(stars).sorted() { mark(id, UpstreamMarks(isStarred: false)) }
    cursor.starred.set = stars
    cursor.stars = server.client.context.now.timeIntervalSince1970.rounded(.down)
    server.forgetStars(starredHere)
  }

  /// Reports the state of an item at the server, for example that it is starred.
  private mutating func mark(_ id: GoogleReaderID, _ marks: UpstreamMarks) {
    upstream.marks.append(UpstreamState.Mark(id.remoteID, marks))
  }

  /// Reads the next unread items whose messages are missing, newest first.
  private mutating func readItems(_ server: GoogleReaderServer) async throws(ServiceFailure) {
    let rest = (cursor.unread?.ids.set ?? []).subtracting(cursor.known.set).sorted(by: >)
    let batch = Array(rest.prefix(Limits.googleReaderBatch))
    if !batch.isEmpty {
      let answer = try await server.post("stream/items/contents", batch.map { ("i", String($0.number)) })
      let page = try await answer.response.body.page { (body, allowance) throws(ServiceFailure) in
        try GoogleReaderPage(body, allowance, isFreshRSS: isFreshRSS)
      }
      problems += page.problems
      let asked = Set(batch)
      for item in page.items where asked.contains(item.id) {
        items[item.id] = item.message
        // The item is in the list of unread ones, even if its categories change a moment later.
        mark(item.id, UpstreamMarks(isRead: false, isStarred: item.isStarred))
        if item.isStarred { cursor.starred.set.insert(item.id) }
      }
      // This includes items that are gone or cannot be read; otherwise, each poll would request them.
      cursor.known.set.formUnion(asked)
    }
    if rest.count <= batch.count { endUnread() }
  }

  /// Reports the unread ids once the messages of all unread items are stored: only a stored message can be marked as
  /// read later.
  private mutating func endUnread() {
    if let unread = cursor.unread, unread.isComplete { upstream.open = Set(unread.ids.set.map(\.remoteID)) }
    cursor.unread = nil
  }
}

extension GoogleReaderCursor.List {
  /// Reads the next page of the list of ids.
  ///
  /// - Returns: whether there is another page.
  mutating func readPage(
    _ server: GoogleReaderServer, _ query: [(String, String)], _ problems: inout [FormatProblem]
  ) async throws(ServiceFailure) -> Bool {
    var asked = query + [("n", String(Limits.googleReaderIDs))]
    if let continuation { asked.append(("c", continuation)) }
    let answer = try await server.get("stream/items/ids", asked)
    let page = try GoogleReaderIDPage(answer.response.body)
    if answer.isPartial {
      isComplete = false
      problems.append(ServiceAnswer.partialProblem)
    }
    // A page repeats some ids of the previous page. The list may have become shorter in the meantime; then the next
    // page would skip ids that were never read.
    if !end.set.isEmpty, end.set.isDisjoint(with: page.ids) { isComplete = false }
    isComplete = isComplete && page.problems.isEmpty
    problems += page.problems
    let before = ids.set.count
    ids.set.formUnion(page.ids)
    count += page.ids.count
    guard let next = page.continuation, !page.ids.isEmpty, ids.set.count > before else { return false }
    guard ids.set.count < Limits.googleReaderMost else {
      isComplete = false
      return false
    }
    if let offset = Int(next), offset <= count, offset > Self.overlap {
      // Miniflux uses an offset.
      continuation = String(offset - Self.overlap)
      count = offset - Self.overlap
      end.set = Set(page.ids.suffix(Self.overlap))
    } else {
      // FreshRSS names the last item.
      continuation = next
      end.set = []
    }
    return true
  }

  /// The number of ids of a page that the next page repeats.
  private static let overlap = 50
}

/// One page of a list of item ids.
struct GoogleReaderIDPage {
  private(set) var ids: [GoogleReaderID] = []
  private(set) var continuation: String?
  /// The problems of the elements without a valid id.
  private(set) var problems: [FormatProblem] = []

  /// Parses a response. Elements without an id are reported as problems.
  init(_ document: Data) throws(ServiceFailure) {
    var hasList = false
    var ids: [GoogleReaderID] = []
    var continuation: String?
    var problems = LimitedProblems(limit: Limits.storedProblems)
    do throws(JSONFailure) {
      try JSONReader.walk(document, streaming: "itemRefs") { step in
        switch step {
        case .member("itemRefs", let value): hasList = value.isNull
        case .member("continuation", let value):
          continuation = JSONFields(JSONObject([.init(key: "c", value: value)]), at: "$").value("c").flatMap(
            Self.text)
        case .member: break
        case .arrayBegins:
          hasList = true
          ids = []
        case .element(let index, let value):
          if let id = value.object?["id"].flatMap(Self.text).flatMap(GoogleReaderID.init) {
            ids.append(id)
          } else {
            let path = JSONPath.index(index, under: "$.itemRefs")
            problems.append(FormatProblem(at: path, message: "has no id of an item", leftOut: 1))
          }
        }
      }
    } catch {
      // Miniflux answers with an empty list if the path is unknown.
      if (try? JSONReader.parse(document))?.elements == nil {
        throw ServiceFailure(error, in: document)
      }
    }
    guard hasList else {
      throw ServiceFailure(
        failure: .notAFeed(found: "a response without items of a Google Reader API", alternates: []))
    }
    self.ids = ids
    self.continuation = continuation
    self.problems = problems.all
  }

  /// Returns a number as it was written, or a string that isn't empty.
  private static func text(_ value: JSONValue) -> String? {
    if case .number(let spelled) = value { return spelled }
    return value.text.flatMap { $0.isEmpty ? nil : $0 }
  }
}
