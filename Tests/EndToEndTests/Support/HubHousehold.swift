import Foundation
import StandIns
import TerminalHarness
import Testing

/// The built `reddot-hub`, with a separate home.
struct HubHousehold {
  let household: Household

  init() throws {
    household = try Household()
    try settings(port: 0)
  }

  /// - Parameter more: further settings.
  func settings(port: Int, more: String = "") throws {
    try household.write(
      "hub.toml",
      """
      listen = "127.0.0.1:\(port)"
      store = "sqlite:\(household.home)/hub.db"
      address = "http://127.0.0.1:\(port)"
      \(more)
      """)
  }

  func start(_ words: [String], _ environment: [String: String] = [:]) throws -> Running {
    try Running(
      BuiltProduct.path("reddot-hub"), words + ["--config", "\(household.home)/hub.toml"],
      environment: household.environment.merging(environment) { $1 }, keeping: household)
  }

  func run(_ words: String...) throws -> Ran { try start(words).waitForEnd() }

  /// Returns the output of a command, which has to succeed.
  func output(_ words: String...) throws -> String {
    let ran = try start(words).waitForEnd()
    #expect(ran.exit == .status(0), "\(words): \(ran.errors)")
    return ran.output.trimmingCharacters(in: .newlines)
  }

  /// Starts the hub. Once its port is known, it always uses the same port.
  ///
  /// - Parameter files: the argument of `ulimit` before the start; empty for none.
  func serve(more: String = "", files: String = "") throws -> (program: Running, client: LoopbackClient) {
    if !more.isEmpty { try settings(port: 0, more: more) }
    let program =
      files.isEmpty
      ? try start(["serve"])
      : try Running(
        "/bin/sh",
        [
          "-c", "ulimit \(files); exec \"$0\" serve --config \"$1\"", BuiltProduct.path("reddot-hub"),
          "\(household.home)/hub.toml",
        ], environment: household.environment, keeping: household)
    var port: Int?
    try program.wait(for: "the port") { running in
      let line = String(decoding: running.outputBytes, as: UTF8.self)
      let found = line.firstMatch(of: #/Listening on 127\.0\.0\.1:(\d+), store sqlite:\S+, schema 4\.\n/#)
      port = found.flatMap { Int($0.1) }
      return port != nil
    }
    let found = try #require(port)
    try settings(port: found, more: more)
    return (program, LoopbackClient(port: found))
  }
}
