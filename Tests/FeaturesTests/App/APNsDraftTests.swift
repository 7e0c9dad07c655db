import Basics
import Formats
import Foundation
import Testing

@testable import Platform
@testable import Subscriptions
@testable import reddot

struct APNsDraftTests {
  static func draft(_ change: (inout APNsDraft) -> Void) -> APNsDraft {
    var draft = APNsDraft()
    change(&draft)
    return draft
  }

  @Test(arguments: [
    (draft { $0.alert = "a/b" }, #"{"aps":{"alert":"a/b"}}"#),
    (draft { $0.badge = "0" }, #"{"aps":{"badge":0}}"#),
    (draft { $0.isContentAvailable = true }, #"{"aps":{"content-available":1}}"#),
    (
      draft {
        $0.title = "T"
        $0.body = "B"
        $0.sound = "ping.aiff"
      }, #"{"aps":{"alert":{"title":"T","body":"B"},"sound":"ping.aiff"}}"#
    ),
    (
      draft {
        $0.locKey = "GAME"
        $0.locArgs = ["Bob", "poker"]
        $0.category = "INVITE"
      }, #"{"aps":{"alert":{"loc-key":"GAME","loc-args":["Bob","poker"]},"category":"INVITE"}}"#
    ),
    (
      draft {
        $0.sound = "alarm"
        $0.isCritical = true
        $0.volume = "0.5"
      }, #"{"aps":{"sound":{"critical":1,"name":"alarm","volume":0.5}}}"#
    ),
    (
      draft {
        $0.interruptionLevel = "time-sensitive"
        $0.relevanceScore = "0"
        $0.threadID = "t"
      }, #"{"aps":{"thread-id":"t","interruption-level":"time-sensitive","relevance-score":0}}"#
    ),
    (
      draft {
        $0.alert = "A"
        $0.extra = [#"z="s=1""#, "a=[1,null]"]
      }, #"{"aps":{"alert":"A"},"z":"s=1","a":[1,null]}"#
    ),
    (
      draft {
        $0.event = "update"
        $0.timestamp = "1700000000"
        $0.contentState = #"{"score":3}"#
      }, #"{"aps":{"event":"update","timestamp":1700000000,"content-state":{"score":3}}}"#
    ),
  ])
  func optionsBecomeApplesKeys(draft: APNsDraft, expected: String) throws {
    #expect(try draft.payload() == expected)
  }

  @Test(arguments: [
    (#"{"alert":"A","badge":3}"#, draft { $0.badge = "4" }, #"{"aps":{"alert":"A","badge":4}}"#),
    (#"{"alert":"A"}"#, draft { $0.title = "T" }, #"{"aps":{"alert":{"title":"T","body":"A"}}}"#),
    (
      #"{"alert":{"title":"A","title-loc-key":null},"extra":{"k":1}}"#, draft { $0.extra = ["k=2", "l=3"] },
      #"{"aps":{"alert":{"title":"A","title-loc-key":null}},"k":2,"l":3}"#
    ),
    (#"{"extra":{"a":1},"badge":1}"#, draft { _ in }, #"{"aps":{"badge":1},"a":1}"#),
  ])
  func optionsStandOverTheFile(file: String, draft: APNsDraft, expected: String) throws {
    #expect(try draft.payload(over: JSONReader.parse(file)) == expected)
  }

  @Test(arguments: [
    (draft { $0.badge = "many" }, "badge must be an integer from 0, not a string"),
    (draft { $0.badge = "-1" }, "badge must be an integer from 0, not the number -1"),
    (draft { $0.relevanceScore = "2" }, "relevance-score must be a number from 0 to 1, not the number 2"),
    (
      draft { $0.interruptionLevel = "loud" },
      "interruption-level must be passive, active, time-sensitive or critical, not a string"
    ),
    (draft { $0.extra = ["aps={}"] }, "aps cannot be an extra key"),
    (draft { $0.extra = ["k"] }, "extra must be KEY=JSON, such as acme='\"chat\"', not k"),
    (draft { $0.contentState = "[]" }, "content-state must be an object, not an array"),
  ])
  func whatCannotBeIsRefusedByName(draft: APNsDraft, sentence: String) throws {
    do {
      _ = try draft.payload()
      Issue.record("was made")
    } catch let failure as any UserFacingError {
      #expect(failure.sentence == sentence)
    }
  }

  @Test(arguments: [
    (#"{"badge":"1"}"#, "badge must be an integer from 0, not a string"),
    (#"{"alert":{"loc-args":[1]}}"#, "alert.loc-args[0] must be a string, not the number 1"),
    (#"{"category":7}"#, "category must be a string, not the number 7"),
    (#"{"colour":"red"}"#, "colour is not a key of a payload; put the app's own keys into extra"),
    (#"[]"#, "a payload is made from a JSON object, not an array"),
    (#"{"extra":{"aps":1}}"#, "aps cannot be an extra key"),
    (#"{"alert":5}"#, "alert must be a string or an object, not the number 5"),
  ])
  func wrongTypesOfAFileAreRefusedByName(file: String, sentence: String) throws {
    let refusal = #expect(throws: APNsRefusal.self) {
      _ = try APNsDraft().payload(over: try JSONReader.parse(file))
    }
    #expect(refusal?.sentence == sentence)
  }

  @Test func partsDoNotHideAnAlertThatIsWrong() throws {
    #expect(throws: APNsRefusal.self) {
      _ = try Self.draft { $0.title = "T" }.payload(over: try JSONReader.parse(#"{"alert":5}"#))
    }
  }

  @Test func thePayloadIsMeasuredToTheByte() throws {
    let room = 4096 - #"{"aps":{"alert":""}}"#.utf8.count
    let full = Self.draft { $0.alert = String(repeating: "x", count: room) }
    #expect(try full.payload().utf8.count == 4096)
    let refusal = #expect(throws: APNsRefusal.self) {
      _ = try Self.draft { $0.alert = String(repeating: "x", count: room + 1) }.payload()
    }
    #expect(refusal?.sentence == "the payload has 4097 bytes; at most 4096 are allowed")
    // The text has at most 4,096 characters, but more bytes.
    #expect(throws: APNsRefusal.self) {
      _ = try Self.draft { $0.alert = String(repeating: "é", count: room / 2 + 1) }.payload()
    }
  }

  @Test func whatATerminalMightActOnIsEscapedAndCounted() throws {
    let text = try Self.draft { $0.alert = "a\u{9b}b\u{202e}c" }.payload()
    #expect(text == #"{"aps":{"alert":"a\u009bb\u202ec"}}"#)
  }

  @Test func whatIsMadeIsReadBack() throws {
    let draft = Self.draft {
      $0.titleLocKey = "T"
      $0.titleLocArgs = ["x"]
      $0.subtitle = "S"
      $0.body = "B/\u{1F600}\nsecond"
      $0.launchImage = "L.png"
      $0.badge = "7"
      $0.sound = "ping"
      $0.isContentAvailable = true
      $0.category = "INVITE"
      $0.threadID = "t"
      $0.isMutableContent = true
      $0.targetContentID = "w"
      $0.interruptionLevel = "active"
      $0.relevanceScore = "0.25"
      $0.filterCriteria = "f"
      $0.extra = [#"when="2026-11-20T09:00:00Z""#]
    }
    let text = try draft.payload()
    let preview = try APNsPreview(Data(text.utf8), strings: nil, language: "en", categories: [:])
    #expect(preview.size == text.utf8.count)
    #expect(preview.problems.map(\.at) == ["$.aps.alert.title-loc-key"])
    #expect(preview.display.title == "T")
    #expect(preview.display.subtitle == "S")
    #expect(preview.display.body == "B/\u{1F600}\nsecond")
    #expect(preview.payload.badge == 7)
    #expect(preview.payload.relevanceScore == 0.25)
    #expect(try preview.payload.encoded() == text)
  }

  @Test func anAlertInTwoFormsIsNoticed() {
    #expect(Self.draft { $0.alert = "A" }.saysAlertTwice == false)
    #expect(
      Self.draft {
        $0.alert = "A"
        $0.body = "B"
      }.saysAlertTwice)
  }
}
