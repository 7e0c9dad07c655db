import Foundation
import PostgreSQLStandIn
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// Built hubs that share a store, each in a separate process, on a fixed port.
final class HubTeam {
  let household: Household
  private let store: String
  private let more: String
  private var members: [Member]

  private struct Member {
    var port = 0
    var program: Running?
  }

  /// - Parameters:
  ///   - store: as in the settings.
  ///   - more: other lines of the settings.
  init(_ count: Int, store: String, more: String = "") throws {
    household = try Household()
    (self.store, self.more) = (store, more)
    members = Array(repeating: Member(), count: count)
    try writeSettings(0)
  }

  private func file(_ number: Int) -> String { "\(household.home)/hub\(number).toml" }

  private func logFile(_ number: Int) -> String { "\(household.home)/hub\(number).log" }

  /// Returns the complete log of a member, from all its runs.
  func log(_ number: Int) throws -> String { try household.text(of: logFile(number)) }

  private func writeSettings(_ number: Int) throws {
    try household.write(
      file(number),
      """
      listen = "127.0.0.1:\(members[number].port)"
      store = "\(store)"
      connections = 2
      limits = { publish_per_minute = 1000000, read_per_minute = 1000000 }
      \(more)
      """)
  }

  private func program(_ words: [String], _ number: Int) throws -> Running {
    try Running(
      BuiltProduct.path("reddot-hub"), words + ["--config", file(number)],
      environment: household.environment, keeping: household)
  }

  func run(_ words: String...) throws -> Ran { try run(words) }

  func run(_ words: [String]) throws -> Ran { try program(words, 0).waitForEnd() }

  /// Returns the output of a command, which has to succeed.
  func output(_ words: String...) throws -> String {
    let ran = try run(words)
    #expect(ran.exit == .status(0), "\(words): \(ran.errors)")
    return ran.output.trimmingCharacters(in: .newlines)
  }

  /// Starts or restarts a member, and repeats this until it listens. It does not listen while the store is unavailable.
  @discardableResult func start(_ number: Int) throws -> LoopbackClient {
    try writeSettings(number)
    let end = ContinuousClock.now + HangLimit.duration
    while true {
      // The log goes into a file: a pipe is not read while the hub serves, and the hub would wait for that.
      let running = try Running(
        "/bin/sh",
        [
          "-c", "exec \"$0\" \"$@\" 2>>\"$LOG\"", BuiltProduct.path("reddot-hub"), "serve", "--config",
          file(number),
        ], environment: household.environment.merging(["LOG": logFile(number)]) { $1 }, keeping: household)
      var port: Int?
      do {
        try running.wait(for: "the port") { running in
          let line = String(decoding: running.outputBytes, as: UTF8.self)
          port = line.firstMatch(of: #/Listening on 127\.0\.0\.1:(\d+), store \S+, schema 4\.\n/#)
            .flatMap { Int($0.1) }
          return port != nil
        }
      } catch  where ContinuousClock.now < end { continue }
      members[number].port = try #require(port)
      try writeSettings(number)
      members[number].program = running
      return LoopbackClient(port: members[number].port)
    }
  }

  func signal(_ number: Int, _ signal: Int32) throws {
    let program = try #require(members[number].program)
    kill(program.process, signal)
  }

  /// Ends a member, and waits for its end.
  @discardableResult func end(_ number: Int, _ signal: Int32) throws -> Ran {
    let program = try #require(members[number].program)
    kill(program.process, signal)
    members[number].program = nil
    return try program.waitForEnd()
  }
}
