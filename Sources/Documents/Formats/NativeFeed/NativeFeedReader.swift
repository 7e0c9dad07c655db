package import Basics
package import Foundation

/// Reads a response in the native feed format, reddot's own: `{"title", "list": […], "has_more", "last_id"}`, of which
/// only `list` is required.
///
/// Items are read one at a time, so that a large response isn't in memory twice.
package enum NativeFeedReader {

  /// Reads a response. Its invalid parts are reported as problems.
  ///
  /// - Parameter allowance: the limit on the total size of everything that is made from the document. The
  ///   caller also applies it to the messages that it makes.
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

  /// The result so far, while a document or its lines are read.
  struct Reading {
    let allowance: Allowance
    var page = NativePage()
    var hasList = false
    /// The type of `list` if it is not an array, for a message.
    var foundInstead: String?
    private var unknownKeys: Set<String> = []
    /// The number of problems beyond the limit, which are not reported.
    private var dropped = 0
    /// The number of items that are left out because of the dropped problems.
    private var leftOut = 0
    /// The greatest integer id so far.
    private var newestInteger: DecimalInteger?
    /// The last id that could be read, and whether any id was a string.
    private var last: NativeID?
    private var hasTextID = false

    init(allowance: Allowance) { self.allowance = allowance }

    /// Reads a member of the response, or an element of `list`.
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

    /// Reads a member of the response; `list` only if it is not an array.
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

      /// The beginning of an unknown key's path, which is the same for all items.
      var pattern: String {
        switch self {
        case .element: "$.list[*]"
        case .line: "$"
        }
      }
    }

    /// Reads an item and adds it to the page.
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

    /// Returns the page after everything was read.
    mutating func finished() -> NativePage {
      // If one id is a string, the order of the list decides.
      page.newestID = hasTextID ? last : newestInteger.map(NativeID.integer)
      if dropped > 0 {
        page.problems.append(FormatProblem(at: "", message: "and \(dropped) more problems", leftOut: leftOut))
      }
      return page
    }

    /// Records the path of an unknown key, unless it was already recorded.
    private mutating func unknown(_ prefix: String, _ key: String) {
      guard unknownKeys.count < Limits.ignoredKeysPerSource else { return }
      let path = JSONPath.key(key, under: prefix)
      if unknownKeys.insert(path).inserted { page.unknownKeys.append(path) }
    }

    /// Reports a value of a wrong type, unless it is null.
    private mutating func mismatch(_ path: String, _ expected: String, _ value: JSONValue) {
      if !value.isNull { report(path, "must be \(expected), not \(value.kindInWords)") }
    }

    /// Reports a problem of an item.
    ///
    /// - Parameter path: the path of the value in the item.
    private mutating func report(_ place: Place, _ path: String, _ message: String, leftOut: Int) {
      switch place {
      case .element(let index): report("$.list[\(index)]\(path)", message, leftOut: leftOut)
      case .line(let line):
        report("\(line)", path.isEmpty ? message : "\(path.dropFirst()) \(message)", leftOut: leftOut)
      }
    }

    /// Reports a problem, or only counts it if there are too many.
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
