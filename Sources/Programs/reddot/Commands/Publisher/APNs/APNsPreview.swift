import Basics
import Formats
import Foundation
import Messages
import Platform
import Polling
import Profile
import Settings
import Words

/// A preview of a payload on a phone, for its developer.
struct APNsPreview: Sendable {
  var payload: APNsPayload
  var display: APNsDisplay
  var language: String
  /// The size of the payload's JSON, in bytes.
  var size: Int
  /// The actions of the category in the settings, or `nil` if the settings do not have it.
  var actions: [MessageAction]?
  var problems: [FormatProblem]

  /// - Parameters:
  ///   - strings: the app's strings, or `nil` if none are given.
  ///   - categories: the settings' actions by category.
  /// - Throws: if the bytes aren't a JSON object.
  init(
    _ bytes: Data, strings: StringsFolder?, language: String, categories: [String: [MessageAction]]
  ) throws(JSONFailure) {
    let document = try APNsPayload.document(bytes)
    payload = document.payload
    size = document.size
    self.language = language
    display = payload.display(strings: strings?.catalog ?? LocalizedStringsCatalog(), language: language)
    actions = payload.category.flatMap { categories[$0] }
    problems = document.problems + (strings?.problems ?? [])
    for (name, key) in Self.keysInUse(payload) where strings?.holds(key) != true {
      let message =
        strings == nil
        ? "needs strings (--strings DIR); the key itself is shown"
        : "\"\(key)\" is in no strings for \(language); the key itself is shown"
      problems.append(FormatProblem(at: "$.aps.alert.\(name)", message: message))
    }
  }

  /// Reads the file of a command; `-` is standard input.
  ///
  /// - Parameter language: the language, or `nil` for the settings' or, without one, the locale's.
  static func given(
    _ path: String, strings: String?, language: String?, config: String?, environment: Environment
  ) throws -> APNsPreview {
    let settings = try SettingsFile(
      path: config ?? environment.directories.settingsFile, home: environment.home
    ).load()
    let language = language ?? settings.language ?? environment.language ?? "en"
    let folder = try strings.map { try StringsFolder.read($0, language: language) }
    let bytes = try GivenFile.read(path)
    do throws(JSONFailure) {
      return try APNsPreview(bytes, strings: folder, language: language, categories: settings.categories)
    } catch {
      throw GivenFile.Failure(name: GivenFile.name(of: path), error)
    }
  }

  /// Returns the keys of the app's strings that an alert uses, each with the name of its field.
  private static func keysInUse(_ payload: APNsPayload) -> [(name: String, key: String)] {
    guard case .parts(let parts)? = payload.alert else { return [] }
    let keys = [
      ("title-loc-key", parts.title == nil ? parts.titleLocKey?.value : nil),
      ("subtitle-loc-key", parts.subtitle == nil ? parts.subtitleLocKey : nil),
      ("loc-key", parts.body == nil ? parts.locKey : nil), ("action-loc-key", parts.actionLocKey?.value),
    ]
    return keys.compactMap { name, key in key.map { (name, $0) } }
  }

  /// Whether the phone would show nothing.
  var isSilent: Bool {
    payload.isSilent || display.isEmpty && payload.badge == nil && payload.sound == nil
  }

  // MARK: As text

