/// The strings of a payload that are shown to the user.
package struct APNsDisplay: Hashable, Sendable {
  package var title: String
  package var subtitle: String
  package var body: String
  /// The label of the View button, if the payload has one.
  package var actionLabel: String?

  package var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && body.isEmpty }
}

extension APNsPayload {
  /// Returns the alert in the user's language, with the arguments filled in. Each string is the payload's own, or the
  /// translation of its key in the strings file, or the key itself if there is no translation.
  package func display(strings: LocalizedStringsCatalog, language: String) -> APNsDisplay {
    switch alert {
    case nil: return APNsDisplay(title: "", subtitle: "", body: "", actionLabel: nil)
    case .text(let text): return APNsDisplay(title: "", subtitle: "", body: text, actionLabel: nil)
    case .parts(let parts):
      func text(_ plain: String?, _ key: String?, _ arguments: [String]?) -> String {
        if let plain { return plain }
        guard let key else { return "" }
        return LocalizedFormat.fill(strings.text(for: key, language: language), arguments ?? [])
      }
      return APNsDisplay(
        title: text(parts.title, parts.titleLocKey?.value, parts.titleLocArgs?.value),
        subtitle: text(parts.subtitle, parts.subtitleLocKey, parts.subtitleLocArgs),
        body: text(parts.body, parts.locKey, parts.locArgs),
        actionLabel: parts.action
          ?? parts.actionLocKey?.value.map { strings.text(for: $0, language: language) })
    }
  }
}
