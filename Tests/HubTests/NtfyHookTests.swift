import Formats
import Foundation
import Testing

@testable import Hub

/// Requests to the webhook for ntfy, as scripts send them to ntfy.
struct NtfyHookTests {
  /// Requests with the items that they make.
  static let samples: [(line: String, fields: String, body: String, item: String)] = [
    (
      "PUT /v1/hooks/ntfy/disks/root HTTP/1.1", "X-Title: A", "Half full",
      #"{"key":"disks/root","channel":"disks","title":"A","body":"Half full"}"#
    ),
    (
      "POST /v1/hooks/ntfy/disks HTTP/1.1", "Sequence-ID: root", "Full",
      #"{"key":"disks/root","channel":"disks","body":"Full"}"#
    ),
    (
      "POST /v1/hooks/ntfy/disks?sid=root HTTP/1.1", "A: b", "Full",
      #"{"key":"disks/root","channel":"disks","body":"Full"}"#
    ),
    (
      "POST /v1/hooks/ntfy HTTP/1.1", "A: b",
      #"{"topic": "disks", "sequence_id": "root", "message": "Full"}"#,
      #"{"key":"disks/root","channel":"disks","body":"Full"}"#
    ),
    (
      "GET /v1/hooks/ntfy/disks/send?message=Full+%26+slow&title=A&p=4 HTTP/1.1", "A: b", "",
      #"{"channel":"disks","title":"A","body":"Full & slow","priority":4}"#
    ),
    (
      "POST /v1/hooks/ntfy/disks HTTP/1.1",
      "X-Attach: https://files.example/a/plan.pdf\nX-Actions: view, Open, https://files.example/", "See it",
      #"{"channel":"disks","body":"See it","actions":[{"label":"Open","url":"https://files.example/"},{"label":"plan.pdf","url":"https://files.example/a/plan.pdf"}]}"#
    ),
    (
      "POST /v1/hooks/ntfy HTTP/1.1", "A: b",
      #"{"topic": "disks", "attach": "https://files.example/a/plan.pdf", "filename": "The plan"}"#,
      #"{"channel":"disks","body":"triggered","actions":[{"label":"The plan","url":"https://files.example/a/plan.pdf"}]}"#
    ),
    (
      "POST /v1/hooks/ntfy/disks HTTP/1.1", "Title: =?ISO-8859-1?Q?Z=FCrich_=DCber?= =?utf-8?B?w6k=?=", "x",
      #"{"channel":"disks","title":"Zürich Überé","body":"x"}"#
    ),
    (
      "POST /v1/hooks/ntfy/disks HTTP/1.1", "Title: =?windows-1251?B?z/Do4uXy?= =?utf-8?Q?=F?=", "x",
      #"{"channel":"disks","title":"Привет=?utf-8?Q?=F?=","body":"x"}"#
    ),
  ]

  @Test(arguments: 0..<samples.count)
  func whatScriptsSendToNtfyIsTaken(_ number: Int) throws {
    let sample = Self.samples[number]
    let delivery = HookDelivery(recorded: Data("\(sample.line)\n\(sample.fields)\n\n\(sample.body)".utf8))
    let reading = try HookReader(try HookSamples.hook(.ntfy), now: HookSamples.now).read(delivery)
    guard case .items(let items) = reading else {
      Issue.record("\(reading)")
      return
    }
    #expect(items.map { JSONValue.object($0.object).serialized() } == [sample.item])
  }

  @Test(arguments: [
    ("GET", ["disks"]), ("GET", ["disks", "root"]), ("HEAD", ["disks", "publish"]), ("DELETE", ["disks"]),
    ("GET", ["disks", "root", "clear"]), ("PUT", ["disks", "root", "send"]),
    ("PUT", ["a", "b", "clear", "d"]),
    ("DELETE", ["disks", "root", "clear"]),
  ])
  func otherAddressesAreNotNtfys(_ method: String, _ path: [String]) {
    #expect(NtfyAddress(path, method: method) == nil)
  }
}
