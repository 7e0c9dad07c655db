import Basics
import Formats
package import Foundation

/// The allowed media types of documents. They are sent with `Content-Security-Policy: sandbox`, so that a browser runs
/// nothing in them with the rights of the hub's site.
package enum DocumentType: String, CaseIterable, Sendable {
  case gif = "image/gif"
  case html = "text/html"
  case jpeg = "image/jpeg"
  case json = "application/json"
  case plain = "text/plain"
  case png = "image/png"
  case webp = "image/webp"

  /// - Parameter contentType: a type with or without parameters.
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

  /// Checks a document: text must be UTF-8, JSON must be valid, and a control file or a schedule file must have no
  /// problem for its readers. The failure contains all problems.
  package func judge(_ bytes: Data) throws(HubFailure) {
    switch self {
    case .gif, .jpeg, .png, .webp: return
    case .html, .plain:
      if String(validating: bytes, as: UTF8.self) == nil {
        throw HubFailure(.invalidItem, "is not text in UTF-8", at: "body")
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

  /// Returns the kind of a JSON document, for an error message, and its problems.
  private static func problems(_ bytes: Data) throws(HubFailure) -> (what: String, [FormatProblem]) {
    let root: JSONValue
    do {
      root = try JSONReader.parse(bytes)
    } catch {
      throw HubFailure(.invalidItem, "is not JSON: \(error)", at: "$")
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
