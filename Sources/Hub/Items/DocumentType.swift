import Basics
import Formats
package import Foundation

/// What a document may be. Nothing that a browser would run outside of its sandbox.
package enum DocumentType: String, CaseIterable, Sendable {
  case gif = "image/gif"
  case html = "text/html"
  case jpeg = "image/jpeg"
  case json = "application/json"
  case plain = "text/plain"
  case png = "image/png"
  case webp = "image/webp"

  /// - Parameter contentType: with or without parameters.
  package init?(contentType: String) {
    let type = contentType.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    self.init(rawValue: type)
  }

  package var contentType: String {
    switch self {
    case .html, .plain: "\(rawValue); charset=utf-8"
    case .gif, .jpeg, .json, .png, .webp: rawValue
    }
  }

  /// Judges a document: texts are UTF-8, JSON is JSON, and a control file or a schedule file has no problem that its readers
  /// would meet. All problems are in the failure.
  package func judge(_ bytes: Data) throws(HubFailure) {
    switch self {
    case .gif, .jpeg, .png, .webp: return
    case .html, .plain:
      if String(validating: bytes, as: UTF8.self) == nil {
        throw HubFailure(.invalidItem, "isn't text in UTF-8", at: "body")
      }
    case .json:
      let (what, problems) = try Self.problems(bytes)
      guard let first = problems.first else { return }
      var failure = HubFailure(
        .invalidItem, "this \(what) has \(problems.count) problem\(problems.count == 1 ? "" : "s")",
        at: first.at)
      failure.problems = Array(problems.prefix(Limits.hubDocumentProblems))
      throw failure
    }
  }

  private static func problems(_ bytes: Data) throws(HubFailure) -> (what: String, [FormatProblem]) {
    let root: JSONValue
    do {
      root = try JSONReader.parse(bytes)
    } catch {
      throw HubFailure(.invalidItem, "isn't JSON: \(error)", at: "$")
    }
    if let file = try? ScheduleFile.read(bytes), file.entries.contains(where: \.isRecognizable) {
      return ("schedule file", file.problems)
    }
    let keys: Set = ["entry", "conditions", "views"]
    let isControlFile = root.object?.members.contains { banner in
      banner.value.object?.members.contains { keys.contains($0.key) } == true
    }
    if isControlFile == true, let file = try? ControlFileReader.read(bytes) {
      return ("control file", file.problems + file.banners.flatMap(\.problems))
    }
    return ("document", [])
  }
}
