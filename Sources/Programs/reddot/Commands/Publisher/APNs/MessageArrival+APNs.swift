import Basics
import Formats
import Foundation
import Messages
import Notifications
import Platform
import Polling
import Profile
import Services
import Settings
import Storage

extension MessageArrival {
  /// Pushes a payload from a file; `-` is standard input.
  func pushAPNs(
    file: String, id: String?, newID: String, strings: String?, into name: String?
  ) async throws -> PushedPayload {
    let folder = try strings.map { try StringsFolder.read($0, language: profile.language) }
    let bytes = try GivenFile.read(file)
    do {
      return try await pushAPNs(bytes, id: id, newID: newID, strings: folder, into: name)
    } catch let failure as JSONFailure {
      throw GivenFile.Failure(name: GivenFile.name(of: file), failure)
    }
  }

  /// The result of a pushed payload.
  struct PushedPayload: Sendable {
    /// The message, or `nil` if the payload shows nothing.
    var message: Message?
    /// The number that the payload set on the source; 0 removed the number.
    var badge: Int?
    var problems: [FormatProblem]

    /// Sentences for the user: the problems, and whether nothing was shown.
    var notes: [String] {
      var notes = problems.map(\.line)
      if message == nil {
        notes.append(
          badge == nil ? "the payload has nothing to show, so nothing was stored" : "only the badge was set")
      }
      return notes
    }
  }

  /// Adds a payload to a local source, as if its server had sent it.
  ///
  /// - Parameters:
  ///   - id: the id of an earlier push; `nil` for the payload's `apns-id`, or `newID` if it has none.
  ///   - strings: the app's strings, with which the text is localized immediately.
  /// - Throws: `JSONFailure` if the bytes aren't a JSON object, `UnusablePayload` if they contain no payload.
  func pushAPNs(
    _ bytes: Data, id: String?, newID: String, strings: StringsFolder? = nil, into name: String? = nil
  ) async throws -> PushedPayload {
    let document = try APNsPayload.document(bytes)
    var payload = document.payload
    guard try JSONReader.parse(bytes).object?["aps"]?.object != nil else {
      throw UnusablePayload(problem: document.problems.first)
    }
    let given = payload.extra["apns-id"].flatMap(NativeID.init)
    if given != nil { payload.extra["apns-id"] = nil }
    if let strings { payload = payload.localized(strings.catalog, language: profile.language) }
    var native = NativeMessages(
      context: PollContext(
        now: profile.environment.now(), language: profile.language, installed: profile.installed))
    native.take([.apns(.text(id ?? given?.text ?? newID), payload)])
    var pushed = PushedPayload(
      badge: payload.badge, problems: document.problems + (strings?.problems ?? []))
    if let message = native.messages.first { pushed.message = try await push(message, into: name) }
    if let badge = payload.badge { try setBadge(badge, into: name) }
    return pushed
  }

  /// JSON that isn't a payload.
  struct UnusablePayload: UserFacingError {
    var problem: FormatProblem?
    var sentence: String {
      "this is not an APNs payload: " + (problem.map { "\($0.at) \($0.message)" } ?? "aps is missing")
    }
  }
}

extension APNsPayload {
  /// Returns the payload with localized text instead of keys.
  func localized(_ strings: LocalizedStringsCatalog, language: String) -> APNsPayload {
    guard case .parts(var parts)? = alert else { return self }
    let display = display(strings: strings, language: language)
    parts.title = display.title.isEmpty ? nil : display.title
    parts.subtitle = display.subtitle.isEmpty ? nil : display.subtitle
    parts.body = display.body.isEmpty ? nil : display.body
    var payload = self
    payload.alert = .parts(parts)
    return payload
  }
}
