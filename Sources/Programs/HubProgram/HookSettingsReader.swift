import Basics
import Formats
import Hub

/// Reads `[[hook]]`.
extension HubSettingsReader {
  func hooks(_ value: TOMLValue) -> [HookSettings] {
    guard let array = value.array, array.count <= Limits.hubHooks else {
      report(
        "hook", "must be [[hook]], at most \(Limits.hubHooks) of them",
        in: value.array?[Limits.hubHooks].table)
      return []
    }
    var hooks: [HookSettings] = []
    for value in array {
      guard let table = value.table else {
        report("hook", "must be a table with name, type, feed and secret_command")
        continue
      }
      guard let hook = hook(table) else { continue }
      if hooks.contains(where: { $0.name == hook.name }) {
        report("hook.name", "there are two webhooks named \(hook.name)", in: table)
      }
      hooks.append(hook)
    }
    return hooks
  }

  private func hook(_ table: TOMLTable) -> HookSettings? {
    func mistake(_ key: String, _ problem: String) {
      report("hook.\(key)", problem, in: table)
    }
    func text(_ key: String) -> String? {
      guard let value = table[key] else { return nil }
      if let text = value.string, !text.isEmpty { return text }
      mistake(key, "must be a string")
      return nil
    }
    func name(_ key: String) -> FeedName? {
      if let name = text(key).flatMap({ FeedName($0) }) { return name }
      mistake(key, "must have lowercase letters, digits and hyphens, at most 63")
      return nil
    }
    func origin(_ key: String) -> HookSettings.Origin? {
      if let value = table["\(key)_command"] {
        let words = value.array.map { $0.compactMap { $0.string } } ?? []
        if !words.isEmpty, words.count == value.array?.count { return .command(words) }
        mistake("\(key)_command", "must be a list of words, such as [\"pass\", \"show\", \"hub/alerts\"]")
        return nil
      }
      return text("\(key)_file").map { .file($0) }
    }
    let kind = text("type").flatMap { HookKind(rawValue: $0) }
    if kind == nil {
      mistake("type", "must be one of \(HookKind.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    let secret = origin("secret")
    if secret == nil {
      mistake(
        "secret_command", "is missing; set it, or secret_file, since anyone could publish without a secret")
    }
    guard let given = name("name"), let feed = name("feed"), let kind, let secret else { return nil }
    var hook = HookSettings(name: given, kind: kind, feed: feed, secret: secret)
    hook.oldSecret = origin("old_secret")
    if kind == .json { hook.signatureField = text("signature_header") }
    if kind == .grafana { hook.timeField = text("timestamp_header") }
    if kind.hasTemplates { hook.templates = templates(table, mistake) }
    for key in table.keys where !Self.keys(of: kind).contains(key) {
      mistake(key, "is not a setting of a webhook of the type \(kind.rawValue)")
    }
    return hook
  }

  /// Returns the keys that a webhook of a kind may have.
  private static func keys(of kind: HookKind) -> Set<String> {
    var keys: Set = [
      "name", "type", "feed", "secret_command", "secret_file", "old_secret_command", "old_secret_file",
    ]
    if kind == .json { keys.insert("signature_header") }
    if kind == .grafana { keys.insert("timestamp_header") }
    if kind.hasTemplates { keys.formUnion(["each", "done", "priorities"] + HookTemplates.names) }
    return keys
  }

  private func templates(_ table: TOMLTable, _ mistake: (String, String) -> Void) -> HookTemplates {
    var templates = HookTemplates()
    for name in HookTemplates.names {
      guard let value = table[name] else { continue }
      templates.texts[name] = value.string.flatMap { HookTemplate($0) }
      if templates.texts[name] == nil {
        mistake(name, "must be a string such as \"{service}: {checks[0].status}\"; {{ is a brace")
      }
    }
    if templates.texts["title"] == nil, templates.texts["body"] == nil {
      mistake("title", "is missing: an item needs title, body or both")
    }
    if let value = table["each"] {
      templates.each = value.string.flatMap { HookPath($0) }
      if templates.each == nil { mistake("each", "must be a path such as \"alerts\"") }
    }
    if let value = table["done"] {
      templates.done = value.string.flatMap { HookTemplates.Condition($0) }
      if templates.done == nil { mistake("done", "must be a path and a value: \"status=resolved\"") }
    }
    if let value = table["priorities"] {
      for key in value.table?.keys ?? [] {
        if let number = value.table?[key]?.int, (1...5).contains(number) {
          templates.priorities[key] = number
        } else {
          mistake("priorities", "must be numbers from 1 to 5, such as { critical = 5 }")
        }
      }
      if value.table == nil { mistake("priorities", "must be a table, such as { critical = 5 }") }
    }
    return templates
  }
}
