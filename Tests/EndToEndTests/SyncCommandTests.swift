import Foundation
import TerminalHarness
import TestBasics
import Testing

/// Two machines on one desk: the built program, each with its own home, and a folder that both have.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SyncCommandTests {
  private let laptop: Household
  private let server: Household
  private let place: String

  /// Both follow one feed, by the same name for the machines.
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
        == "reddot: Nothing is synchronised yet: reddot sync init PLACE begins, reddot sync join PLACE joins another machine.\n"
    )
    #expect(
      try laptop.run("sync", "init", "\(laptop.home)/not/mounted").errors
        == "reddot: ~/not/mounted can't be made: the folder that is to hold it isn't there. Make it, or mount it, and begin again.\n"
    )
    #expect(try !laptop.text(of: laptop.settingsFile).contains("place"))
    let secret = try laptop.run("sync", "init", "postgresql://ann:s3cret/reddot")
    #expect(secret.errors.hasPrefix("reddot: \"postgresql://…\" names a port"))
    #expect(try laptop.run("mark", "--star", "1").exit == .status(0))
    let begun = try laptop.run("sync", "init", place)
    #expect(
      begun.output == """
        "laptop" synchronises through ~/place: sent 3 acts.
        On another machine: reddot sync join ~/place
        It asks for the key that reddot sync key prints here.

        """, "\(begun.errors)")
    #expect(
      try laptop.run("sync", "init", place).errors
        == "reddot: ~/place is set up already: reddot sync join ~/place\n")
    let key = try key()
    #expect(key.count == 69 && key.split(separator: "-").count == 14)
    let file = "\(laptop.home)/.local/share/reddot/sync.key"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // By a slip, by another key, then right.
    #expect(try server.run("sync", "join", place, "G0D2").errors.hasPrefix("reddot: That is no key: "))
    let slip = key.dropLast() + (key.hasSuffix("0") ? "1" : "0")
    #expect(
      try server.run("sync", "join", place, String(slip)).errors == "reddot: There is a slip in that key.\n")
    #expect(try server.run("sync", "status").exit == .status(1))
    let joined = try server.run("sync", "join", place, key.lowercased())
    #expect(joined.output == "\"server\" joined laptop: received 3 acts, sent 2.\n", "\(joined.errors)")
    #expect(try server.run("list", "--starred").output.contains("Message"))
    #expect(try server.run("sync").output == "Nothing new.\n")
    // What is done is sent before the command ends.
    #expect(try server.run("mark", "--read", "--all").exit == .status(0))
    #expect(try laptop.run("sync").output.hasPrefix("Received "))
    #expect(try unread(laptop) == 0)
    let status = try laptop.run("sync", "status").output
    #expect(status.hasPrefix("laptop: ~/place, last synchronised "))
    #expect(status.contains("; nothing waits.\n  server   "))
    #expect(try laptop.run("sync", "status", "--json").output.contains("\"waiting\":0"))
  }

  @Test func anUndoIsEverywhere() throws {
    try join()
    #expect(try laptop.run("mark", "--read", "--all").exit == .status(0))
    #expect(try server.run("sync").output.hasPrefix("Received "))
    #expect(try unread(server) == 0)
    #expect(try laptop.run("undo").exit == .status(0))
    #expect(try server.run("sync").output.hasPrefix("Received "))
    #expect(try unread(server) == 3)
    // Only own acts can be taken back.
    #expect(try server.run("undo").errors == "reddot: nothing to undo\n")
  }

  @Test func aMachineLeavesAndGoesOnAsTheSame() throws {
    try join()
    #expect(try server.run("sync", "leave").output == "Left \(place). What you did stays here and there.\n")
    #expect(try !server.text(of: server.settingsFile).contains("place"))
    #expect(try server.run("sync").exit == .status(1))
    #expect(try server.run("mark", "--star", "1").exit == .status(0))
    let back = try server.run("sync", "join", place, try key())
    #expect(back.output.hasPrefix("\""), "\(back.errors)")
    #expect(back.output.hasSuffix("joined laptop: received 0 acts, sent 1.\n"), "\(back.output)")
    #expect(try laptop.run("sync").exit == .status(0))
    #expect(try laptop.run("list", "--starred").output.contains("Message"))
  }

  @Test func aPlaceIsMovedWithANewKey() throws {
    try join()
    #expect(try server.run("mark", "--read", "--all").exit == .status(0))
    let old = try key()
    let moved = try laptop.run("sync", "move", "\(laptop.home)/other", "--new-key")
    #expect(
      moved.output.hasSuffix(" of 2 machines to ~/other.\nOn server: reddot sync join ~/other\n"),
      "\(moved.output) \(moved.errors)")
    #expect(try key() != old)
    #expect(
      try server.run("sync", "join", "\(laptop.home)/other", old).errors
        == "reddot: This key does not open \(laptop.home)/other; reddot sync key on a machine that is joined prints the right one.\n"
    )
    let joined = try server.run("sync", "join", "\(laptop.home)/other", try key())
    #expect(joined.output == "\"server\" joined laptop: received 0 acts, sent 0.\n", "\(joined.errors)")
    #expect(try laptop.run("mark", "--star", "1").exit == .status(0))
    #expect(try server.run("sync").output == "Received 1 of laptop.\n")
  }

  private func keyFile(_ machine: Household) -> String { "\(machine.home)/.local/share/reddot/sync.key" }

  private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  /// What is refused leaves no key, place or setting behind, and works as soon as its reason is gone.
  @Test func aRefusedSetUpLeavesNothingBehind() throws {
    let settings = try laptop.text(of: laptop.settingsFile)
    #expect(try laptop.run("sync", "init", "\(laptop.home)/not/mounted").exit == .status(1))
    #expect(text(keyFile(laptop)) == nil && text(keyFile(laptop) + ".next") == nil)
    #expect(text(laptop.settingsFile) == settings)
    // Only a person can edit this.
    let inline = settings.replacing("[sync]\nname = \"laptop\"\n", with: "sync = { name = \"laptop\" }\n")
    try laptop.write(laptop.settingsFile, inline)
    let refused = try laptop.run("sync", "init", place)
    #expect(
      refused.errors.hasSuffix(
        "is written in a way that only you can edit: write place under [sync] there\n"), "\(refused.errors)")
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
    #expect(try server.run("sync", "join", place, other).errors.hasPrefix("reddot: This key does not open"))
    #expect(text(keyFile(server)) == former)
    #expect(try server.run("sync").output == "Nothing new.\n")
    #expect(
      try server.run(["sync", "join", place], input: "").errors
        == "reddot: No key was given; run reddot sync key on a machine that is joined: it prints the key.\n")
  }

  /// Each state that a killed `init` leaves: the next one completes it, with the same key.
  @Test func aSetUpThatWasKilledIsCompletedByTheNext() throws {
    let settings = try laptop.text(of: laptop.settingsFile)
    let database = "\(laptop.home)/.local/share/reddot"
    try FileManager.default.copyItem(atPath: database, toPath: "\(laptop.home)/before")
    #expect(try laptop.run("sync", "init", place).exit == .status(0))
    let (named, key) = (try laptop.text(of: laptop.settingsFile), try laptop.text(of: keyFile(laptop)))
    for state in 0..<4 {
      try FileManager.default.removeItem(atPath: database)
      try FileManager.default.copyItem(atPath: "\(laptop.home)/before", toPath: database)
      // The key is kept, the settings name the place, the marker is there, the key is in its place.
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
        again.output.hasPrefix("\"laptop\" synchronises through ~/place: sent 2 acts"),
        "\(state) \(again.errors)")
      #expect(text(keyFile(laptop)) == key && text(keyFile(laptop) + ".next") == nil, "\(state)")
      #expect(try laptop.text(of: laptop.settingsFile) == named)
    }
    #expect(try server.run("sync", "join", place, self.key()).exit == .status(0))
  }

  /// Each state that a killed `move --new-key` leaves.
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
    // The place is complete, the settings don't name it: what was there goes on, and the same command completes it.
    try kept(settings)
    #expect(try laptop.run("sync").output == "Nothing new.\n")
    let again = try laptop.run("sync", "move", other, "--new-key")
    #expect(again.output.contains(" of 2 machines to ~/other.\n"), "\(again.errors)")
    #expect(text(keyFile(laptop)) == new && text(keyFile(laptop) + ".next") == nil)
    // The settings name it, the key wasn't in its place yet.
    try kept(moved)
    #expect(try laptop.run("sync").output == "Nothing new.\n")
    #expect(text(keyFile(laptop)) == new)
    // Once more: it is there already, and its key stays.
    for target in [other, "\(laptop.home)/../\((laptop.home as NSString).lastPathComponent)/other"] {
      let refused = try laptop.run("sync", "move", target, "--new-key")
      #expect(refused.errors.contains("is set up already"), "\(refused.errors)")
      #expect(text(keyFile(laptop)) == new && text(keyFile(laptop) + ".next") == nil)
    }
    #expect(try server.run("sync", "join", other, key()).exit == .status(0))
    #expect(try server.run("list", "--unread").output.split(separator: "\n").count == 3)
  }

  /// The beginner's slip: `init` on both machines, in a folder that is carried.
  @Test func joiningAfterAnInitOfOnesOwnDeletesItsObjects() throws {
    #expect(try laptop.run("sync", "init", place).exit == .status(0))
    #expect(try server.run("sync", "init", "\(server.home)/place").exit == .status(0))
    // What the server wrote arrives in the laptop's folder, but for the marker; there the laptop's is the one that stays.
    let marker = String(repeating: "0", count: 32)
    for name in try FileManager.default.contentsOfDirectory(atPath: "\(server.home)/place")
    where name != marker {
      try FileManager.default.copyItem(atPath: "\(server.home)/place/\(name)", toPath: "\(place)/\(name)")
    }
    let early = try laptop.run("sync")
    #expect(early.exit == .status(0) && early.errors.contains("damaged and was left out"), "\(early.errors)")
    try FileManager.default.removeItem(atPath: "\(server.home)/place")
    try FileManager.default.createSymbolicLink(atPath: "\(server.home)/place", withDestinationPath: place)
    #expect(try server.run("sync").errors.hasPrefix("reddot: This key does not open ~/place; "))
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
        == "reddot: Nothing is set up in ~/place. Is it mounted? On the first machine: reddot sync init ~/place\n"
    )
    #expect(!FileManager.default.fileExists(atPath: place))
    #expect(try laptop.run("sync", "status").output.contains("; 1 act waits since "))
    // Polls go on; the failure was said before.
    #expect(try laptop.run("poll").errors == "")
    try FileManager.default.moveItem(atPath: place + ".away", toPath: place)
    #expect(try laptop.run("sync").output.hasPrefix("Sent 1 act."))
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

  @Test func aCopiedDatabaseGoesOnAsANewMachine() throws {
    try join()
    let copy = try Household()
    try copy.write(copy.settingsFile, laptop.text(of: laptop.settingsFile).replacing("~/place", with: place))
    try FileManager.default.createDirectory(
      atPath: (copy.database as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: (laptop.database as NSString).deletingLastPathComponent)
    for name in names where name.hasPrefix("reddot.sqlite") && !name.hasSuffix(".locks") || name == "sync.key"
    {
      try FileManager.default.copyItem(
        atPath: (laptop.database as NSString).deletingLastPathComponent + "/" + name,
        toPath: (copy.database as NSString).deletingLastPathComponent + "/" + name)
    }
    #expect(try laptop.run("mark", "--star", "1").exit == .status(0))
    #expect(try copy.run("mark", "--star", "2").exit == .status(0))
    let said = try copy.run("sync")
    #expect(said.exit == .status(0))
    for machine in [laptop, server, copy, laptop, server] {
      #expect(try machine.run("sync").exit == .status(0))
    }
    for machine in [laptop, server, copy] {
      #expect(try machine.run("list", "--starred").output.split(separator: "\n").count == 2)
    }
  }
}
