import Basics
import Formats
import Foundation
import Messages
import Notifications
import Storage
import Testing

@testable import Platform
@testable import Polling
@testable import Profile
@testable import Settings
@testable import Subscriptions
@testable import reddot

struct APNsPreviewTests {
  /// A folder of `.lproj` folders, deleted with the object.
  final class Strings {
    let url = FileManager.default.temporaryDirectory.appending(path: "reddot-strings-\(UUID().uuidString)")

    init(_ files: [String: Data]) throws {
      for (name, bytes) in files {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
      }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func read(_ language: String) throws -> StringsFolder {
      try StringsFolder.read(url.path, language: language)
    }
  }

  static let invite = #"{"aps":{"alert":{"loc-key":"GAME","loc-args":["Bob","poker"]}}}"#

  private func preview(
    _ payload: String, _ strings: StringsFolder? = nil, language: String = "en",
    categories: [String: [MessageAction]] = [:]
  ) throws -> APNsPreview {
    try APNsPreview(Data(payload.utf8), strings: strings, language: language, categories: categories)
  }

  private func strings() throws -> Strings {
    let german = try #require(#"GAME = "%2$@ mit %1$@";"#.data(using: .utf16))
    return try Strings([
      "en.lproj/Localizable.strings": Data(#""GAME" = "%@ plays %@";"#.utf8),
      "de.lproj/Localizable.strings": german, "zh_TW.lproj/Localizable.strings": Data(#""GAME" = "邀";"#.utf8),
    ])
  }

  @Test(arguments: [
    ("en", "Bob plays poker"), ("de-AT", "poker mit Bob"), ("zh-TW", "邀"), ("fr", "Bob plays poker"),
    ("zh-Hans", "Bob plays poker"),
  ])
  func aKeyIsSaidInTheReadersLanguage(language: String, body: String) throws {
    let shown = try preview(Self.invite, strings().read(language), language: language)
    #expect(shown.display.body == body)
    #expect(shown.problems.isEmpty)
  }

  @Test func withoutStringsTheKeyShowsAndSaysWhy() throws {
    let shown = try preview(Self.invite)
    #expect(
      shown.lines == [
        "body:      GAME", "aps:       alert.loc-key = \"GAME\"",
        "aps:       alert.loc-args = [\"Bob\",\"poker\"]", "silent:    no",
        "size:      \(Self.invite.utf8.count) of 4096 bytes",
        "problem:   $.aps.alert.loc-key: needs strings (--strings DIR); the key itself is shown",
      ])
  }

  @Test func aKeyThatNoStringsHoldIsNamed() throws {
    let shown = try preview(
      #"{"aps":{"alert":{"title":"T","title-loc-key":"UNUSED","loc-key":"NONE"}}}"#, strings().read("de"),
      language: "de")
    #expect(
      shown.problems.map(\.line) == [
        "$.aps.alert.loc-key: \"NONE\" is in no strings for de; the key itself is shown"
      ])
  }

  @Test func stringsThatCannotBeReadAreNamedWithTheirLine() throws {
    let folder = try Strings([
      "en.lproj/Localizable.strings": Data("\"A\" = \"a\";\n\"B\" = b\"".utf8),
      "en.lproj/Localizable.stringsdict": Data("<plist/>".utf8), "de.lproj/Other.strings": Data(),
    ]).read("de")
    #expect(
      folder.problems.map(\.at) == [
        "de.lproj", "en.lproj/Localizable.stringsdict", "en.lproj/Localizable.strings",
      ])
    #expect(folder.problems[0].message == "contains no Localizable.strings")
    #expect(folder.problems[1].message.hasPrefix("is not read"))
    #expect(folder.problems[2].message.hasPrefix("line 2: "))
  }

