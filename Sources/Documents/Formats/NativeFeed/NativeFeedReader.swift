package import Basics
package import Foundation

/// Reads a response of a native feed: `{"title", "list": […], "has_more", "last_id"}`, of which only `list` is
/// required. Items are read one at a time, so that a large response isn't in memory twice.
package enum NativeFeedReader {

  /// - Parameter allowance: the document's allowance; the caller also uses it when messages are made from the items.
  package static func read(
    _ bytes: Data, allowance: Allowance? = nil
  ) throws(NativeFeedFailure) -> NativePage {
    let allowance = allowance ?? Allowance(documentBytes: bytes.count)
    var reading = Reading(allowance: allowance)
    do throws(JSONFailure) {
      try JSONReader.walk(bytes, streaming: "list", allowance: allowance) { reading.read($0) }
    } catch {
      guard reading.hasList else { throw .notJSON(error) }
      reading.page.isComplete = error.isBehindTheEnd
      // This is added even beyond the limit of problems, since it explains why the rest is missing.
      reading.page.problems.append(error.problem)
    }
    guard reading.hasList else { throw .noList(found: reading.foundInstead) }
    if allowance.isSpent, reading.page.isComplete {
      reading.page.isComplete = false
      reading.report("", allowance.sentence)
    }
    return reading.finished()
  }

  /// The result so far, of a document or of lines.
  struct Reading {
    let allowance: Allowance
    var page = NativePage()
    var hasList = false
    var foundInstead: String?
    private var unknownKeys: Set<String> = []
    private var dropped = 0
    /// The number of items that are left out because of dropped problems.
    private var leftOut = 0
    private var newestInteger: DecimalInteger?
    /// The last id that could be read, and whether any was a string.
    private var last: NativeID?
    private var hasTextID = false

    init(allowance: Allowance) { self.allowance = allowance }

    mutating func read(_ step: JSONWalkStep) {
      switch step {
      case .member(let key, let value): member(key, value)
      case .arrayBegins:
        hasList = true
        page.items = []
        newestInteger = nil
        last = nil
        hasTextID = false
      case .element(let index, let value): item(value, .element(index))
      }
    }

    private mutating func member(_ key: String, _ value: JSONValue) {
      switch key {
      case "list":
        foundInstead = value.kindInWords
        hasList = false
      case "title":
        if let title = value.text { page.title = title } else { mismatch("$.title", "a string", value) }
      case "has_more":
        if let more = value.bool {
          page.hasMore = more
        } else {
          mismatch("$.has_more", "true or false", value)
        }
      case "last_id":
        if case .integer(let id)? = NativeID(value.numeric(orText: true) ?? .null) {
          page.lastID = id
        } else {
          mismatch("$.last_id", "an integer", value)
        }
      default: unknown("$", key)
      }
    }

    /// The position of an item: an element of `list`, or a line.
    enum Place {
      case element(Int)
      case line(Int)

      /// The pattern for all items in the path of a key.
      var pattern: String {
        switch self {
        case .element: "$.list[*]"
        case .line: "$"
        }
      }
    }

    mutating func item(_ value: JSONValue, _ place: Place) {
      guard case .object(let object) = value else {
        return report(place, "", "must be an object, not \(value.kindInWords)", leftOut: 1)
      }
      guard allowance.spend(Limits.itemBytes) else { return }
      var problems: [FormatProblem] = []
      let item = NativeItemReader.read(object, problems: &problems) {
        unknown(place.pattern, $0)
      }
      if item == nil { problems = problems.leavingOut }
      for problem in problems { report(place, problem.at, problem.message, leftOut: problem.leftOut) }
      if let item { page.items.append(item) }
      guard let id = item?.id ?? NativeItemReader.anyID(object) else { return }
      last = id
      switch id {
      case .integer(let integer): newestInteger = newestInteger.map { max($0, integer) } ?? integer
      case .text: hasTextID = true
      }
    }

    mutating func finished() -> NativePage {
      // If one id is a string, the order of the list decides.
      page.newestID = hasTextID ? last : newestInteger.map(NativeID.integer)
      if dropped > 0 {
        page.problems.append(FormatProblem(at: "", message: "and \(dropped) more problems", leftOut: leftOut))
      }
      return page
    }

    private mutating func unknown(_ prefix: String, _ key: String) {
      guard unknownKeys.count < Limits.ignoredKeysPerSource else { return }
      let path = JSONPath.key(key, under: prefix)
      if unknownKeys.insert(path).inserted { page.unknownKeys.append(path) }
    }

    private mutating func mismatch(_ path: String, _ expected: String, _ value: JSONValue) {
      if !value.isNull { report(path, "must be \(expected), not \(value.kindInWords)") }
    }

    /// - Parameter path: the path in the item.
    private mutating func report(_ place: Place, _ path: String, _ message: String, leftOut: Int) {
      switch place {
      case .element(let index): report("$.list[\(index)]\(path)", message, leftOut: leftOut)
      case .line(let line):
        report("\(line)", path.isEmpty ? message : "\(path.dropFirst()) \(message)", leftOut: leftOut)
      }
    }

    mutating func report(
      _ at: @autoclosure () -> String, _ message: @autoclosure () -> String, leftOut: Int = 0
    ) {
      if page.problems.count < Limits.nativeProblems {
        page.problems.append(FormatProblem(at: at(), message: message(), leftOut: leftOut))
      } else {
        dropped += 1
        self.leftOut += leftOut
      }
    }
  }
}
