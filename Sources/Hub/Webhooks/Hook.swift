import Basics

/// An address at which another program's deliveries become items of a feed.
package struct Hook: Sendable {
  /// The number of its name, from 1: see `HubStoring`. Receipts and the audit have minus this number as its token. 0: not known yet.
  package var number = 0
  package var name: FeedName
  package var kind: HookKind
  package var feed: FeedName
  /// One or two: while a secret is replaced both are good.
  package var secrets: [HookSecret]
  /// The field with a signature, of `json`; nil: its deliveries have the secret as a token.
  package var signatureField: String?
  /// The field with the seconds since 1970 that Grafana signs too; nil: it signs the body alone.
  package var timeField: String?
  /// Of kinds that have them.
  package var templates: HookTemplates?

  package init(name: FeedName, kind: HookKind, feed: FeedName, secrets: [HookSecret]) {
    (self.name, self.kind, self.feed) = (name, kind, feed)
    self.secrets = secrets
  }
}

/// What a sender proves that it knows. Nothing that prints it shows it.
package struct HookSecret: Sendable, CustomStringConvertible, CustomReflectable {
  /// UTF-8, as it was given.
  let bytes: [UInt8]

  /// `nil` for text of fewer than 16 bytes: no limit of guesses by address protects a shorter one.
  package init?(_ text: String) {
    guard text.utf8.count >= Limits.hubHookSecretBytes else { return nil }
    bytes = Array(text.utf8)
  }

  package var description: String { "a secret" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
