import Foundation
import Messages
import Screen
import Testing
import Translations

@testable import Interface

/// No sentence at the bottom is cut: its end may say what to do.
struct WholeSentencesTests {
  private static let host = "a-rather-long-name.of-a-host.example"
  private static let reason = "the certificate has expired 12 days ago, on 17 November; set verify or ca_file"

  /// Each case of a failure with the one after it, so that none is left out.
  private static func after(_ failure: FetchFailure) -> FetchFailure? {
    switch failure {
    case .invalidAddress: .nameNotFound(host: host)
    case .nameNotFound: .refused(host: host, port: 8443)
    case .refused: .unreachable(host: host, reason: reason)
    case .unreachable: .timedOut(.handshake, seconds: 15)
    case .timedOut: .tls(host: host, reason: reason)
    case .tls: .status(503, reason: reason)
    case .status: .gone
    case .gone: .heldBack(status: 429)
    case .heldBack: .tooLarge(limit: 1 << 20)
    case .tooLarge: .cutOff(received: 12_345)
    case .cutOff: .redirectLoop(limit: 10)
    case .redirectLoop: .badRedirect("file:///etc/passwd")
    case .badRedirect: .notAFeed(found: "a page", alternates: ["https://\(host)/feed.xml"])
    case .notAFeed: .malformed(line: 12, reason: reason)
    case .malformed: .cursorStuck(page: 3)
    case .cursorStuck: .file(path: "/home/ada/feeds/\(host)", reason: reason)
    case .file: .credentials(reason: reason)
    case .credentials: .program(reason: reason)
    case .program: .storage(reason: reason)
    case .storage: .cancelled
    case .cancelled: nil
    }
  }

  private static let failures = Array(
    sequence(first: FetchFailure.invalidAddress("nowhere at all"), next: after))

  @Test(arguments: failures, [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)])
  func aFailureIsWhole(_ failure: FetchFailure, size: Size) throws {
    let sentence = Words.english.sentence(failure).text
    var stage = Stage(columns: size.columns, rows: size.rows)
    stage.send(.failed(failure))
    #expect(has(stage, sentence), "\(stage.screen)")
    // And beside what was typed.
    try stage.press("a")
    stage.type("example")
    try stage.press("enter")
    stage.send(.addAnswered(stage.asked, .failed(failure)))
    #expect(has(stage, sentence), "\(stage.screen)")
    #expect(stage.bottom.contains("example"))
  }

  /// Whatever the breaks of its lines are.
  private func has(_ stage: Stage, _ sentence: String) -> Bool {
    stage.lastLines.filter { $0 != " " }.contains(sentence.filter { $0 != " " })
  }

  @Test(arguments: [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)])
  func aMistakeInTheSettingsIsWhole(size: Size) {
    var stage = Stage(columns: size.columns, rows: size.rows)
    stage.send(
      .settingsMistaken(
        "config.toml:12: tokn: is not a setting here; did you mean token? known are name, title, short, kind")
    )
    #expect(stage.lastLines.contains("tokn: is not a setting here; did you mean token?"), "\(stage.screen)")
  }

  /// A sentence that needs one line takes nothing from the list.
  @Test func aShortSentenceHasOneLine() {
    var stage = Stage(columns: 80, rows: 24)
    let before = stage.lines.dropLast()
    stage.send(.failed(.gone))
    #expect(stage.lines.dropLast() == before)
  }
}