  @Test func aFolderWithoutTheLanguageSaysWhatItLookedFor() throws {
    let folder = try Strings(["fr.lproj/Localizable.strings": Data()])
    #expect(
      try folder.read("de-AT").problems.map(\.message) == ["contains none of de-at.lproj, de.lproj, en.lproj"]
    )
    #expect(throws: GivenFile.Failure.self) { try StringsFolder.read("/no/such/folder", language: "en") }
  }

  @Test(arguments: [
    (#"{"aps":{"content-available":1}}"#, true), (#"{"aps":{"content-available":1,"badge":0}}"#, false),
    (#"{"aps":{"content-available":1,"alert":"A"}}"#, false), (#"{"aps":{"badge":3}}"#, false),
    (#"{"aps":{}}"#, true), (#"{"aps":{"sound":"default"}}"#, false),
  ])
  func silenceIsSaid(payload: String, isSilent: Bool) throws {
    let shown = try preview(payload)
    #expect(shown.isSilent == isSilent)
    #expect(shown.lines.contains(isSilent ? "silent:    yes, nothing appears" : "silent:    no"))
  }

  @Test func everythingThatAPhoneWouldShowHasALine() throws {
    let payload =
      #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"one\ntwo"},"badge":0,"sound":{"critical":1,"name":"a","volume":0.5},"category":"INVITE","thread-id":"t","interruption-level":"critical","content-available":1},"acme":[1]}"#
    let shown = try preview(
      payload, categories: ["INVITE": [MessageAction(label: "Accept", url: "https://a.example")]])
    #expect(
      shown.lines == [
        "title:     T", "subtitle:  S", "body:      one", "           two",
        "badge:     0 (clears the number)",
        "sound:     a (critical, volume 0.5)", "category:  INVITE: Accept (https://a.example)",
        "thread:    t",
        "level:     critical", "refresh:   yes, content-available", "silent:    no", "extra:     acme = [1]",
        "size:      \(payload.utf8.count) of 4096 bytes",
      ])
  }

  @Test func problemsKeepTheirNeighbours() throws {
    let shown = try preview(#"{"aps":{"alert":"A","badge":"3","colour":1}}"#)
    #expect(shown.display.body == "A")
    #expect(
      shown.problems.map(\.line) == [
        "$.aps.badge: must be an integer from 0, not a string",
        "$.aps.colour: is not a key that Apple documents",
      ])
  }

  @Test func aPayloadThatIsTooLargeSaysHowMuch() throws {
    let payload = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4096))"}}"#
    let shown = try preview(payload)
    #expect(
      shown.problems.map(\.line) == [
        "$: the payload has \(payload.utf8.count) bytes; at most 4096 are allowed"
      ])
  }

  @Test func hostileTextReachesNoTerminal() throws {
    let shown = try preview(#"{"aps":{"alert":"\u001b[2J%n%s","thread-id":"\u009b1m"},"k\u001b":1}"#)
    #expect(!(shown.lines.joined() + shown.json).unicodeScalars.contains { [0x1B, 0x9B].contains($0.value) })
    #expect(shown.display.body.hasSuffix("%n%s"))
  }

  @Test func theJSONHasAllKeys() async throws {
    let shown = try preview(#"{"aps":{"alert":"A"}}"#)
    #expect(
      shown.json
        == #"{"title":"","subtitle":"","body":"A","action":null,"language":"en","badge":null,"sound":null,"category":null,"actions":[],"thread_id":null,"interruption_level":null,"launch_image":null,"mutable_content":false,"relevance_score":null,"target_content_id":null,"content_available":false,"silent":false,"size":21,"limit":4096,"aps":{"alert":"A"},"extra":{},"problems":[]}"#
    )
  }
}

struct APNsPushTests {
  private func profile() throws -> Profile {
    let now = Date(timeIntervalSince1970: 1_795_219_200)
    let environment = Environment(
      variables: [:], home: "/home/ada", version: "1", now: { now }, clock: { .gmt }, random: { 0 })
    return try Profile(
      settings: Settings(), file: SettingsFile(path: "/none", home: "/home/ada"),
      store: try Store.inMemory(now: now), environment: environment)
  }

  private func push(
    _ payload: String, _ profile: Profile, id: String? = nil, strings: StringsFolder? = nil
  ) async throws -> MessageArrival.PushedPayload {
    try await profile.observedArrival.pushAPNs(Data(payload.utf8), id: id, newID: "new", strings: strings)
  }

  @Test func aPayloadBecomesAMessageWithItsBadge() async throws {
    let profile = try profile()
    let pushed = try await push(
      #"{"aps":{"alert":{"title":"T","body":"B"},"badge":4,"sound":"ping","interruption-level":"critical"},"apns-id":"A-1","k":1}"#,
      profile)
    let message = try #require(pushed.message)
    #expect(message.content.kind == .apns)
    #expect(message.content.title == "T")
    #expect(message.content.remoteID.text == "A-1")
    #expect(message.content.priority.rawValue == 5)
    #expect(message.content.extras?.sound == "ping")
    #expect(message.content.extras?.unknownKeys == #"{"k":1}"#)
    #expect(message.isUnread)
    #expect(try profile.store.sources.statuses().map(\.badge) == [4])
    _ = try await push(#"{"aps":{"badge":0}}"#, profile)
    #expect(try profile.store.sources.statuses().map(\.badge) == [nil])
  }

  @Test func theSameIdUpdatesTheMessage() async throws {
    let profile = try profile()
    let first = try await push(#"{"aps":{"alert":"one"}}"#, profile, id: "x")
    let second = try await push(#"{"aps":{"alert":"two"}}"#, profile, id: "x")
    #expect(first.message?.id == second.message?.id)
    #expect(second.message?.content.body == "two")
  }

  @Test func aSilentPayloadStoresNothing() async throws {
    let profile = try profile()
    let pushed = try await push(#"{"aps":{"content-available":1}}"#, profile)
    #expect(pushed.message == nil)
    #expect(pushed.notes == ["the payload has nothing to show, so nothing was stored"])
    #expect(try profile.status().unread == 0)
  }

  @Test(arguments: ["{}", #"{"aps":1}"#])
  func otherJSONThanPayloadsIsRefused(payload: String) async throws {
    let profile = try profile()
    let failure = await #expect(throws: MessageArrival.UnusablePayload.self) {
      try await push(payload, profile)
    }
    #expect(failure?.sentence.hasPrefix("this is not an APNs payload: $.aps ") == true)
  }

  @Test func stringsFillTheTextAtOnce() async throws {
    let folder = try APNsPreviewTests.Strings(["en.lproj/Localizable.strings": Data(#"GAME = "%@!";"#.utf8)])
    let pushed = try await push(APNsPreviewTests.invite, try profile(), strings: folder.read("en"))
    #expect(pushed.message?.content.body == "Bob!")
  }
}
