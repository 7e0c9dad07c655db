import Basics

/// A webhook: a URL at which another program's deliveries become items of a feed.
package struct Hook: Sendable {
  /// The number that the store gives to the webhook's name, from 1 (`HubStoring.numbers(ofHooks:)`); 0 until it has
  /// been read. Receipts and the audit contain it as a negative number in place of a token's number.
  package var number = 0
  package var name: FeedName
  package var kind: HookKind
  package var feed: FeedName
  /// One or two secrets: while one is replaced, both are valid.
  package var secrets: [HookSecret]
  /// The name of the HTTP header with the signature, for the kind `json`, or `nil` if deliveries are not signed and
  /// send the secret itself.
  package var signatureField: String?
  /// The name of the HTTP header with the seconds since 1970, for the kind `grafana`, which signs them too, or `nil` if
  /// it signs only the body.
  package var timeField: String?
  /// The templates, for kinds that have them.
  package var templates: HookTemplates?

  package init(name: FeedName, kind: HookKind, feed: FeedName, secrets: [HookSecret]) {
    (self.name, self.kind, self.feed) = (name, kind, feed)
    self.secrets = secrets
  }
}

/// The secret that a sender must prove to know. It is never printed.
package struct HookSecret: Sendable, CustomStringConvertible, CustomReflectable {
  /// The secret in UTF-8, as it was given.
  let bytes: [UInt8]

  /// Returns `nil` for text of fewer than 16 bytes: no limit of guesses per address protects a shorter one.
  package init?(_ text: String) {
    guard text.utf8.count >= Limits.hubHookSecretBytes else { return nil }
    bytes = Array(text.utf8)
  }

  package var description: String { "a secret" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
