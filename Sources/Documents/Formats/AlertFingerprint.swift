/// Computes the fingerprint of an Alertmanager alert: FNV-1a, 64 bits, of its labels sorted by name
/// (github.com/prometheus/common, model/signature.go).
///
/// Old versions of Alertmanager and other senders omit the fingerprint. The computed value is the same that a later
/// version sends.
package enum AlertFingerprint {
  /// Returns 16 hexadecimal digits, or `nil` if there are no labels.
  package static func of(_ labels: JSONObject) -> String? {
    if labels.members.isEmpty { return nil }
    let sorted = labels.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ text: String) {
      // UTF-8 never contains the byte 255, which separates names and values.
      for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
      sum = (sum ^ 0xFF) &* 0x100_0000_01B3
    }
    for member in sorted {
      add(member.key)
      add(member.value.text ?? member.value.serialized())
    }
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
