import Basics
package import Foundation
import Messages

extension Hook {
  /// Whether the sender signs the body, so that the body must be read before the sender can be verified.
  package var signsBody: Bool {
    switch kind {
    case .forgejo, .gitea, .github, .gitlab, .grafana, .standard: true
    case .json: signatureField != nil
    case .alertmanager, .gotify, .kuma, .ntfy: false
    }
  }

  /// Whether the sender knows one of the secrets. Signatures are of the raw bytes. If a signature contains a
  /// time, it may differ by 5 minutes from `now`. The duration doesn't show how much of a wrong signature or
  /// secret is right.
  package func isProven(_ delivery: HookDelivery, now: Date) -> Bool {
    // All secrets are compared, so that the duration doesn't reveal which one matched.
    secrets.map { isProven(delivery, $0, now) }.contains(true)
  }

  private func isProven(_ delivery: HookDelivery, _ secret: HookSecret, _ now: Date) -> Bool {
    switch kind {
    case .alertmanager, .kuma: return secret.isEqual(delivery.authorization)
    case .ntfy: return secret.isEqual(delivery.authorization ?? delivery.authorizationInQuery)
    case .gotify:
      return secret.isEqual(
        delivery.field("X-Gotify-Key") ?? delivery.value("token") ?? delivery.authorization)
    case .github:
      guard let text = delivery.field("X-Hub-Signature-256"), text.hasPrefix("sha256=") else { return false }
      return secret.signed(delivery.body, hex: text.dropFirst("sha256=".count))
    case .forgejo, .gitea:
      guard let text = delivery.field("X-Gitea-Signature") else { return false }
      return secret.signed(delivery.body, hex: text[...])
    case .gitlab:
      if delivery.field("webhook-signature") != nil { return standard(delivery, secret, now) }
      return secret.isEqual(delivery.field("X-Gitlab-Token"))
    case .grafana:
      guard let text = delivery.field("X-Grafana-Alerting-Signature") else { return false }
      guard let timeField else { return secret.signed(delivery.body, hex: text[...]) }
      guard let time = delivery.field(timeField), Self.isRecent(time, now) else { return false }
      return secret.signed(Data("\(time):".utf8) + delivery.body, hex: text[...])
    case .standard: return standard(delivery, secret, now)
    case .json:
      guard let signatureField else { return secret.isEqual(delivery.authorization) }
      guard let text = delivery.field(signatureField) else { return false }
      return secret.signed(delivery.body, hex: text.hasPrefix("sha256=") ? text.dropFirst(7) : text[...])
    }
  }

  /// Checks Standard Webhooks: `v1,BASE64` of `ID.TIME.BODY`; several are separated by spaces.
  private func standard(_ delivery: HookDelivery, _ secret: HookSecret, _ now: Date) -> Bool {
    guard let id = delivery.field("webhook-id"), let time = delivery.field("webhook-timestamp"),
      let signatures = delivery.field("webhook-signature"), Self.isRecent(time, now)
    else { return false }
    let signed = Data("\(id).\(time).".utf8) + delivery.body
    let digest = HMAC.sha256(signed.bytes, key: secret.standardKey)
    return signatures.split(onBytes: " ").prefix(Limits.hubHookSignatures).contains { word in
      guard word.hasPrefix("v1,"), let bytes = Data(base64Encoded: String(word.dropFirst(3))) else {
        return false
      }
      return digest.isEqualInConstantTime(to: Array(bytes))
    }
  }

  /// - Parameter time: the seconds since 1970, as digits.
  private static func isRecent(_ time: String, _ now: Date) -> Bool {
    guard let seconds = Int(time), time.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    return abs(Double(seconds) - now.timeIntervalSince1970) <= Limits.hubHookSeconds
  }
}

extension HookDelivery {
  /// The token of the field Authorization.
  fileprivate var authorization: String? { field("Authorization").map { HubToken.sent(in: $0) } }

  /// The token in the query, as in ntfy: the field Authorization in Base64.
  fileprivate var authorizationInQuery: String? {
    guard let text = value("auth") else { return nil }
    let base64 = text.replacingBytes("-", with: "+").replacingBytes("_", with: "/")
    let missing = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: base64 + missing) else { return nil }
    return String(validating: bytes, as: UTF8.self).map { HubToken.sent(in: $0) }
  }
}

extension HookSecret {
  /// Whether the secrets are equal, compared by digests, which have the same length.
  fileprivate func isEqual(_ text: String?) -> Bool {
    guard let text else { return false }
    return SHA256.digest(bytes.span.bytes).isEqualInConstantTime(to: SHA256.digest(text))
  }

  /// Whether a signature in hex digits is the HMAC-SHA-256 of the body with this secret.
  fileprivate func signed(_ body: Data, hex: Substring) -> Bool {
    guard let signature = [UInt8](hex: hex.utf8) else { return false }
    return HMAC.sha256(body.bytes, key: bytes).isEqualInConstantTime(to: signature)
  }

  /// The key of Standard Webhooks: the part after `whsec_`, in Base64.
  fileprivate var standardKey: [UInt8] {
    let prefix = Array("whsec_".utf8)
    guard bytes.starts(with: prefix),
      let key = Data(base64Encoded: String(decoding: bytes.dropFirst(prefix.count), as: UTF8.self))
    else { return bytes }
    return Array(key)
  }
}
