/// What sends to a webhook, and so how its deliveries are signed and read (page "Hub", the table of webhooks).
package enum HookKind: String, CaseIterable, Sendable {
  case alertmanager, forgejo, gitea, github, gitlab, gotify, grafana, json, kuma, ntfy, standard

  /// Whether the settings say what its items are made of.
  package var hasTemplates: Bool { self == .json || self == .standard }
}
