import Basics
import Formats
import Foundation
import Platform

/// The hooks for programs that read hooks from their JSON settings:
/// `{"hooks": {"EVENT": [{"hooks": [{"type": "command", "command": "…", "timeout": 5}]}]}}`.
struct JSONHooks {
  /// The reason why a file was not changed, as a clause.
  struct Failure: Error, Hashable {
    var reason: String
  }

  /// The events, whether their hooks print an answer, and the timeouts of the hooks in seconds.
  private static let events: [(name: String, answers: Bool, timeout: Int)] = [
    ("PermissionRequest", true, 86_400), ("Notification", false, 5), ("UserPromptSubmit", false, 5),
    ("PostToolUse", false, 5), ("Stop", false, 5), ("SessionEnd", false, 5),
  ]

  /// The command line of this program, with the options for its files.
  let program: [String]

  /// Returns the command line of a hook.
  private func command(answers: Bool) -> String {
    ShellWord.line(program + ["push", "--hook"] + (answers ? ["--answer"] : []))
  }

  /// Returns the entry of a hook as JSON.
  private func entry(answers: Bool, timeout: Int) -> String {
    let hook = JSONObject([
      .init(key: "type", value: .string("command")),
      .init(key: "command", value: .string(command(answers: answers))),
      .init(key: "timeout", value: .number(String(timeout))),
    ])
    return JSONValue.object(JSONObject([.init(key: "hooks", value: .array([.object(hook)]))])).serialized()
  }

  /// The text of a new file, which contains only these hooks.
  var text: String {
    let lines = Self.events.map { event in
      "    \"\(event.name)\": [\(entry(answers: event.answers, timeout: event.timeout))]"
    }
    return "{\n  \"hooks\": {\n\(lines.joined(separator: ",\n"))\n  }\n}\n"
  }

  /// Returns a file in which these hooks replace earlier hooks of reddot. Everything else stays as it is.
  func adding(to bytes: [UInt8]) throws(Failure) -> [UInt8] {
    var file = JSONText(try removing(from: bytes))
    for event in Self.events {
      let entry = entry(answers: event.answers, timeout: event.timeout)
      guard case .object(let members, _) = file.root else { throw Failure(reason: "it is not a JSON object") }
      guard let hooks = members.last(where: { $0.key == "hooks" })?.value else {
        file.append("\"hooks\": {\"\(event.name)\": [\(entry)]}", to: file.root)
        continue
      }
      guard case .object(let known, _) = hooks else {
        throw Failure(reason: "\"hooks\" in it is not an object")
      }
      guard let list = known.last(where: { $0.key == event.name })?.value else {
        file.append("\"\(event.name)\": [\(entry)]", to: hooks)
        continue
      }
      guard case .array = list else { throw Failure(reason: "\"\(event.name)\" in its hooks is not a list") }
      file.append(entry, to: list)
    }
    return file.bytes
  }

  /// Returns a file without the hooks of reddot. Events and objects that become empty are also removed.
  func removing(from bytes: [UInt8]) throws(Failure) -> [UInt8] {
    do throws(JSONFailure) {
      _ = try JSONReader.parse(Data(bytes))
    } catch {
      throw Failure(reason: "it is not valid JSON (\(error))")
    }
    var file = JSONText(bytes)
    while removeFirst(from: &file) {}
    return file.bytes
  }

  /// Removes the first hook of reddot.
  ///
  /// - Returns: whether there was such a hook.
  private func removeFirst(from file: inout JSONText) -> Bool {
    guard case .object(let members, _) = file.root,
      let place = members.lastIndex(where: { $0.key == "hooks" }),
      case .object(let events, _) = members[place].value
    else { return false }
    for (number, event) in events.enumerated() {
      guard case .array(let entries, _) = event.value,
        let index = entries.firstIndex(where: { isOwn(file.bytes[$0.range]) })
      else { continue }
      if entries.count > 1 {
        file.remove(index, of: entries.map(\.range))
      } else if events.count > 1 {
        file.remove(number, of: events.map { $0.start..<$0.value.range.upperBound })
      } else {
        file.remove(place, of: members.map { $0.start..<$0.value.range.upperBound })
      }
      return true
    }
    return false
  }

  /// Whether all hooks of an entry run `reddot push --hook`, from any folder.
  private func isOwn(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let hooks = (try? JSONReader.parse(Data(bytes)))?.object?["hooks"]?.elements, !hooks.isEmpty else {
      return false
    }
    return hooks.allSatisfy { hook in
      let words = ShellLine(hook.object?["command"]?.text ?? "").commands.first?.words ?? []
      return words.first?.split(onBytes: "/").last == "reddot" && words.contains("push")
        && words.contains("--hook")
    }
  }
}
