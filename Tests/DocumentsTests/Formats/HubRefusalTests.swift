import Formats
import Foundation
import Testing

struct HubRefusalTests {
  @Test func aRefusalIsReadWithAndWithoutAPath() throws {
    let error = #"{"error": {"code": "invalid_item", "message": "must be 1 to 5", "at": "$.priority"}}"#
    let refusal = try #require(HubRefusal(Data(error.utf8)))
    #expect(refusal.code == "invalid_item" && refusal.message == "must be 1 to 5")
    #expect(refusal.at == "$.priority")
    let short = try #require(HubRefusal(Data(#"{"error": {"code": "busy", "later": 1}}"#.utf8)))
    #expect(short.code == "busy" && short.message == "busy" && short.at == nil)
  }

  @Test(arguments: [
    "", "<html>502 Bad Gateway</html>", "{}", #"{"error": "busy"}"#, #"{"error": {"message": "x"}}"#,
    #"{"error": {"code": 5}}"#, #"[{"error": {"code": "busy"}}]"#,
    String(repeating: #"{"error":"#, count: 100_000),
  ])
  func whatOtherServersAnswerIsNone(_ body: String) {
    #expect(HubRefusal(Data(body.utf8)) == nil)
  }
}
