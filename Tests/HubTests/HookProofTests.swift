import Basics
import Foundation
import Testing

@testable import Hub

/// Only senders who know the secret may deliver.
struct HookProofTests {
  private let body = Data(#"{"a": 1}"#.utf8)

  private func isProven(
    _ hook: Hook, _ fields: [(name: String, value: String)], body: Data? = nil, after seconds: Double = 0
  ) -> Bool {
    hook.isProven(
      HookDelivery(fields: fields, body: body ?? self.body), now: HookSamples.now.addingTimeInterval(seconds))
  }

  @Test(arguments: HookKind.allCases)
  func theSecretIsProofAndNothingElse(_ kind: HookKind) throws {
    let hook = try HookSamples.hook(kind)
    let proof = HookSamples.proof(kind, body)
    #expect(isProven(hook, proof))
    #expect(!isProven(hook, []))
    #expect(!isProven(hook, HookSamples.proof(kind, body, secret: "another-secret-than-that")))
    if hook.signsBody { #expect(!isProven(hook, proof, body: body + Data(" ".utf8))) }
    // Each character of each value is changed or left out, or the value is cut there.
    for (index, field) in proof.enumerated() {
      let characters = Array(field.value)
      for place in characters.indices {
        var changed = proof
        for replacement in [[characters[place] == "0" ? "1" : "0"], []] as [[Character]] {
          let value = String(characters[..<place] + replacement + characters[(place + 1)...])
          // Names other than the secret's are no part of the proof, nor is the case of "Bearer".
          if value.lowercased() == field.value.lowercased() { continue }
          changed[index].value = value
          let isOther =
            isProven(hook, changed) && !(kind == .ntfy && HubToken.sent(in: value) == HookSamples.secret)
            && !value.hasSuffix(String(field.value.suffix(44)))
          #expect(!isOther, "\(kind): \(value)")
        }
        changed[index].value = String(characters[..<place])
        #expect(!isProven(hook, changed), "\(kind): \(changed[index].value)")
      }
      var without = proof
      without.remove(at: index)
      #expect(!isProven(hook, without))
    }
  }

  @Test(arguments: HookKind.allCases)
  func twoSecretsHoldAtOnce(_ kind: HookKind) throws {
    let hook = try HookSamples.hook(kind, secrets: ["the-new-secret-of-it", HookSamples.secret])
    #expect(isProven(hook, HookSamples.proof(kind, body)))
    #expect(isProven(hook, HookSamples.proof(kind, body, secret: "the-new-secret-of-it")))
    #expect(!isProven(try HookSamples.hook(kind, secrets: []), HookSamples.proof(kind, body)))
  }

  @Test(arguments: [HookKind.gitlab, .standard])
  func aSignatureIsGoodForFiveMinutes(_ kind: HookKind) throws {
    let hook = try HookSamples.hook(kind)
    let proof = HookSamples.proof(kind, body)
    for (seconds, isGood) in [(300.0, true), (-300, true), (301, false), (-301, false), (1e12, false)] {
      #expect(isProven(hook, proof, after: seconds) == isGood, "\(seconds)")
    }
    for time in ["", "now", "-1", "+1795000000", "99999999999999999999", "1795000000.0"] {
      var wrong = proof
      wrong[1].value = time
      #expect(!isProven(hook, wrong))
    }
  }

  @Test func grafanasTimeIsSignedWhereItIsConfigured() throws {
    var hook = try HookSamples.hook(.grafana)
    hook.timeField = "X-Time"
    #expect(!isProven(hook, HookSamples.proof(.grafana, body)))
    let signed = HookSamples.proof(.grafana, Data("1795000000:".utf8) + body)
    #expect(isProven(hook, signed + [("X-Time", "1795000000")]))
    #expect(!isProven(hook, signed + [("X-Time", "1795000001")]))
    #expect(!isProven(hook, signed + [("X-Time", "1795000000")], after: 301))
  }

  @Test func otherFormsOfAProof() throws {
    let secret = HookSamples.secret
    #expect(isProven(try HookSamples.hook(.gitlab), [("X-Gitlab-Token", secret)]))
    #expect(isProven(try HookSamples.hook(.gotify), [("authorization", "Bearer \(secret)")]))
    let query = HookDelivery(fields: [], query: [("token", secret)], body: body)
    #expect(try HookSamples.hook(.gotify).isProven(query, now: HookSamples.now))
    #expect(try !HookSamples.hook(.alertmanager).isProven(query, now: HookSamples.now))
    var json = try HookSamples.hook(.json)
    json.signatureField = "X-Sum"
    #expect(!isProven(json, [("authorization", "Bearer \(secret)")]))
    let hex = try #require(HookSamples.proof(.gitea, body).first?.value)
    #expect(isProven(json, [("x-sum", hex)]) && isProven(json, [("x-sum", "sha256=\(hex.uppercased())")]))
    // A key in Base64, as Standard Webhooks writes it.
    let key = "whsec_" + Data(secret.utf8).base64EncodedString()
    #expect(isProven(try HookSamples.hook(.standard, secrets: [key]), HookSamples.proof(.standard, body)))
  }

  @Test func aSecretShowsNothing() throws {
    #expect(HookSecret("123456789012345") == nil)
    #expect(HookSecret("1234567890123456") != nil)
    let hook = try HookSamples.hook(.github)
    for text in ["\(hook)", String(reflecting: hook), String(describing: hook.secrets)] {
      #expect(!text.contains("sesame") && !text.contains("115"), "\(text)")
    }
  }

  /// RFC 4231, test case 2.
  @Test func theDigestIsHMACWithSHA256() throws {
    let digest = HMAC.sha256(Array("what do ya want for nothing?".utf8).span.bytes, key: Array("Jefe".utf8))
    #expect(digest.hex == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  /// RFC 2047; a combining mark behind a word belongs to no word.
  @Test func wordsOfAFieldAreDecoded() {
    let text = EncodedWords.decoded("=?utf-8?B?4pyT?=\u{301} =?UTF-8?q?a=20b?= c?")
    #expect(text.utf8.elementsEqual("✓\u{301} a b c?".utf8))
  }
}
