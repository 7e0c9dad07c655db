import Formats
import Foundation
import Limits
import Messages
import Transport

/// The requests of one poll, and what they brought.
struct GoogleReaderIntake {
  private(set) var cursor: GoogleReaderCursor
  private(set) var problems: [PollProblem] = []
  private(set) var upstream = UpstreamState()
  /// Items are still to come.
  private(set) var hasMore = false
  private var items: [GoogleReaderID: IncomingMessage] = [:]
  private let isFreshRSS: Bool

  init(_ cursor: Cursor?, isFreshRSS: Bool) {
    self.cursor = GoogleReaderCursor(cursor)
    self.isFreshRSS = isFreshRSS
  }

  /// Oldest first.
  var messages: [IncomingMessage] { items.sorted { $0.key < $1.key }.map(\.value) }

  mutating func run(_ server: GoogleReaderServer) async throws(ServiceFailure) {
    let starredHere = server.starredHere
    let unread = try await Self.ids(
      server, [("s", server.stream), ("xt", GoogleReaderTag.state("read"))])
    var starred: (ids: Set<GoogleReaderID>, isComplete: Bool)?
    // A star of our own is in none of the lists before, and another client may take it off.
    if !starredHere.isEmpty || cursor.areStarsDue(unread.ids, at: server.client.context.now) {
      starred = try await Self.ids(server, [("s", GoogleReaderTag.state("starred"))])
    }
    try await readItems(unread.ids.subtracting(cursor.known), server)
    let stars = starred.flatMap { $0.isComplete ? $0.ids : nil }
    // One that was read here may have been made unread elsewhere since.
    for id in unread.ids.intersection(cursor.known).sorted(by: >).prefix(Limits.backlogEntries)
    where items[id] == nil {
      mark(id, UpstreamMarks(isRead: false, isStarred: stars?.contains(id)))
    }
    // Those that are not unread any more are new again if they become it.
    cursor.known.formIntersection(unread.ids)
    if unread.isComplete { upstream.open = Set(unread.ids.map(\.remoteID)) }
    guard let starred else { return }
    for id in starred.ids.sorted() { mark(id, UpstreamMarks(isStarred: true)) }
    guard let stars else { return cursor.starred.formUnion(starred.ids) }
    let before = cursor.starred.union(starredHere)
    for id in before.subtracting(stars).sorted() { mark(id, UpstreamMarks(isStarred: false)) }
    cursor.starred = stars
    cursor.starsAt = server.client.context.now
    server.forgetStars(starredHere)
  }

  private mutating func mark(_ id: GoogleReaderID, _ marks: UpstreamMarks) {
    upstream.marks.append(UpstreamState.Mark(id.remoteID, marks))
  }

  /// The newest first: those come in this poll if there are too many.
  private mutating func readItems(
    _ unknown: Set<GoogleReaderID>, _ server: GoogleReaderServer
  ) async throws(ServiceFailure) {
    var rest = unknown.sorted(by: >)[...]
    var bytesLeft = Limits.responseBytes
    var left = Limits.googleReaderItems
    while !rest.isEmpty, left > 0, bytesLeft > 0 {
      let batch = Array(rest.prefix(Limits.googleReaderBatch))
      rest = rest.dropFirst(batch.count)
      left -= batch.count
      let answer = try await server.post("stream/items/contents", batch.map { ("i", String($0.number)) })
      let page = try await GoogleReaderPage.read(answer.response.body, isFreshRSS: isFreshRSS)
      bytesLeft -= answer.response.body.count
      problems += page.problems.prefix(max(0, Limits.storedProblems - problems.count))
      let asked = Set(batch)
      for item in page.items where asked.contains(item.id) {
        items[item.id] = item.message
        // It is in the list of unread ones, whatever its categories say a moment later.
        mark(item.id, UpstreamMarks(isRead: false, isStarred: item.isStarred))
      }
      // Also those that are gone or cannot be read: they would be asked for in each poll.
      cursor.known.formUnion(asked)
    }
    hasMore = !rest.isEmpty
  }

  /// All ids of a stream, and whether these are really all.
  private static func ids(
    _ server: GoogleReaderServer, _ query: [(String, String)]
  ) async throws(ServiceFailure) -> (ids: Set<GoogleReaderID>, isComplete: Bool) {
    var ids: Set<GoogleReaderID> = []
    var count = 0
    var end: Set<GoogleReaderID> = []
    var isComplete = true
    var continuation: String?
    for _ in 0..<Limits.servicePages {
      var asked = query + [("n", String(Limits.googleReaderIDs))]
      if let continuation { asked.append(("c", continuation)) }
      let page = try GoogleReaderIDPage(try await server.get("stream/items/ids", asked).response.body)
      // A page begins with some ids of the one before it: the list may have become shorter meanwhile, and the next page
      // would then begin behind ids that nobody has seen.
      if !end.isEmpty, end.isDisjoint(with: page.ids) { isComplete = false }
      isComplete = isComplete && !page.isDamaged
      let before = ids.count
      ids.formUnion(page.ids)
      count += page.ids.count
      guard let next = page.continuation, !page.ids.isEmpty, ids.count > before else {
        return (ids, isComplete)
      }
      if let offset = Int(next), offset <= count, offset > overlap {
        // Miniflux counts.
        continuation = String(offset - overlap)
        count = offset - overlap
        end = Set(page.ids.suffix(overlap))
      } else {
        // FreshRSS names the last one.
        continuation = next
        end = []
      }
    }
    return (ids, false)
  }

  /// Ids of a page that are asked for again with the next one.
  private static let overlap = 50
}

/// One page of ids.
struct GoogleReaderIDPage {
  private(set) var ids: [GoogleReaderID] = []
  private(set) var continuation: String?
  /// Some of it are no ids.
  private(set) var isDamaged = false

  init(_ document: Data) throws(ServiceFailure) {
    var hasList = false
    var ids: [GoogleReaderID] = []
    var continuation: String?
    var isDamaged = false
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
        case .element(_, let value):
          if let id = value.object?["id"].flatMap(Self.text).flatMap(GoogleReaderID.init) {
            ids.append(id)
          } else {
            isDamaged = true
          }
        case .badElement: isDamaged = true
        }
      }
    } catch {
      // An empty list is what Miniflux answers to an unknown path.
      if (try? JSONReader.parse(document))?.elements == nil {
        throw ServiceFailure(failure: .malformed(line: error.line, reason: "\(error.reason)"))
      }
    }
    guard hasList else {
      throw ServiceFailure(
        failure: .notAFeed(found: "an answer without items of a Google Reader API", alternates: []))
    }
    self.ids = ids
    self.continuation = continuation
    self.isDamaged = isDamaged
  }

  private static func text(_ value: JSONValue) -> String? {
    if case .number(let spelled) = value { return spelled }
    return value.text.flatMap { $0.isEmpty ? nil : $0 }
  }
}
