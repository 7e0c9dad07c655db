/// The sender of a webhook, which decides how its deliveries are signed and read (page "Hub", the table of webhooks).
package enum HookKind: String, CaseIterable, Sendable {
  case alertmanager, forgejo, gitea, github, gitlab, gotify, grafana, json, kuma, ntfy, standard

  /// Whether the settings define its items with templates.
  package var hasTemplates: Bool { self == .json || self == .standard }
}
