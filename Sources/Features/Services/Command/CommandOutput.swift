import Basics
import Formats
import Foundation
import Messages

/// Converts the output of a source's command to messages.
struct CommandOutput {
  private let source: Source
  private let position: PollPosition
  private let context: PollContext

  init(_ source: Source, _ position: PollPosition, _ context: PollContext) {
    self.source = source
    // A program sends no validators, and does not move.
    self.position = PollPosition(cursor: position.cursor)
    self.context = context
  }

  // MARK: Items

  /// Reads JSON lines, a JSON array, one native document, or a feed.
  func items(_ output: Data, _ allowance: Allowance) -> PollOutcome {
    switch Shape(of: output) {
    case .nothing: return .content(PollContent(messages: [], position: position), PollHints())
    case .lines: return lines(ofItems: output, allowance)
    case .array: return array(output, allowance)
    case .document: return document(output, allowance)
    case .feed: return feed(output, allowance)
    case .unknownJSON:
      if (try? NativeFeedReader.read(output)) != nil { return document(output, allowance) }
      let feed = feed(output, allowance)
      if case .content = feed { return feed }
      return lines(ofItems: output, Allowance(documentBytes: output.count))
    }
  }

  /// Reads items of a native feed, one JSON object per line.
  private func lines(ofItems output: Data, _ allowance: Allowance) -> PollOutcome {
    do throws(JSONFailure) {
      let page = try NativeLinesReader.read(output, allowance: allowance)
      return NativeFeedAdapter.outcome(
        of: page, Self.fetched(output), after: position, isFile: false, allowance, items
      ).ofCommand
    } catch {
      return .failed(.malformed(line: error.line, reason: "\(error.reason)"), PollHints())
    }
  }

  /// Reads one JSON array of items, on one line or on several.
  private func array(_ output: Data, _ allowance: Allowance) -> PollOutcome {
    do throws(JSONFailure) {
      let page = try NativeLinesReader.read(array: output, allowance: allowance)
      return NativeFeedAdapter.outcome(
        of: page, Self.fetched(output), after: position, isFile: false, allowance, items
      ).ofCommand
    } catch {
      return .failed(.malformed(line: error.line, reason: "\(error.reason)"), PollHints())
    }
  }

  /// Reads a page of a native feed.
  private func document(_ output: Data, _ allowance: Allowance) -> PollOutcome {
    NativeFeedAdapter.outcome(Self.fetched(output), after: position, isFile: false, allowance, items)
      .ofCommand
  }

  private var items: NativeMessages { NativeMessages(context: context, typeNames: source.typeNames) }

  /// Reads a feed. The id of its newest entry becomes the cursor that the program gets next time.
  private func feed(_ output: Data, _ allowance: Allowance) -> PollOutcome {
    switch WebFeedAdapter.outcome(Self.fetched(output), allowance) {
    case .content(var content, let hints):
      content.position = position
      if let newest = content.messages.last { content.position.cursor = Cursor(newest.remoteID.text) }
      return PollOutcome.content(content, hints).ofCommand
    case .failed(.notAFeed(found: "plain text", _), let hints):
      let reason = "neither JSON nor a feed; with format = \"lines\" each line is a message"
      return .failed(.malformed(line: 1, reason: reason), hints)
    case let outcome: return outcome
    }
  }

  /// Returns the output in the form of a fetched document, without anything that only a response has, such as
  /// a media type.
  private static func fetched(_ output: Data) -> Fetcher.Document {
    Fetcher.Document(
      bytes: output, address: "", charset: nil, mediaType: nil, validators: Validators(), hints: PollHints(),
      movedTo: nil, movedCount: 0)
  }

  // MARK: Lines

