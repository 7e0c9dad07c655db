import Foundation
import HTTP
import Platform
import Profile
import Sync
import Synchronization
import TerminalHarness
import TestBasics

/// A hub on loopback, run by the built program in a temporary folder. It ends with this process at the latest.
final class HubHost: Sendable {
  private static let one = Result { try HubHost() }
  static var shared: HubHost { get throws { try one.get() } }

  struct Failed: Error {
    var event: String
  }

  let address: String
  private let script: Mutex<PipedProgram>
  private let alarm: Alarm
  private let persons = Mutex(0)

  /// The settings, in which `%s` is the folder.
  private static let settings = """
    listen = "127.0.0.1:0"
    store = "sqlite:%s/hub.db"
    limits = { publish_per_minute = 100000, read_per_minute = 100000 }

    """

  private init() throws {
    // The program does the same.
    signal(SIGPIPE, SIG_IGN)
    alarm = try Alarm()
    let started = try PipedProgram(
      [
        "sh", "-c",
        """
        hub=$1
        folder=$(mktemp -d) || exit
        trap '' PIPE
        trap 'kill $process; rm -rf "$folder"' EXIT
        printf "$2" "$folder" >"$folder/hub.toml"
        "$hub" serve --config "$folder/hub.toml" 2>/dev/null </dev/null &
        process=$!
        while read -r name; do "$hub" token add "$name" --person "$name" --config "$folder/hub.toml"; done
        """, "hub", BuiltProduct.path("reddot-hub"), Self.settings,
      ], environment: ["PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no"])
    let line = try Self.answer(of: started, to: "", alarm)
    guard let port = line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/)?.1 else { throw Failed(event: line) }
    address = "http://127.0.0.1:\(port)"
    script = Mutex(started)
  }

  private static func answer(of script: PipedProgram, to line: String, _ alarm: Alarm) throws -> String {
    var bytes = Array(line.utf8)[...]
    var answer: [UInt8] = []
    while !bytes.isEmpty || answer.last != UInt8(ascii: "\n") {
      guard case .moved(let came) = script.move(&bytes, within: HangLimit.duration, alarm: alarm) else {
        throw Failed(event: "\(line) failed: \(script.end())")
      }
      answer += came
    }
    return String(decoding: answer.dropLast(), as: UTF8.self)
  }

  /// Returns the token of a new user, who has no objects.
  func person() throws -> String {
    let name = persons.withLock { number in
      number += 1
      return "person\(number)"
    }
    return try script.withLock { try Self.answer(of: $0, to: "\(name)\n", alarm) }
  }

  func place(token: String) throws -> HTTPPlace { try hubPlace(address, token: { token }) }
}

/// - Parameter token: called for each token.
func hubPlace(_ address: String, token: @escaping @Sendable () -> String) throws -> HTTPPlace {
  try HTTPPlace(address: address, LiveTransport.Options(version: "tests", now: { Date() })) {
    () async throws(HTTPPlace.NoToken) in
    token()
  } words: {
    "\($0)"
  }
}
