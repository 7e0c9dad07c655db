import Formats
import Testing

/// The fingerprints of alerts, according to the examples of Prometheus.
struct AlertFingerprintTests {
  private func fingerprint(_ labels: String) throws -> String? {
    AlertFingerprint.of(try #require(try JSONReader.parse(labels).object))
  }

  @Test func itIsTheOneOfPrometheus() throws {
    // prometheus/common, model/signature_test.go: 5799056148416392346.
    let labels = #"{"name": "garland, briggs", "fear": "love is not enough"}"#
    #expect(try fingerprint(labels) == "507a62d79ee76c9a")
    #expect(try fingerprint(#"{"alertname": "A"}"#) == "d2c6efc389df0927")
    #expect(try fingerprint("{}") == nil)
  }

  @Test func eachPartOfTheLabelsCountsAndTheirOrderDoesNot() throws {
    #expect(try fingerprint(#"{"a": "1", "b": "2"}"#) == fingerprint(#"{"b": "2", "a": "1"}"#))
    let different = [
      #"{"a": "1", "b": "2"}"#, #"{"a": "2", "b": "1"}"#, #"{"a": "1b2"}"#, #"{"a": "1", "b": ""}"#,
      #"{"ab": "12"}"#,
      #"{"a": "1", "b": 2}"#, #"{"a": "1", "b": null}"#, #"{"é": "1"}"#, #"{"e\u0301": "1"}"#,
    ]
    #expect(try Set(different.dropLast(4).map(fingerprint)).count == different.count - 4)
    #expect(try fingerprint(different[7]) != fingerprint(different[8]))
  }
}
