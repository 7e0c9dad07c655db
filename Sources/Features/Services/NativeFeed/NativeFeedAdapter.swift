import Basics
import Formats
import Foundation
import Messages

/// Polls a native feed: reddot's own JSON format. Each part of a poll reads one page of the items after `since_id`.
struct NativeFeedAdapter: SourceAdapter {

  let fetcher: Fetcher

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    guard
      let address = Self.address(
        position.permanentAddress ?? source.address, since: position.cursor?.text, waiting: context.wait)
    else { return .failed(.invalidAddress(source.address), PollHints()) }
    // A validator is valid only for the address that sent it, so only the first page can be "not modified".
    var asked = position
    if position.isContinued { asked.validators = Validators() }
    let answer = await fetcher.fetch(
      source, address: address, position: asked, accept: "application/json", context: context,
      origin: Self.origin)
    switch answer {
    case .notModified(let position, let hints): return .notModified(position, hints)
    case .failed(let failure, let hints): return .failed(failure, hints)
    case .document(let document):
      let allowance = Allowance(documentBytes: document.bytes.count)
      // Parsing a large page takes so long that the deadline may pass in the meantime.
      let outcome = await withTaskCancellationHandler {
        Self.outcome(
          document, after: position, isFile: Self.isFile(address), allowance,
          NativeMessages(context: context, typeNames: source.typeNames))
      } onCancel: {
        allowance.cancel()
      }
      return allowance.isCancelled ? .failed(.cancelled, document.hints) : outcome
    }
  }

  /// Returns the time for which the server can hold a request, or `nil` for a file.
  func longestWait(of source: Source) -> Duration? {
    Self.isFile(source.address) ? nil : Limits.nativeWait
  }

  /// Returns the result of a poll whose response is a document.
  ///
  /// - Parameters:
  ///   - isFile: whether the document has all items, regardless of the cursor.
  ///   - items: an empty list with the context of the poll, to which the page's items are added.
  static func outcome(
    _ document: Fetcher.Document, after position: PollPosition, isFile: Bool, _ allowance: Allowance,
    _ items: NativeMessages
  ) -> PollOutcome {
    do throws(NativeFeedFailure) {
      let page = try NativeFeedReader.read(document.bytes, allowance: allowance)
      return outcome(of: page, document, after: position, isFile: isFile, allowance, items)
    } catch {
      return .failed(Self.failure(error, document), document.hints)
    }
  }

  /// Returns the result of a poll whose response was parsed as a page.
  static func outcome(
    of page: NativePage, _ document: Fetcher.Document, after position: PollPosition, isFile: Bool,
    _ allowance: Allowance, _ items: NativeMessages
  ) -> PollOutcome {
    var hints = document.hints
    var next = PollPosition(
      cursor: position.cursor, validators: document.validators, movedTo: document.movedTo,
      movedCount: document.movedCount)
    // The redirect of one part of several says nothing about the other parts.
    if position.isContinued || page.hasMore {
      (next.movedTo, next.movedCount) = (position.movedTo, position.movedCount)
    }
    var content = PollContent(messages: [], title: page.title, problems: page.problems)
    content.ignoredKeys = page.unknownKeys
    let isReset = isReset(page, position.cursor)
    content.hasNewIDs = isReset
    if isReset, !isFile {
      // The ids were reset on the server: everything is read from the start, stored messages are kept, and ids and
      // content show which items are new.
      next.cursor = nil
      next.validators = Validators()
      content.position = next
      hints.leaveMore()
      return .content(content, hints)
    }
    var items = items
    items.take(page.items, allowance: allowance)
    content.messages = items.messages
    content.problems += items.problems
    content.features = items.features
    content.endings = items.endings
    content.badge = items.badge
    content.wantsRefresh = items.wantsRefresh
    // The missing items of a truncated page may be newer or older: the next poll uses the same cursor, and the ids show
    // which items are new.
    if page.isComplete {
      if let newest = page.newestID {
        next.cursor = Cursor(later(isReset ? nil : position.cursor?.text, newest))
      }
      if page.hasMore, !isFile {
        guard next.cursor != position.cursor else { return .failed(.cursorStuck(page: 1), document.hints) }
        hints.leaveMore()
      }
    }
    // The validators belong to the first page's address; when the cursor moves, the next poll's address differs. After
    // a truncated page, a 304 would hide the missing items.
    if !page.isComplete || next.cursor != position.cursor { next.validators = Validators() }
    content.position = next
    return .content(content, hints)
  }

  /// Whether the server has reset its ids: its last id is less than the cursor.
  private static func isReset(_ page: NativePage, _ cursor: Cursor?) -> Bool {
    guard let lastID = page.lastID, let cursor = cursor.flatMap({ DecimalInteger($0.text) }) else {
      return false
    }
    return lastID < cursor
  }

  /// Returns the greater of two ids if both are integers, otherwise the new id.
  private static func later(_ old: String?, _ new: NativeID) -> String {
    guard case .integer(let number) = new, let old = old.flatMap(DecimalInteger.init) else {
      return new.text
    }
    return max(old, number).text
  }

  /// Returns the address with `since_id`, `limit` and, in whole seconds, `wait`; other query items are kept unchanged.
  static func address(_ address: String, since cursor: String?, waiting: Duration? = nil) -> String? {
    guard var components = URLComponents(string: address) else { return nil }
    if isFile(address) { return address }
    var items = (components.percentEncodedQueryItems ?? []).filter { !pagingItems.contains($0.name) }
    if let cursor {
      items.append(URLQueryItem(name: "since_id", value: ServiceClient.encoded(cursor)))
    }
    items.append(URLQueryItem(name: "limit", value: String(Limits.nativeItemsPerPage)))
    if let waiting {
      items.append(URLQueryItem(name: "wait", value: String(waiting.components.seconds)))
    }
    components.percentEncodedQueryItems = items
    return components.string
  }

  /// The names of the query items that `address(_:since:waiting:)` sets.
  private static let pagingItems: Set<String> = ["since_id", "limit", "wait"]

  /// Returns the address without the items that `address(_:since:waiting:)` added. With them, a permanent redirect
  /// would differ at every poll.
  static func origin(_ address: String) -> String {
    guard var components = URLComponents(string: address), let items = components.percentEncodedQueryItems
    else { return address }
    let kept = items.filter { !pagingItems.contains($0.name) }
    components.percentEncodedQueryItems = kept.isEmpty ? nil : kept
    return components.string ?? address
  }

  private static func isFile(_ address: String) -> Bool { URL(string: address)?.isFileURL ?? false }

  /// Returns the failure of a poll whose document is no native feed, with a description of the document.
  private static func failure(_ failure: NativeFeedFailure, _ document: Fetcher.Document) -> FetchFailure {
    switch failure {
    case .noList(let found):
      return .notAFeed(
        found: found.map { "JSON with \($0) as its list" } ?? "JSON without a list", alternates: [])
    case .notJSON(let json):
      switch FeedReader.read(
        document.bytes, charset: document.charset, mediaType: document.mediaType, address: document.address)
      {
      case .feed: return .notAFeed(found: "a web feed; its kind is feed", alternates: [])
      case .page(_, let alternates):
        return .notAFeed(found: "a web page", alternates: alternates.map(\.url))
      case .notAFeed(let found):
        let first = document.bytes.first { $0 > 32 }
        guard first == UInt8(ascii: "{") else { return .notAFeed(found: found, alternates: []) }
        return .malformed(line: json.line, reason: "\(json.reason)")
      }
    }
  }
}
