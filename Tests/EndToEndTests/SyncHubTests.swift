import Foundation
import StandIns
import TerminalHarness
import TestBasics
import Testing

/// Two machines that meet at a hub: the three built programs.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SyncHubTests {
  private let laptop: Household
  private let server: Household
  private let hub: HubHousehold

  init() throws {
    (laptop, server, hub) = (try Household(), try Household(), try HubHousehold())
    try laptop.write("news.xml", rss("News", (1...3).map { item($0, "Message \($0)") }))
    _ = try hub.output("feed", "add", "ops")
  }

  private func settings(_ machine: Household, _ name: String, token: String) throws {
    try machine.write("token", token)
    try machine.write(
      machine.settingsFile,
      """
      [sync]
      name = "\(name)"
      token_command = ["cat", "\(machine.home)/token"]

      [[source]]
      name = "news"
      url = "\(laptop.home)/news.xml"
      sync_as = "news"

      """)
  }

  private func token(_ arguments: String...) throws -> String {
    let ran = try hub.start(["token", "add"] + arguments).waitForEnd()
    #expect(ran.exit == .status(0), "\(ran.errors)")
    return ran.output.trimmingCharacters(in: .newlines)
  }

  private func unread(_ machine: Household) throws -> Int {
    try machine.run("list", "--unread").output.split(separator: "\n").count
  }

  @Test func twoMachinesMeetAtAHub() throws {
    let (program, client) = try hub.serve()
    let place = "http://127.0.0.1:\(client.port)"
    let ann = try token("laptop", "--person", "ann")
    try settings(laptop, "laptop", token: ann)
    try settings(server, "server", token: try token("server", "--person", "ann"))
    for machine in [laptop, server] { #expect(try machine.run("poll").exit == .status(0)) }
    #expect(try laptop.run("mark", "--read", "1").exit == .status(0))

    let begun = try laptop.run("sync", "init", place)
    #expect(
      begun.output.hasPrefix(
        "\"laptop\" synchronises through \(place): sent 3 changes.\nOn another machine, run reddot sync join \(place)\n"
      ),
      "\(begun.output) \(begun.errors)")
    let key = try laptop.run("sync", "key").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let joined = try server.run("sync", "join", place, key)
    #expect(joined.exit == .status(0), "\(joined.errors)")
    #expect(try unread(server) == 2)
    #expect(try server.run("mark", "--dismiss", "2").exit == .status(0))
    #expect(try server.run("sync").output == "Sent 1 change.\n")
    let received = try laptop.run("sync").output
    #expect(received.hasPrefix("Received ") && received.hasSuffix(" of server.\n"), "\(received)")
    #expect(try unread(laptop) == 1)
    #expect(try laptop.run("sync").output == "Nothing new.\n")
    // The token is in no file of reddot's, and in no error.
    let status = try laptop.run("sync", "status")
    #expect(status.output.contains(place) && !status.output.contains(ann))
    withExtendedLifetime(program) {}
  }

  @Test func whatAHubRefusesIsASentence() throws {
    let (program, client) = try hub.serve()
    let place = "http://127.0.0.1:\(client.port)"
    try settings(laptop, "laptop", token: "rdh_1_wrong")
    #expect(
      try laptop.run("sync", "init", place).errors
        == "reddot: \(place) may not be written: the token is unknown, or has expired\n")
    let reader = try token("reader", "--read", "ops")
    try settings(laptop, "laptop", token: reader)
    #expect(
      try laptop.run("sync", "init", place).errors
        == "reddot: \(place) may not be written: its token is not for sync; create one with reddot-hub token add NAME --person NAME\n"
    )
    try laptop.write(laptop.settingsFile, "[sync]\nname = \"laptop\"\n")
    #expect(
      try laptop.run("sync", "init", place).errors
        == "reddot: \(place) may not be written: token_command under [sync] is empty; set it to a program that prints the token\n"
    )
    withExtendedLifetime(program) {}
    #expect(
      try laptop.run("sync", "init", "https://hub.example/path").errors
        == "reddot: \"https://hub.example/path\" is not the address of a hub; write https://HOST or https://HOST:PORT, without a path\n"
    )
  }
}
