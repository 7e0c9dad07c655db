import Basics
import Formats
import Messages

/// The notes, web page and author of a release, which its notification does not contain
/// (docs.github.com/rest/releases/releases).
struct GitHubRelease {
  private let notes: String
  private let page: String?
  private let author: String?

  /// Reads a release, or returns `nil` if the JSON isn't one.
  init?(_ json: JSONValue) {
    guard let object = json.object, object["body"] != nil || object["html_url"] != nil else { return nil }
    notes = object["body"]?.text ?? ""
    page = ServiceText.address(object["html_url"]?.text).flatMap {
      $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil
    }
    author = object["author"]?.object?["login"]?.text.map(ServiceText.oneLine)
  }

  /// Adds the release's web page, author and notes to its message.
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
  /// Reads the notes of new or changed releases, up to a limit; later polls read the notes of the others.
  ///
  /// If a request fails, the messages are returned without notes. A release whose notes were read before is not
  /// returned again, since the notes of the stored message would be lost.
  static func addDetails(
    to elements: [ListElement], _ part: inout ServicePart<ListCursor>, _ client: ServiceClient
  ) async -> [IncomingMessage] {
    var messages: [IncomingMessage] = []
    var left = Limits.releaseNotes
    for element in elements {
      guard let address = element.details else {
        messages.append(element.message)
        continue
      }
      let (id, occasion) = (element.message.remoteID, element.message.extras?.occasion ?? "")
      if part.cursor[detailsOf: id] == occasion { continue }
      var message = element.message
      if left > 0, !Task.isCancelled {
        left -= 1
        if await addNotes(to: &message, from: address, &part, client) {
          part.cursor[detailsOf: id] = occasion
        } else {
          // The others are not requested now.
          left = 0
        }
      }
      messages.append(message)
    }
    return messages
  }

  /// Requests the notes of a release, and adds them to its message.
  ///
  /// - Returns: `false` if the request failed, but may succeed in a later poll.
  private static func addNotes(
    to message: inout IncomingMessage, from address: String, _ part: inout ServicePart<ListCursor>,
    _ client: ServiceClient
  ) async -> Bool {
    guard client.isOwn(address) else { return true }
    do throws(ServiceFailure) {
      let answer = try await client.get(address, headers: headers, accept: accept)
      guard let found = GitHubRelease(try answer.json()) else {
        throw ServiceFailure(malformed: "no release")
      }
      found.add(to: &message)
      message.keepWithinLimits()
      return true
    } catch {
      part.problems.append(
        FormatProblem(
          at: "", message: "the notes of \"\(message.title)\" could not be fetched: \(why(error))"))
      // The request is repeated if that may help.
      return !error.mayPass
    }
  }

  /// Returns the reason for a failed request, as a clause.
  private static func why(_ failure: ServiceFailure) -> String {
    if let status = failure.status { return "status \(status)" }
    if case .malformed = failure.failure { return "the response is not a release" }
    return "no answer"
  }
}
