import Formats
import Foundation
import Messages
import Testing

@testable import Banners
@testable import Platform
@testable import reddot

struct BannerExplanationTests {
  static let now = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21T00:00:00Z

  private func explain(_ text: String, states: String = "{}", wifi: Bool = false) throws -> BannerExplanation
  {
    BannerExplanation(
      try GivenControlFile.controlFile(Data(text.utf8), name: "c.json"),
      states: try BannerStates.read(Data(states.utf8)),
      in: BannerEnvironment(
        now: Self.now, isOnWifi: wifi, appVersion: "1.9", osVersion: "13", features: ["dark"]))
  }

  private static func banner(_ conditions: String) -> String {
    #"{"entry":"v","conditions":\#(conditions),"views":{"v":{"file":"https://a.example/v.html"}}}"#
  }

  @Test func theJSONHasTheAgreedShape() throws {
    let explanation = try explain(
      #"{"old":\#(Self.banner(#"{"all":{"appVersionLessThan":"1.10","onWifi":true}}"#)),"new":\#(Self.banner(#"{"any":{"colour":1}}"#)),"plain":\#(Self.banner("{}"))}"#
    )
    #expect(
      explanation.json
        == #"{"shown":"plain","banners":[{"name":"old","holds":false,"conditions":[{"group":"all","name":"appVersionLessThan","value":"1.10","holds":true,"why":"the app's version 1.9 is less than 1.10"},{"group":"all","name":"onWifi","value":true,"holds":false,"why":"the network is not Wi-Fi"}],"problems":[]},{"name":"new","holds":false,"conditions":[{"group":"any","name":"colour","value":1,"holds":false,"why":"no condition has this name"}],"problems":[{"at":"$.new.conditions.any.colour","message":"is not a condition, so it counts as false; known are onWifi, neverDisplayed, lastDisplayMinimumSeconds, lastDisplayMinimumLaunches, flagNotSet, osVersionLessThan, iOSVersionLessThan, appVersionLessThan and featureEnabled"}]},{"name":"plain","holds":true,"conditions":[],"problems":[]}]}"#
    )
  }

  @Test func peopleReadWhatDecided() throws {
    let explanation = try explain(
      #"{"a":\#(Self.banner(#"{"all":{"onWifi":true}}"#)),"b":{"entry":"w"},"c":\#(Self.banner(#"{"any":{"featureEnabled":"dark","onWifi":true}}"#)),"d":\#(Self.banner("{}")),"e":\#(Self.banner(#"{"any":{"featureEnabled":"x"}}"#))}"#
    )
    let headers = explanation.lines(isUTF8: true).filter { $0.hasPrefix("✓") || $0.hasPrefix("✗") }
    #expect(
      headers == [
        "✗ a: not shown, onWifi fails: the network is not Wi-Fi", "✓ b: not shown, its entry names no view",
        "✓ c: shown, by featureEnabled", "✓ d: not shown, though its conditions hold: c comes before it",
        "✗ e: not shown, none of the conditions of any holds",
      ])
    #expect(explanation.lines(isUTF8: false).first == "shown: c")
    #expect(
      explanation.lines(isUTF8: false).contains(
        "    all  fails  onWifi true: the network is not Wi-Fi"))
  }

  static let again = #"{"b":\#(banner(#"{"all":{"lastDisplayMinimumLaunches":3}}"#))}"#
  static let later = #"{"b":\#(banner(#"{"all":{"lastDisplayMinimumSeconds":60}}"#))}"#
  static let first = #"{"b":\#(banner(#"{"all":{"neverDisplayed":true,"flagNotSet":"never"}}"#))}"#

  @Test(arguments: [
    (again, "{}", false), (again, #"{"b":{"launches":3}}"#, false), (again, #"{"b":{"launches":4}}"#, true),
    (later, "{}", true), (later, #"{"b":{"displayed":true,"last_display":"2026-11-20T23:59:00Z"}}"#, false),
    (later, #"{"b":{"displayed":true,"last_display":"2026-11-20T23:58:59Z"}}"#, true),
    (later, #"{"b":{"displayed":false,"last_display":"2026-11-20T23:59:00Z"}}"#, true),
    (first, "{}", true), (first, #"{"b":{"displayed":true}}"#, false),
    (first, #"{"b":{"last_display":"2026-11-20T23:59:00Z"}}"#, false),
    (first, #"{"b":{"flags":{"never":true}}}"#, false), (first, #"{"b":{"flags":{"never":false}}}"#, true),
    (first, #"{"other":{"displayed":true}}"#, true),
  ])
  func theStateFileDecides(file: String, state: String, isShown: Bool) throws {
    #expect((try explain(file, states: state).shown == "b") == isShown)
  }

  @Test(arguments: [
    ("[]", "the state's $ must be an object whose keys are banner names"),
    (#"{"b":1}"#, "the state's $.b must be an object"),
    (#"{"b":{"displayed":"yes"}}"#, "the state's $.b.displayed must be true or false"),
    (
      #"{"b":{"last_display":7}}"#,
      "the state's $.b.last_display must be a time like 2026-11-20T09:00:00Z, or null"
    ),
    (#"{"b":{"launches":-1}}"#, "the state's $.b.launches must be an integer from 0"),
    (#"{"b":{"flags":{"f":1}}}"#, "the state's $.b.flags.f must be true or false"),
    (
      #"{"b":{"lunches":1}}"#,
      "the state's $.b.lunches is not known; allowed are displayed, last_display, launches, flags"
    ),
  ])
  func aStateThatCannotBeIsNamed(state: String, sentence: String) throws {
    let refusal = #expect(throws: BannerStates.Refusal.self) { try BannerStates.read(Data(state.utf8)) }
    #expect(refusal?.sentence == sentence)
  }

  @Test(arguments: [
    ("", "c.json:1:1: "), ("[]", "c.json: $ must be an object whose keys are banner names"),
    ("{\n \"a\" 1}", "c.json:2:6: "),
  ])
  func anInvalidControlFileIsReportedWithItsPosition(text: String, beginning: String) throws {
    let failure = #expect(throws: GivenFile.Failure.self) { try explain(text) }
    #expect(failure?.sentence.hasPrefix(beginning) == true, "\(failure?.sentence ?? "")")
  }

  @Test func hostileNamesReachNoTerminal() throws {
    let explanation = try explain(
      #"{"\u001b[2J":{"entry":"\u0007","conditions":{"all":{"\u009b":"\u001b"}}}}"#)
    let text = explanation.lines(isUTF8: true).joined() + explanation.json
    #expect(!text.unicodeScalars.contains { $0.value < 32 || (127...159).contains($0.value) })
  }
}

struct BannerEnvironmentTests {
  private static let header =
    "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
  private static let wired = "eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
  private static let wireless = "wlan0\t00000000\t0100A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n"
  private static let local = "wlan0\t0000A8C0\t00000000\t0001\t0\t0\t1\t00FFFFFF\t0\t0\t0\n"
  private static let six =
    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003    wlan0\n"

  @Test(arguments: [
    (["route": header + wireless + wired], false), (["route": header + wireless], true),
    (["route": header + local + wired], false), (["route": header, "ipv6_route": six], true), ([:], false),
    (["route": header + "../x\t00000000\t0\t3\t0\t0\t0\t00000000\n"], false),
  ])
  func wifiIsTheInterfaceOfTheDefaultRoute(files: [String: String], isWifi: Bool) throws {
    let folder = try SettingsFileTests.Folder()
    let net = folder.url.appending(path: "proc/net")
    try FileManager.default.createDirectory(at: net, withIntermediateDirectories: true)
    for name in ["wlan0/wireless", "eth0"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: "sys/class/net/\(name)"), withIntermediateDirectories: true)
    }
    for (name, text) in files { try Data(text.utf8).write(to: net.appending(path: name)) }
    #expect(DefaultRoute(root: folder.url.path).isWifi == isWifi)
  }

  @Test(arguments: [
    ("NAME=\"Debian\"\nVERSION_ID=\"13\"\n", "13"), ("VERSION_ID=24.04", "24.04"), ("NAME=Arch\n", "6.1"),
    (nil, "6.1"),
  ])
  func theSystemsVersionIsItsReleases(text: String?, version: String) {
    #expect(SystemVersion.read(osRelease: text, fallback: "6.1") == version)
  }
}
