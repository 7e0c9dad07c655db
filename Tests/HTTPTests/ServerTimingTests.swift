import Foundation
import HTTP
import Testing

struct ServerTimingTests {
  /// 1994-11-06T08:49:37Z, the date of RFC 9110.
  private static let date = Date(timeIntervalSince1970: 784_111_777)

  private func response(_ headers: HeaderFields) -> TransportResponse {
    TransportResponse(status: 200, headers: headers, finalURL: "http://h/")
  }

  static let waits: [(String, Double?)] = [
    ("120", 120.0), ("0", 0), (" 7 ", 7), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
    ("Sun, 06 Nov 1994 08:00:00 GMT", 0), ("99999999999999999999999", 366 * 86_400),
    ("Sun, 06 Nov 2094 08:50:37 GMT", 366 * 86_400), ("-5", nil), ("soon", nil), ("1.5", nil), ("", nil),

  ]

  @Test(arguments: waits)
  func retryAfterIsSecondsOrADateAndNeverInThePast(value: String, seconds: Double?) {
    let expected = seconds.map { Self.date.addingTimeInterval($0) }
    #expect(response(["Retry-After": value]).retryAfter(now: Self.date) == expected)
  }

  static let answers: [([String], String?, Int?)] = [
    (["max-age=600"], nil, 600), (["public, MAX-AGE = 60"], nil, 60), (["max-age=\"5\""], nil, 5),
    (["s-maxage=600"], nil, nil), (["s-maxage=9, max-age=3"], nil, 3), (["max-age=600, no-cache"], nil, nil),
    (["no-store", "max-age=600"], nil, nil), (["max-age=600", "max-age=5"], nil, 600),
    (["max-age=0"], nil, nil),
    (["max-age=-1"], nil, nil), (["max-age"], nil, nil), (["max-age=600"], "200", 400),
    (["max-age=600"], "600", nil),
    (["max-age=600"], "900", nil), (["max-age=600"], "x", 600),
    (["no-cache=\"Set-Cookie\", max-age=6"], nil, 6),
    (["max-age=99999999999999999999"], nil, 366 * 86_400), ([""], nil, nil), ([",,=,=1"], nil, nil),

  ]

  @Test(arguments: answers)
  func freshnessIsMaxAgeLessAge(values: [String], age: String?, seconds: Int?) {
    var fields = values.map { HeaderField("Cache-Control", $0) }
    if let age { fields.append(HeaderField("Age", age)) }
    #expect(response(HeaderFields(fields)).freshness == seconds.map { .seconds($0) })
  }
}
