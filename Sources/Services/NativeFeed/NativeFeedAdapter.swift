import Formats
import Foundation
import Limits
import Messages

/// reddot's own incremental JSON feed.
struct NativeFeedAdapter: SourceAdapter {

  let fetcher: Fetcher

  func poll(_ source: Source, position: PollPosition, context: PollContext) async -> PollOutcome {
    var progress = Progress(
      position: position, items: NativeMessages(context: context, typeNames: source.typeNames))
    for number in 1...Limits.nativePages {
      if Task.isCancelled { return .failed(.cancelled, PollHints()) }
      guard let address = Self.address(position.permanentAddress ?? source.address, since: progress.cursor)
      else {
        return .failed(.invalidAddress(source.address), PollHints())
      }
      // A validator is valid for the address that it came from: only the first page can be "not modified".
      var asked = position
      if number > 1 { asked.validators = Validators() }
      switch await fetcher.fetch(
        source, address: address, position: asked, accept: "application/json", context: context,
        origin: Self.origin)
      {
      case .notModified(let position, let hints): return .notModified(position, hints)
      case .failed(let failure, let hints): return .failed(failure, hints)
      case .document(let document):
        let allowance = Allowance(documentBytes: document.bytes.count)
        let isFile = Self.isFile(address)
        if number == 1, context.takesStreams,
          let stream = NativeFeedStream(document, after: progress, isFile: isFile, allowance)
        {
          return .content(stream.content, document.hints)
        }
        // Parsing a large page takes so long that the deadline may pass meanwhile.
        let step = await withTaskCancellationHandler {
          progress.take(document, number: number, isFile: isFile, allowance)
        } onCancel: {
          allowance.cancel()
        }
        if allowance.isCancelled { return .failed(.cancelled, document.hints) }
        switch step {
        case .more: continue
        case .done: return .content(progress.content, document.hints)
        case .startOver:
          progress.startOver()
        case .failed(let failure): return .failed(failure, document.hints)
        }
      }
    }
    // More pages than one poll may fetch: the next poll fetches the rest.
    return .content(progress.content, progress.hints)
  }

  /// The address with `since_id` and `limit`; other query items are kept unchanged.
  static func address(_ address: String, since cursor: String?) -> String? {
    guard var components = URLComponents(string: address) else { return nil }
    if isFile(address) { return address }
    var items = (components.percentEncodedQueryItems ?? []).filter { !pagingItems.contains($0.name) }
    if let cursor {
      var allowed = CharacterSet.urlQueryAllowed
      allowed.remove(charactersIn: "&=+;#?")
      items.append(
        URLQueryItem(name: "since_id", value: cursor.addingPercentEncoding(withAllowedCharacters: allowed)))
    }
    items.append(URLQueryItem(name: "limit", value: String(Limits.nativeItemsPerPage)))
    components.percentEncodedQueryItems = items
    return components.string
  }

  private static let pagingItems: Set<String> = ["since_id", "limit"]

  /// The address without what `address(_:since:)` added. With it, a permanent redirect would differ at every poll.
  static func origin(_ address: String) -> String {
    guard var components = URLComponents(string: address), let items = components.percentEncodedQueryItems
    else { return address }
    let kept = items.filter { !pagingItems.contains($0.name) }
    components.percentEncodedQueryItems = kept.isEmpty ? nil : kept
    return components.string ?? address
  }

  private static func isFile(_ address: String) -> Bool { URL(string: address)?.isFileURL ?? false }

  /// What the pages of one poll brought so far.
  struct Progress {
    enum Step {
      case more, done, startOver
      case failed(FetchFailure)
    }

    let position: PollPosition
    var items: NativeMessages
    var cursor: String?
    var hints = PollHints()
    private var title: String?
    private var problems: [PollProblem] = []
    private var ignoredKeys: [String] = []
    private var validators = Validators()
    private var moved: (to: String?, count: Int) = (nil, 0)
    private var hasStartedOver = false
    /// False once a page was cut off.
    private var isComplete = true
    /// The cursors that this poll has used. The same one twice would be an endless loop.
    private var asked: Set<String> = []

    init(position: PollPosition, items: NativeMessages) {
      self.position = position
      self.items = items
      cursor = position.cursor?.text
    }

    mutating func take(
      _ document: Fetcher.Document, number: Int, isFile: Bool, _ allowance: Allowance
    ) -> Step {
      let page: NativePage
      do throws(NativeFeedFailure) {
        page = try NativeFeedReader.read(document.bytes, allowance: allowance)
      } catch {
        return .failed(Self.failure(error, document))
      }
      hints = document.hints
      if number == 1 { begin(document) }
      return take(page, number: number, isFile: isFile, allowance)
    }

    /// Takes over what the answer to the first request says besides its items.
    mutating func begin(_ document: Fetcher.Document) {
      hints = document.hints
      validators = document.validators
      moved = (document.movedTo, document.movedCount)
    }

    mutating func take(_ page: NativePage, number: Int, isFile: Bool, _ allowance: Allowance) -> Step {
      title = page.title ?? title
      problems += page.problems.map(PollProblem.init)
      for key in page.unknownKeys where ignoredKeys.count < Limits.ignoredKeysPerSource {
        if !ignoredKeys.contains(key) { ignoredKeys.append(key) }
      }
      if !hasStartedOver, let lastID = page.lastID, let cursor = cursor.flatMap(DecimalInteger.init),
        lastID < cursor
      {
        return .startOver
      }
      items.take(page.items, allowance: allowance)
      // The missing items may be newer or older: the next poll uses the same cursor, and ids tell which are new.
      isComplete = page.isComplete
      guard isComplete else { return .done }
      if let cursor { asked.insert(cursor) }
      if let newest = page.newestID { cursor = Self.later(cursor, newest) }
      guard page.hasMore, !isFile else { return .done }
      guard let cursor, !asked.contains(cursor) else { return .failed(.cursorStuck(page: number)) }
      return .more
    }

    /// Ids were reset on the server: fetch from the start, keep what is stored; ids and content tell what is new.
    mutating func startOver() {
      cursor = nil
      asked = []
      hasStartedOver = true
    }

    /// The greater of two integers; with strings, the new one.
    private static func later(_ old: String?, _ new: NativeID) -> String {
      guard case .integer(let number) = new, let old = old.flatMap(DecimalInteger.init) else {
        return new.text
      }
      return max(old, number).text
    }

    var content: PollContent {
      var position = PollPosition(
        cursor: cursor.map(Cursor.init), validators: validators, movedTo: moved.to,
        movedCount: moved.count)
      // The validators belong to the first page's address; when the cursor moves, the next poll's address differs.
      // After a page that was cut off, a 304 would hide the missing items.
      if !isComplete || position.cursor != self.position.cursor { position.validators = Validators() }
      var content = PollContent(
        messages: items.messages, title: title, position: position, problems: problems + items.problems)
      content.ignoredKeys = ignoredKeys
      content.features = items.features
      content.badge = items.badge
      content.wantsRefresh = items.wantsRefresh
      content.hasNewIDs = hasStartedOver
      return content
    }

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
}
