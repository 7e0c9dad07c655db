import Formats
import Foundation
import Limits
import Messages

/// What GitHub has of a release besides its thread (docs.github.com/rest/releases/releases).
struct GitHubRelease {
  private let notes: String
  private let page: String?
  private let author: String?

  /// nil: it is no release.
  init?(_ json: JSONValue) {
    guard let object = json.object, object["body"] != nil || object["html_url"] != nil else { return nil }
    notes = object["body"]?.text ?? ""
    page = ServiceText.address(object["html_url"]?.text).flatMap {
      $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil
    }
    author = object["author"]?.object?["login"]?.text.map(ServiceText.oneLine)
  }

  func add(to message: inout IncomingMessage) {
    if let page { message.url = page }
    message.author = author ?? message.author
    guard notes.contains(where: { !$0.isWhitespace }) else { return }
    message.body += message.body.isEmpty ? notes : "\n\n" + notes
    var extras = message.extras ?? MessageExtras()
    extras.format = .markdown
    message.extras = extras
  }
}

extension GitHubAdapter {
  /// Reads the notes of releases that are new or have changed, some at most; later polls read the others.
  ///
  /// A failure costs the notes only: the messages come without them.
  func readNotes(
    _ reading: inout ListReading, _ client: ServiceClient, _ hints: inout PollHints
  ) async {
    for release in reading.wanted.prefix(Limits.releaseNotes) {
      if Task.isCancelled { return }
      guard client.isOwn(release.address) else {
        reading.finish(release, nil)
        continue
      }
      do throws(ServiceFailure) {
        let answer = try await client.get(
          release.address, headers: Self.headers, accept: "application/vnd.github+json")
        hints = GitHubLimits.hints(answer.response, client.context, earlier: hints)
        guard let found = GitHubRelease(try answer.json()) else {
          throw ServiceFailure(failure: .malformed(line: nil, reason: "no release"))
        }
        reading.finish(release) { found.add(to: &$0) }
      } catch {
        reading.note(
          PollProblem(at: "", message: "the notes of \"\(release.title)\" did not come: \(Self.why(error))"))
        // The same is asked for again where that may help; the others are not asked for now.
        if error.mayPass { return }
        reading.finish(release, nil)
      }
    }
  }

  private static func why(_ failure: ServiceFailure) -> String {
    if let status = failure.status { return "status \(status)" }
    if case .malformed = failure.failure { return "the answer is no release" }
    return "no answer"
  }
}
