import ArgumentParser
import Basics
import Formats
import Foundation
import Hub
import Platform

/// `reddot-hub publish`, which publishes into the store of this machine.
struct PublishCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish", abstract: "Publish an item, or one for each line of a file.")

  @OptionGroup var settings: SettingsOption
  @Argument var feed: FeedName
  @Argument(help: "The item's title.") var title: String?
  @Option(help: "The item's text; - reads it from standard input.") var body: String?
  @Option(help: "Name of the item: the same name again changes it.") var key: String?
  @Option(help: "1 to 5.") var priority: Int?
  @Option(help: "When the item ends: a time, or a span, for example 2h.") var expires: String?
  @Option(help: "When the item appears: a time, or a span, for example 2h.") var at: String?
  @Option(help: "A file with one JSON object per line, each an item; - is standard input.") var jsonl: String?

  func validate() throws {
    let (hasTitle, hasLines): (Bool, Bool) = (title != nil, jsonl != nil)
    guard hasTitle != hasLines else {
      throw ValidationError("give a title, or --jsonl with a file, not both")
    }
    let others: [String?] = [body, key, priority.map { String($0) }, expires, at]
    if jsonl != nil, !others.allSatisfy({ $0 == nil }) {
      throw ValidationError(
        "--jsonl cannot be combined with other options, since its lines contain the whole items")
    }
  }

  func run() async throws {
    guard ProcessInfo.processInfo.environment["REDDOT_HUB"] == nil else {
      throw HubProgram.Failed(
        sentence:
          "publishing to the hub in REDDOT_HUB is not supported; use reddot push --hub or curl, or unset it on the hub's machine"
      )
    }
    let hub = try settings.open().store.hub()
    let now = hub.now()
    let publications = try publications(PublicationReader(now: now))
    for start in stride(from: 0, to: publications.count, by: Limits.hubRequestItems) {
      let end = min(start + Limits.hubRequestItems, publications.count)
      let order = PublishOrder(feed: feed, publications: Array(publications[start..<end]))
      for result in try await publish(order, hub, now).results { print(Self.line(result)) }
    }
  }

  private func publish(_ order: PublishOrder, _ hub: any HubStoring, _ now: Date) async throws
    -> PublishAnswer
  {
    do {
      return try await hub.publish(order, now: now)
    } catch {
      guard error.code == .notFound else { throw error }
      throw HubStoreFailure(
        .refused, "\(feed) is not a feed of this hub; run reddot-hub feed add to create it")
    }
  }

  private static func line(_ result: PublishResult) -> String {
    if let due = result.due { return "scheduled \(ISOInstant.text(due))" }
    let state = result.state.rawValue
    if let id = result.id { return "\(id) \(state)" }
    return state
  }

  private func publications(_ reader: PublicationReader) throws -> [Publication] {
    if let jsonl { return try lines(of: jsonl, reader) }
    var object = JSONObject([.init(key: "title", value: .string(title ?? ""))])
    if let body {
      let text: String = body == "-" ? try Self.text(of: "-", limit: Limits.hubItemBytes) : body
      object["body"] = .string(text)
    }
    object["key"] = key.map { .string($0) }
    object["priority"] = priority.map { .integer($0) }
    object["expires"] = expires.map { .string($0) }
    object["not_before"] = at.map { .string($0) }
    return try reader.json(Data(JSONValue.object(object).serialized().utf8)).publications
  }

  /// Returns the items in the lines of a file. All lines are read before any item is published.
  private func lines(of file: String, _ reader: PublicationReader) throws -> [Publication] {
    let text: String = try Self.text(of: file, limit: Limits.hubQueueBytes)
    var publications: [Publication] = []
    var number = 0
    for line in text.exactLines {
      number += 1
      let words: String = line.trimmingCharacters(in: .whitespacesAndNewlines)
      if words.isEmpty { continue }
      do {
        publications.append(contentsOf: try Self.item(words, reader))
      } catch {
        let place: String = file == "-" ? "standard input" : file
        throw HubProgram.Failed(sentence: "\(place):\(number): \(error.at ?? "$"): \(error.message)")
      }
    }
    return publications
  }

  private static func item(_ line: String, _ reader: PublicationReader) throws(HubFailure) -> [Publication] {
    let reading = try reader.json(Data(line.utf8))
    guard !reading.isList else { throw HubFailure(.invalidItem, "must be one object", at: "$") }
    return reading.publications
  }

  /// Returns the text of a file.
  ///
  /// - Parameter file: a path, or `-` for standard input.
  private static func text(of file: String, limit: Int) throws -> String {
    let bytes = try GivenFile.read(file, limit: limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw HubProgram.Failed(sentence: "\(GivenFile.name(of: file)) is not text in UTF-8")
    }
    return text
  }
}
