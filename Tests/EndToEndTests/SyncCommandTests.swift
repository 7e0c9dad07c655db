import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Two machines: the built program with two home folders, and a folder that both machines share.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SyncCommandTests {
  private let laptop: Household
  private let server: Household
  private let place: String

  /// The two machines follow one feed, with the same name.
  init() throws {
    (laptop, server) = (try Household(), try Household())
    place = "\(laptop.home)/place"
    try laptop.write("news.xml", rss("News", (1...3).map { item($0, "Message \($0)") }))
    for (machine, name) in [(laptop, "laptop"), (server, "server")] {
      try machine.write(
        machine.settingsFile,
        """
        [sync]
        name = "\(name)"

        [[source]]
        name = "news"
        url = "\(laptop.home)/news.xml"
        sync_as = "news"

        """)
      #expect(try machine.run("poll").exit == .status(0))
    }
  }

  private func key() throws -> String {
    try laptop.run("sync", "key").output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func join() throws {
    #expect(try laptop.run("sync", "init", place).exit == .status(0))
    #expect(try server.run("sync", "join", place, try key()).exit == .status(0))
  }

  private func unread(_ machine: Household) throws -> Int {
    try machine.run("list", "--unread").output.split(separator: "\n").count
  }

  @Test func twoMachinesMeetInAFolder() throws {
    #expect(
      try laptop.run("sync").errors
        == "reddot: nothing is synchronised yet; run reddot sync init PLACE, or reddot sync join PLACE to join another machine\n"
    )
    #expect(
      try laptop.run("sync", "init", "\(laptop.home)/not/mounted").errors
        == "reddot: ~/not/mounted cannot be created: its parent folder does not exist; create or mount that folder, and try again\n"
    )
    #expect(try !laptop.text(of: laptop.settingsFile).contains("place"))
    let secret = try laptop.run("sync", "init", "postgresql://ann:s3cret/reddot")
    #expect(secret.errors.hasPrefix("reddot: \"postgresql://…\" names a port"))
    #expect(try laptop.run("mark", "--star", "1").exit == .status(0))
    let begun = try laptop.run("sync", "init", place)
    #expect(
      begun.output == """
        "laptop" synchronises through ~/place: sent 3 changes.
        On another machine, run reddot sync join ~/place
        That command asks for the key; run reddot sync key here to see it.

        """, "\(begun.errors)")
    #expect(
      try laptop.run("sync", "init", place).errors
        == "reddot: ~/place is already set up; run reddot sync join ~/place\n")
    let key = try key()
    #expect(key.count == 69 && key.split(separator: "-").count == 14)
    let file = "\(laptop.home)/.local/share/reddot/sync.key"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // Join with something that is no key, with a mistyped key, and with the right key.
    #expect(try server.run("sync", "join", place, "G0D2").errors.hasPrefix("reddot: this is not a key, "))
    let slip = key.dropLast() + (key.hasSuffix("0") ? "1" : "0")
    #expect(
      try server.run("sync", "join", place, String(slip)).errors
        == "reddot: the key has a typing error; compare it with the output of reddot sync key\n")
    #expect(try server.run("sync", "status").exit == .status(1))
    let joined = try server.run("sync", "join", place, key.lowercased())
    #expect(joined.output == "\"server\" joined laptop: received 3 changes, sent 2.\n", "\(joined.errors)")
    #expect(try server.run("list", "--starred").output.contains("Message"))
    #expect(try server.run("sync").output == "Nothing new.\n")
    // Changes are sent before the command ends.
    #expect(try server.run("mark", "--read", "--all").exit == .status(0))
    #expect(try laptop.run("sync").output.hasPrefix("Received "))
    #expect(try unread(laptop) == 0)
    let status = try laptop.run("sync", "status").output
    #expect(status.hasPrefix("laptop: ~/place, last synchronised "))
    #expect(status.contains("; nothing waits.\n  server   "))
    #expect(try laptop.run("sync", "status", "--json").output.contains("\"waiting\":0"))
  }

  @Test func aMachineLeavesAndGoesOnAsTheSame() throws {
    try join()
    #expect(try server.run("sync", "leave").output == "Left \(place). Nothing is deleted, here or there.\n")
    #expect(try !server.text(of: server.settingsFile).contains("place"))
    #expect(try server.run("sync").exit == .status(1))
    #expect(try server.run("mark", "--star", "1").exit == .status(0))
    let back = try server.run("sync", "join", place, try key())
    #expect(back.output.hasPrefix("\""), "\(back.errors)")
    #expect(back.output.hasSuffix("joined laptop: received 0 changes, sent 1.\n"), "\(back.output)")
    #expect(try laptop.run("sync").exit == .status(0))
    #expect(try laptop.run("list", "--starred").output.contains("Message"))
  }

  @Test func aPlaceIsMovedWithANewKey() throws {
    try join()
    #expect(try server.run("mark", "--read", "--all").exit == .status(0))
    let old = try key()
    let moved = try laptop.run("sync", "move", "\(laptop.home)/other", "--new-key")
    #expect(
      moved.output.hasSuffix(" of 2 machines to ~/other.\nOn server, run reddot sync join ~/other\n"),
      "\(moved.output) \(moved.errors)")
    #expect(try key() != old)
    #expect(
      try server.run("sync", "join", "\(laptop.home)/other", old).errors
        == "reddot: wrong key for \(laptop.home)/other; run reddot sync key on a joined machine to see the right one\n"
    )
    let joined = try server.run("sync", "join", "\(laptop.home)/other", try key())
    #expect(joined.output == "\"server\" joined laptop: received 0 changes, sent 0.\n", "\(joined.errors)")
    #expect(try laptop.run("mark", "--star", "1").exit == .status(0))
    #expect(try server.run("sync").output == "Received 1 of laptop.\n")
  }

  private func keyFile(_ machine: Household) -> String { "\(machine.home)/.local/share/reddot/sync.key" }

  private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  /// A refused command leaves no key, location or setting behind, and works as soon as its obstacle is removed.
  @Test func aRefusedSetUpLeavesNothingBehind() throws {
    let settings = try laptop.text(of: laptop.settingsFile)
    #expect(try laptop.run("sync", "init", "\(laptop.home)/not/mounted").exit == .status(1))
    #expect(text(keyFile(laptop)) == nil && text(keyFile(laptop) + ".next") == nil)
    #expect(text(laptop.settingsFile) == settings)
    // Settings in this form can only be edited by the user.
    let inline = settings.replacing("[sync]\nname = \"laptop\"\n", with: "sync = { name = \"laptop\" }\n")
    try laptop.write(laptop.settingsFile, inline)
    let refused = try laptop.run("sync", "init", place)
    #expect(
      refused.errors.hasSuffix(
        "has a form that reddot cannot edit; edit it yourself: write place under [sync] there\n"),
      "\(refused.errors)")
    #expect(text(keyFile(laptop)) == nil && text(keyFile(laptop) + ".next") == nil)
    #expect(!FileManager.default.fileExists(atPath: place))
    try laptop.write(laptop.settingsFile, settings)
    try join()
    // Joining elsewhere: the key of the place that stays is not lost.
    let former = text(keyFile(server))
    let third = try Household()
    try third.write(third.settingsFile, "")
    #expect(try third.run("sync", "init", "\(third.home)/other").exit == .status(0))
    let other = try third.run("sync", "key").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let joined = try server.text(of: server.settingsFile)
    try server.write(
      server.settingsFile,
      joined.replacing(
        "[sync]\nname = \"server\"\nplace = \"\(place)\"\n",
        with: "sync = { name = \"server\", place = \"\(place)\" }\n"))
    #expect(try server.run("sync", "join", "\(third.home)/other", other).exit == .status(1))
    #expect(try server.run("sync", "join", place, other).errors.hasPrefix("reddot: wrong key for "))
    #expect(text(keyFile(server)) == former)
    #expect(try server.run("sync").output == "Nothing new.\n")
    #expect(
      try server.run(["sync", "join", place], input: "").errors
        == "reddot: no key was given; run reddot sync key on a joined machine to see it\n")
  }

  /// After every state that a killed `init` can leave, the next `init` completes the set-up with the same key.
  @Test func aSetUpThatWasKilledIsCompletedByTheNext() throws {
    let settings = try laptop.text(of: laptop.settingsFile)
    let database = "\(laptop.home)/.local/share/reddot"
    try FileManager.default.copyItem(atPath: database, toPath: "\(laptop.home)/before")
    #expect(try laptop.run("sync", "init", place).exit == .status(0))
    let (named, key) = (try laptop.text(of: laptop.settingsFile), try laptop.text(of: keyFile(laptop)))
    for state in 0..<4 {
      try FileManager.default.removeItem(atPath: database)
      try FileManager.default.copyItem(atPath: "\(laptop.home)/before", toPath: database)
      // In these states, the key is stored for later, the settings name the location, the marker is written, the key is final.
      try laptop.write(
        state < 3 ? keyFile(laptop) + ".next" : keyFile(laptop), key + (state < 3 ? "\(place)\n" : ""))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: state < 3 ? keyFile(laptop) + ".next" : keyFile(laptop))
      try laptop.write(laptop.settingsFile, state == 0 ? settings : named)
      for name in try FileManager.default.contentsOfDirectory(atPath: place)
      where state < 2 || !name.hasPrefix("000") {
        try FileManager.default.removeItem(atPath: "\(place)/\(name)")
      }
      let again = try laptop.run("sync", "init", place)
      #expect(
        again.output.hasPrefix("\"laptop\" synchronises through ~/place: sent 2 changes"),
        "\(state) \(again.errors)")
      #expect(text(keyFile(laptop)) == key && text(keyFile(laptop) + ".next") == nil, "\(state)")
      #expect(try laptop.text(of: laptop.settingsFile) == named)
    }
    #expect(try server.run("sync", "join", place, self.key()).exit == .status(0))
  }

  /// After every state that a killed `move --new-key` can leave, the next one completes the move.
  @Test func aMoveThatWasKilledIsCompletedByTheNext() throws {
    try join()
    let (settings, old) = (try laptop.text(of: laptop.settingsFile), try laptop.text(of: keyFile(laptop)))
    let other = "\(laptop.home)/other"
    #expect(try laptop.run("sync", "move", other, "--new-key").exit == .status(0))
    let (moved, new) = (try laptop.text(of: laptop.settingsFile), try laptop.text(of: keyFile(laptop)))
    func kept(_ settings: String) throws {
      try laptop.write(keyFile(laptop), old)
      try laptop.write(keyFile(laptop) + ".next", new + other + "\n")
      for name in [keyFile(laptop), keyFile(laptop) + ".next"] {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: name)
      }
      try laptop.write(laptop.settingsFile, settings)
    }
    // The location is complete, but the settings don't name it. The earlier sync continues, and the same command
    // completes the move.
    try kept(settings)
    #expect(try laptop.run("sync").output == "Nothing new.\n")
    let again = try laptop.run("sync", "move", other, "--new-key")
    #expect(again.output.contains(" of 2 machines to ~/other.\n"), "\(again.errors)")
    #expect(text(keyFile(laptop)) == new && text(keyFile(laptop) + ".next") == nil)
    // The settings name it, the key wasn't in its place yet.
    try kept(moved)
    #expect(try laptop.run("sync").output == "Nothing new.\n")
    #expect(text(keyFile(laptop)) == new)
    // A further move is refused, since the location is already set up; the key stays.
    for target in [other, "\(laptop.home)/../\((laptop.home as NSString).lastPathComponent)/other"] {
      let refused = try laptop.run("sync", "move", target, "--new-key")
      #expect(refused.errors.contains("is already set up"), "\(refused.errors)")
      #expect(text(keyFile(laptop)) == new && text(keyFile(laptop) + ".next") == nil)
    }
    #expect(try server.run("sync", "join", other, key()).exit == .status(0))
    #expect(try server.run("list", "--unread").output.split(separator: "\n").count == 3)
  }

  /// The beginner's slip: `init` on both machines, in a folder that is carried.
  @Test func joiningAfterAnInitOfOnesOwnDeletesItsObjects() throws {
    #expect(try laptop.run("sync", "init", place).exit == .status(0))
    #expect(try server.run("sync", "init", "\(server.home)/place").exit == .status(0))
    // The server's objects arrive in the laptop's folder, except the marker; there the laptop's own stays.
    let marker = String(repeating: "0", count: 32)
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(server.home)/place")
    where name != marker {
      try FileManager.default.copyItem(atPath: "\(server.home)/place/\(name)", toPath: "\(place)/\(name)")
    }
    let early = try laptop.run("sync")
    #expect(early.exit == .status(0) && early.errors.contains("damaged and was left out"), "\(early.errors)")
    try FileManager.default.removeItem(atPath: "\(server.home)/place")
    try FileManager.default.createSymbolicLink(atPath: "\(server.home)/place", withDestinationPath: place)
    #expect(try server.run("sync").errors.hasPrefix("reddot: wrong key for ~/place; "))
    #expect(try server.run("sync", "join", "\(server.home)/place", key()).exit == .status(0))
    #expect(try server.run("mark", "--star", "2").exit == .status(0))
    let said = try laptop.run("sync")
    #expect(said.output.hasPrefix("Received ") && said.errors == "", "\(said.output) \(said.errors)")
    #expect(try laptop.run("list", "--starred").output.contains("Message"))
  }

  @Test func whatElseTheTableHoldsStaysWhenAMachineLeaves() throws {
    try laptop.write(
      laptop.settingsFile,
      laptop.text(of: laptop.settingsFile).replacing("[sync]\n", with: "[sync]\nsources = false\n"))
    try join()
    let before = try laptop.text(of: laptop.settingsFile)
    #expect(try laptop.run("sync", "leave").exit == .status(0))
    #expect(try laptop.text(of: laptop.settingsFile) == before.replacing("place = \"~/place\"\n", with: ""))
  }

  @Test func aFolderThatIsNotMountedIsNamedAndNothingIsWritten() throws {
    try join()
    try FileManager.default.moveItem(atPath: place, toPath: place + ".away")
    #expect(try laptop.run("mark", "--read", "--all").exit == .status(0))
    let failed = try laptop.run("sync")
    #expect(failed.exit == .status(1))
    #expect(
      failed.errors
        == "reddot: nothing is set up in ~/place; mount it if it is not mounted, or run reddot sync init ~/place on the first machine\n"
    )
    #expect(!FileManager.default.fileExists(atPath: place))
    #expect(try laptop.run("sync", "status").output.contains("; 1 change waits since "))
    // Polls continue; the failure was reported before.
    #expect(try laptop.run("poll").errors == "")
    try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
    #expect(try laptop.run("sync").output.hasPrefix("Sent 1 change."))
    #expect(try server.run("sync").output == "Received 1 of laptop.\n")
  }

  @Test func whatIsReadOnOneScreenIsReadOnTheOther() throws {
    try join()
    let left = try laptop.inbox(columns: 100, rows: 24)
    let right = try server.inbox(columns: 100, rows: 24)
    try left.wait(forText: "Message 2")
    try right.wait(forText: "Message 2")
    left.send("jd")
    try left.wait(forNoText: "Message 2")
    try right.wait(forNoText: "Message 2")
    left.send("U")
    try left.wait(forText: "Message 2")
    try left.leave()
    try right.wait(forText: "Message 2")
    try right.leave()
  }
}