  var lines: [String] {
    var lines: [String] = []
    func say(_ name: String, _ text: String?) {
      guard let text else { return }
      let parts = SafeOutput.lines(text).split(onBytes: "\n", omittingEmptySubsequences: false)
      for (index, part) in parts.enumerated() {
        let label = index == 0 ? "\(name):" : ""
        lines.append(label + String(repeating: " ", count: 11 - label.count) + part)
      }
    }
    func unlessEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
    say("title", unlessEmpty(display.title))
    say("subtitle", unlessEmpty(display.subtitle))
    say("body", unlessEmpty(display.body))
    say("button", display.actionLabel)
    say("badge", payload.badge.map { $0 == 0 ? "0 (clears the number)" : "\($0)" })
    say("sound", payload.sound.map(Self.words))
    if let category = payload.category {
      let offered = actions.map { $0.map { "\($0.label) (\($0.url))" }.joined(separator: ", ") }
      say("category", "\(category): \(offered ?? "no actions in the settings")")
    }
    say("thread", payload.threadID)
    say("level", payload.interruptionLevel?.rawValue)
    say("refresh", payload.isContentAvailable ? "yes, content-available" : nil)
    for (key, value) in keysWithoutWords { say("aps", "\(key) = \(SafeOutput.json(value))") }
    say("silent", isSilent ? "yes, nothing appears" : "no")
    for member in payload.extra.members {
      say("extra", "\(member.key) = \(SafeOutput.json(member.value))")
    }
    say("size", "\(size) of \(APNsPayload.sizeLimit) bytes")
    lines += problems.map { "problem:   \($0.line)" }
    return lines
  }

  /// The keys that `lines` describes in words.
  private static let keysWithWords: Set<String> = [
    "badge", "sound", "category", "thread-id", "interruption-level", "alert.title", "alert.subtitle",
    "alert.body",
  ]

  /// The other keys of `aps`, by Apple's names.
  private var keysWithoutWords: [(key: String, value: JSONValue)] {
    var keys: [(key: String, value: JSONValue)] = []
    func take(_ members: [JSONObject.Member], under prefix: String) {
      for member in members where !Self.keysWithWords.contains(prefix + member.key) {
        keys.append((prefix + member.key, member.value))
      }
    }
    for member in payload.aps.members {
      switch (member.key, member.value) {
      case ("alert", .object(let alert)): take(alert.members, under: "alert.")
      case ("alert", _), ("content-available", .number("1")): break
      case _: take([member], under: "")
      }
    }
    return keys
  }

  private static func words(_ sound: APNsPayload.Sound) -> String {
    switch sound {
    case .named(let name): return name
    case .dictionary(let critical, let name, let volume):
      let notes = (critical == true ? ["critical"] : []) + (volume.map { ["volume \($0)"] } ?? [])
      return (name ?? "default") + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
    }
  }

  // MARK: As JSON

  var json: String {
    let actions = (actions ?? []).map { action in
      JSONValue.object(JSONObject(pairs: [("label", .string(action.label)), ("url", .string(action.url))]))
    }
    let alert: APNsPayload.AlertParts? =
      if case .parts(let parts)? = payload.alert { parts } else { nil }
    return SafeOutput.json(
      .object(
        JSONObject(pairs: [
          ("title", .string(display.title)), ("subtitle", .string(display.subtitle)),
          ("body", .string(display.body)), ("action", MessageJSON.text(display.actionLabel)),
          ("language", .string(language)), ("badge", payload.badge.map(JSONValue.integer) ?? .null),
          ("sound", MessageJSON.text(payload.sound?.name)),
          ("category", MessageJSON.text(payload.category)), ("actions", .array(actions)),
          ("thread_id", MessageJSON.text(payload.threadID)),
          ("interruption_level", MessageJSON.text(payload.interruptionLevel?.rawValue)),
          ("launch_image", MessageJSON.text(alert?.launchImage)),
          ("mutable_content", .bool(payload.mutableContent == true)),
          ("relevance_score", payload.relevanceScore.map(JSONValue.double) ?? .null),
          ("target_content_id", MessageJSON.text(payload.targetContentID)),
          ("content_available", .bool(payload.isContentAvailable)), ("silent", .bool(isSilent)),
          ("size", .integer(size)), ("limit", .integer(APNsPayload.sizeLimit)),
          ("aps", .object(payload.aps)), ("extra", .object(payload.extra)),
          ("problems", .array(problems.map(MessageJSON.problem))),
        ])))
  }
}