  /// Reads each line as a message. The message's id is a digest of the line, so a repeated line isn't a new message.
  func lines(_ output: Data, _ allowance: Allowance) -> PollOutcome {
    var content = PollContent(messages: [], position: position)
    // Strings that look the same can differ in their bytes, and so in their digests.
    var seen: Set<[UInt8]> = []
    for line in ByteLines(output) {
      let text = TerminalText.withoutEscapes(String(decoding: line.bytes, as: UTF8.self))
      guard !text.allSatisfy(\.isWhitespace), seen.insert(Array(text.utf8)).inserted else { continue }
      let id = RemoteID("sha256:" + SHA256.digest(text).hex)
      guard allowance.spend(Limits.itemBytes + 2 * text.utf8.count) else {
        content.problems.append(FormatProblem(at: "\(line.number)", message: allowance.sentence))
        break
      }
      var message = IncomingMessage(
        remoteID: id, kind: .command, title: text.trimmingCharacters(in: .whitespaces))
      if text.utf8.count > Limits.titleBytes { message.body = text }
      message.keepWithinLimits()
      content.messages.append(message)
    }
    if let newest = content.messages.last { content.position.cursor = Cursor(newest.remoteID.text) }
    return .content(content, PollHints())
  }

  // MARK: Monitoring plugins

  /// Returns the result of a monitoring plugin: one message for the current state. While the state lasts, the message
  /// stays the same; when the state returns, the message becomes unread again.
  func state(_ state: PluginState, _ text: PluginText) -> PollOutcome {
    let last = position.cursor.flatMap { PluginStay($0.text) }
    let isSame = last?.state == state
    let stay = PluginStay(state: state, since: isSame ? last?.since ?? context.now : context.now)
    let command = (source.options.command ?? []).joined(separator: "\0")
    var message = IncomingMessage(
      remoteID: RemoteID("\(SHA256.digest(command).prefix(8).hex):\(state.rawValue)"), kind: .command,
      title: text.title.isEmpty ? state.rawValue : text.title, body: text.body)
    message.priority = state.priority
    message.tags = [state.rawValue.lowercased()]
    message.published = stay.since
    var extras = MessageExtras()
    extras.occasion = stay.text
    message.extras = extras
    message.keepWithinLimits()
    var content = PollContent(messages: [message], position: PollPosition(cursor: Cursor(stay.text)))
    var upstream = UpstreamState()
    upstream.open = state == .ok ? [] : [message.remoteID]
    upstream.absence = .resolved
    content.upstream = upstream
    return .content(content, PollHints())
  }
}

extension CommandOutput {
  /// The format of the bytes, detected from their beginning.
  private enum Shape {
    /// Only white space.
    case nothing
    /// Items, one per line; or a page of a native feed.
    case lines, document
    /// A JSON array: on one line, if it is the only line, or on several lines.
    case array
    /// A feed, recognised by its markup, or anything other than JSON.
    case feed
    /// JSON whose first line isn't a complete value.
    case unknownJSON

    /// Detects the format.
    init(of bytes: Data) {
      var lines = ByteLines(bytes)
      guard let first = lines.next() else {
        self = .nothing
        return
      }
      guard let byte = first.bytes.first(where: { $0 > 0x20 }), [0x5B, 0x7B].contains(byte) else {
        self = .feed
        return
      }
      guard let value = try? JSONReader.parse(first.bytes) else {
        self = byte == 0x5B ? .array : .unknownJSON
        return
      }
      // If there are several arrays, each on one line, they are lines of invalid items.
      if value.elements != nil, lines.next() == nil {
        self = .array
        return
      }
      guard let object = value.object else {
        self = .lines
        return
      }
      if object["list"]?.elements != nil {
        self = .document
      } else if object["items"]?.elements != nil, object["id"] == nil {
        self = .feed
      } else {
        self = .lines
      }
    }
  }
}

extension PollOutcome {
  /// The result with the messages of a feed or native document marked as those of a command. In-app notifications and
  /// APNs payloads are unchanged.
  fileprivate var ofCommand: PollOutcome {
    guard case .content(var content, let hints) = self else { return self }
    for index in content.messages.indices {
      switch content.messages[index].kind {
      case .feed, .native: content.messages[index].kind = .command
      case .inapp, .apns, .schedule, .local, .command, .service, .calendar, .desktop: break
      }
    }
    return .content(content, hints)
  }
}
