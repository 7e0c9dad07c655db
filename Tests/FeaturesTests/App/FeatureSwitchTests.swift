import Basics
import Foundation
import Messages
import Screen
import Testing

@testable import Platform
@testable import Profile
@testable import Settings
@testable import Storage
@testable import reddot

struct FeatureSwitchTests {
  private let environment = Environment(
    variables: [:], home: "/home/ada", version: "1", now: { .distantPast }, clock: { .gmt }, random: { 0 })

  private func list() -> FeatureList {
    let changed = Date(timeIntervalSince1970: 1_795_219_200)
    return FeatureList(
      features: [
        Feature(
          name: "dark", isEnabled: true, data: #"{"name":"dark"}"#, source: SourceID(1),
          remoteID: RemoteID("17"), changed: changed,
          reason: .holdsUntil(changed.addingTimeInterval(3600))),
        Feature(
          name: "bad\u{1b}[2J", isEnabled: false, data: nil, source: SourceID(2), remoteID: RemoteID("x"),
          changed: changed, reason: .begins(changed.addingTimeInterval(3600))),
      ], sourceNames: [SourceID(1): "team"])
  }

  @Test func eachFeatureNamesTheMessageThatSetIt() {
    #expect(
      list().report(environment).lines().map(\.plain) == [
        #"on   dark     team 17  2026-11-21 00:00  until 2026-11-21 01:00, when this expires  {"name":"dark"}"#,
        "off  bad\u{FFFD}[2J  (removed source) x  2026-11-21 00:00  this begins 2026-11-21 01:00",
      ])
  }

  @Test func theJSONIsAnObjectALine() {
    #expect(
      list().report(environment).jsonLines == [
        #"{"name":"dark","enabled":true,"data":{"name":"dark"},"source":"team","remote_id":"17","changed":"2026-11-21T00:00:00Z","until":"2026-11-21T01:00:00Z","why":"until 2026-11-21 01:00, when this expires"}"#,
        #"{"name":"bad\u001b[2J","enabled":false,"data":null,"source":null,"remote_id":"x","changed":"2026-11-21T00:00:00Z","until":"2026-11-21T01:00:00Z","why":"this begins 2026-11-21 01:00"}"#,
      ])
  }

  @Test func aStoreWithoutFeaturesHasNoLines() throws {
    let store = try Store.inMemory(now: .distantPast)
    let profile = try Profile(
      settings: Settings(), file: SettingsFile(path: "/none", home: "/home/ada"), store: store,
      environment: environment)
    #expect(try profile.features().report(environment).lines().isEmpty)
    #expect(try profile.features().report(environment).jsonLines.isEmpty)
  }
}
