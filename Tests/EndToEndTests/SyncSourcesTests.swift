import Foundation
import TerminalHarness
import TestBasics
import Testing

/// The sources of one machine are followed by the other, too. They are written into `sources.toml`, and never into the user's
/// settings file.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct SyncSourcesTests {
  private let laptop: Household
  private let server: Household
  private let place: String

  init() throws {
    (laptop, server) = (try Household(), try Household())
    place = "\(laptop.home)/place"
    for (machine, name) in [(laptop, "laptop"), (server, "server")] {
      try machine.write(machine.settingsFile, "[sync]\nname = \"\(name)\"\n")
    }
  }

  private func sourcesFile(_ machine: Household) -> String {
    (machine.settingsFile as NSString).deletingLastPathComponent + "/sources.toml"
  }

  private func follow(_ tables: String..., on machine: Household) throws {
    let text = try machine.text(of: machine.settingsFile)
    try machine.write(
      machine.settingsFile, text + tables.map { "\n[[source]]\n\($0)\n" }.joined())
  }

  private func join() throws -> String {
    let begun = try laptop.run("sync", "init", place)
    #expect(begun.exit == .status(0), "\(begun.errors)")
    let key = try laptop.run("sync", "key").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let joined = try server.run("sync", "join", place, key)
    #expect(joined.exit == .status(0), "\(joined.errors)")
    return joined.output
  }

  private func synchronise(_ machines: Household...) throws {
    for machine in machines {
      let said = try machine.run("sync")
      #expect(said.exit == .status(0), "\(said.errors)")
    }
  }

  private static let header =
    "# Sources that other machines follow. reddot writes this file; your own go into config.toml.\n"
  private static let news = "name = \"News\"\nurl = \"https://news.invalid/feed\""
  private static let blog =
    "name = \"Blog\"\nurl = \"https://blog.invalid/feed\"\ntitle = \"The blog\"\nfolder = \"Dev/Web\""

  @Test func whatOneFollowsTheOtherFollowsToo() throws {
    try follow(
      Self.news, "name = \"work\"\nkind = \"github\"\ntoken_command = [\"pass\"]",
      "name = \"Secret\"\nurl = \"https://secret.invalid/feed\"\ntoken_command = [\"pass\"]",
      "name = \"Notes\"\nurl = \"\(laptop.home)/notes.xml\"", on: laptop)
    let said = try join()
    #expect(
      said.hasSuffix(
        """
        Now followed here: News.
        Not followed here: 2; run reddot sync status to see them.

        """), "\(said)")
    #expect(try server.text(of: sourcesFile(server)) == Self.header + "\n[[source]]\n\(Self.news)\n")
    #expect(!FileManager.default.fileExists(atPath: sourcesFile(laptop)))
    let status = try server.run("sync", "status").output
    #expect(
      status.hasSuffix(
        """
        Not followed here: Secret: it needs a password; run reddot add https://secret.invalid/feed --name Secret
        Not followed here: work (github): it needs a token; run reddot add github --name work

        """), "\(status)")
    // Sources that are added later are followed, too, with their titles and folders.
    try follow(Self.blog, on: laptop)
    try synchronise(laptop)
    let received = try server.run("sync")
    #expect(received.errors == "reddot: Now followed here: Blog.\n")
    #expect(try server.run("sources").output.contains("Blog"))
    #expect(try server.text(of: sourcesFile(server)).contains("folder = \"Dev/Web\"\n"))
    #expect(try server.text(of: server.settingsFile).contains("blog") == false)
  }

  @Test func namesTitlesAndFoldersFollow() throws {
    try follow(Self.blog, on: laptop)
    _ = try join()
    // The user adds a setting for this machine to the table.
    try server.write(
      sourcesFile(server), server.text(of: sourcesFile(server)) + "interval = \"1h\"   # slowly\n")
    try laptop.write(
      laptop.settingsFile,
      laptop.text(of: laptop.settingsFile).replacing("\"Blog\"", with: "\"Web log\"")
        .replacing("\"The blog\"", with: "\"Our blog\"").replacing("folder = \"Dev/Web\"\n", with: ""))
    try synchronise(laptop, server)
    let table = """
      [[source]]
      name = "Web log"
      title = "Our blog"
      url = "https://blog.invalid/feed"
      interval = "1h"   # slowly

      """
    #expect(try server.text(of: sourcesFile(server)) == Self.header + "\n" + table)
    // Edits of that file are sent back, too.
    try server.write(
      sourcesFile(server), server.text(of: sourcesFile(server)).replacing("Our blog", with: "Theirs"))
    try synchronise(server, laptop, server)
    #expect(try server.text(of: sourcesFile(server)).contains("Theirs"))
    // The user's file stays unchanged.
    #expect(try laptop.text(of: laptop.settingsFile).contains("Our blog"))
  }

  @Test func aNameThatIsTakenHereGetsANumber() throws {
    try follow("name = \"News\"\nurl = \"https://other.invalid/feed\"\nsync = false", on: server)
    try follow(Self.news, on: laptop)
    #expect(try join().contains("Now followed here: News 2.\n"))
    try synchronise(server, laptop, server, laptop)
    #expect(try server.text(of: sourcesFile(server)).contains("name = \"News 2\""))
    #expect(try laptop.run("sources").output.contains("News 2") == false)
  }

  /// One of three machines has the source in the file that its user writes. Only that one keeps it, and is named.
  @Test func aRemovalNamesTheMachinesThatKeepTheSource() throws {
    let third = try Household()
    try third.write(third.settingsFile, "[sync]\nname = \"third\"\n")
    try follow(Self.news, Self.blog, on: laptop)
    _ = try join()
    let key = try laptop.run("sync", "key").output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try third.run("sync", "join", place, key).exit == .status(0))
    _ = try laptop.run("add", "https://wire.invalid/feed", "--name", "Wire", "--force")
    for _ in 0..<2 { try synchronise(laptop, server, third) }
    #expect(
      try server.run("remove", "News").output
        == "removed News\nthe settings of laptop keep it there; on each of them, run `reddot remove News`\n")
    // The source that a command added there is in sources.toml, which this removal edits.
    #expect(try third.run("remove", "Wire").output == "removed Wire\n")
    try synchronise(server, third, laptop, server)
    #expect(try laptop.run("sources").output.contains("News"))
    #expect(try laptop.run("sources").output.contains("Wire") == false)
    // Taken out of the file by hand, and known elsewhere since.
    try laptop.write(
      laptop.settingsFile,
      laptop.text(of: laptop.settingsFile).replacingOccurrences(of: "\n[[source]]\n\(Self.blog)\n", with: ""))
    _ = try laptop.run("poll")
    try synchronise(laptop, third, server)
    #expect(try third.run("remove", "Blog", "--forget").output == "removed Blog and its messages\n")
  }

  @Test func aRemovalElsewhereEditsOnlyTheFileOfOthers() throws {
    try follow(Self.news, Self.blog, on: laptop)
    _ = try join()
    #expect(try laptop.run("remove", "Blog").exit == .status(0))
    try synchronise(laptop, server)
    let left = try server.text(of: sourcesFile(server))
    #expect(left.hasPrefix(Self.header) && left.contains(Self.news) && !left.contains("Blog"), "\(left)")
    // The other way round: the laptop's file names it.
    #expect(try server.run("remove", "News").exit == .status(0))
    try synchronise(server, laptop)
    #expect(try laptop.text(of: laptop.settingsFile).contains(Self.news))
    #expect(
      try laptop.run("sync", "status").output.hasSuffix(
        "Followed here by config.toml alone: News, which server removed; run reddot remove News to remove it here too\n"
      ))
    // Undone there, it is followed again.
    #expect(try server.run("undo").output == "Undid: removed News\n")
    #expect(try server.text(of: sourcesFile(server)).contains(Self.news))
    try synchronise(server, laptop)
    #expect(try laptop.run("sync", "status").output.contains("Followed here by config.toml alone") == false)
  }

  /// Sends a source like a machine with another version.
  @Test func aSourceThatCannotBeFollowedHoldsNoOtherBack() throws {
    try follow(
      Self.news, "name = \"Odd\"\nurl = \"https://odd.invalid/feed\"", Self.blog, on: laptop)
    try server.write(server.settingsFile, "[sync]\nname = \"server\"\nsources = false\n")
    _ = try join()
    try sqlite(
      server.database,
      "UPDATE wire_source SET follow = 'feed https://odd.invalid/a' || char(7) || 'b' WHERE follow LIKE '%odd%'"
    )
    let settings = try server.text(of: server.settingsFile)
    try server.write(server.settingsFile, settings.replacing("sources = false\n", with: ""))
    let received = try server.run("sync")
    #expect(received.exit == .status(0))
    #expect(received.errors == "reddot: Now followed here: Blog, News.\n")
    let written = try server.text(of: sourcesFile(server))
    #expect(written.contains(Self.news) && written.contains("Blog") && !written.contains("odd"), "\(written)")
    let status = try server.run("sync", "status").output
    #expect(
      status.hasSuffix(
        """
        Not followed here: Odd: another machine sent it with a value that is invalid here: url must be an http, \
        https, http+unix or file address, or the path of a file

        """), "\(status)")
    // The control: with an address that can be one it is followed as well.
    try sqlite(
      server.database,
      "UPDATE wire_source SET follow = 'feed https://odd.invalid/ab' WHERE follow LIKE '%odd%'")
    #expect(try server.run("sync").errors == "reddot: Now followed here: Odd.\n")
  }

  /// A command adds sources where a removal on any machine reaches them. With a setting of this machine, it adds them
  /// to the user's file.
  @Test func whatACommandAddsIsRemovedFromAnyMachine() throws {
    _ = try join()
    let config = try laptop.text(of: laptop.settingsFile)
    for name in ["One", "Two", "Three"] {
      let url = "https://\(name.lowercased()).invalid/feed"
      #expect(try laptop.run("add", url, "--name", name, "--force").exit == .status(0))
    }
    #expect(try laptop.text(of: laptop.settingsFile) == config)
    #expect(
      try laptop.run("add", "https://four.invalid/feed", "--name", "Four", "--force", "--interval", "2h").exit
        == .status(0))
    #expect(try laptop.text(of: laptop.settingsFile).hasSuffix("interval = \"2h\"\n"))
    try synchronise(laptop, server)
    #expect(try server.run("remove", "Two").exit == .status(0))
    try synchronise(server, laptop)
    for machine in [laptop, server] {
      let sources = try machine.run("sources").output
      for name in ["One", "Three", "Four"] { #expect(sources.contains(name)) }
      #expect(!sources.contains("Two"), "\(sources)")
    }
  }

  /// Two machines can have different sources with the name News.
  @Test func twoSourcesOfOneNameHoldNothingUp() throws {
    try follow("name = \"News\"\nurl = \"https://laptop.invalid/feed\"", on: laptop)
    try follow("name = \"News\"\nurl = \"https://server.invalid/feed\"", on: server)
    _ = try join()
    try synchronise(laptop, server, laptop)
    // Both sources get the same name.
    for machine in [laptop, server] { #expect(try machine.run("rename", "News", "Paper").exit == .status(0)) }
    try synchronise(laptop, server, laptop, server, laptop)
    for machine in [laptop, server] {
      let sources = try machine.run("sources", "--json").output
      for host in ["laptop", "server"] {
        #expect(sources.contains("https://\(host).invalid/feed"), "\(sources)")
      }
    }
  }

  @Test func anUndoDoesNotFollowTheSameFeedTwice() throws {
    try follow(Self.news, on: laptop)
    #expect(try laptop.run("remove", "News").exit == .status(0))
    try follow("name = \"Again\"\nurl = \"https://news.invalid/feed\"", on: laptop)
    let undone = try laptop.run("undo")
    #expect(
      undone.errors
        == "reddot: \"removed News\" is not undone: it is already followed again, as \"Again\"; nothing was changed\n",
      "\(undone.output)")
    #expect(try laptop.run("sources").output.split(separator: "\n").count == 1)
  }

  /// Whatever was added, removed, renamed and undone on three machines, they end with one list, each address and name
  /// once.
  @Test(arguments: Histories.seeds(2, from: 1)) func threeMachinesEndWithOneList(seed: Int) throws {
    let third = try Household()
    try third.write(third.settingsFile, "[sync]\nname = \"third\"\n")
    _ = try join()
    let key = try laptop.run("sync", "key").output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try third.run("sync", "join", place, key).exit == .status(0))
    let machines = [laptop, server, third]
    func list(_ machine: Household) throws -> [String: String] {
      try machine.objects(["sources", "--json"]).reduce(into: [:]) { list, source in
        let (url, name) = try (#require(source["url"] as? String), #require(source["name"] as? String))
        #expect(list.updateValue(name, forKey: url) == nil, "\(url) twice")
      }
    }
    var random = SeededRandom(seed: seed)
    for _ in 0..<18 {
      let machine = machines[Int.random(in: 0..<3, using: &random)]
      let name = try list(machine).values.sorted().randomElement(using: &random)
      let number = Int.random(in: 0..<5, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0...3:
        _ = try machine.run("add", "https://h\(number).invalid/feed", "--name", "N\(number / 2)", "--force")
      case 4: if let name { _ = try machine.run("remove", name) }
      case 5: if let name { _ = try machine.run("rename", name, "N\(number)") }
      case 6: _ = try machine.run("undo")
      default: try synchronise(machine)
      }
    }
    for _ in 0..<3 { try synchronise(laptop, server, third) }
    let expected = try list(laptop)
    #expect(Set(expected.values).count == expected.count, "\(expected)")
    for machine in machines { #expect(try list(machine) == expected) }
  }

  @Test func whatIsTakenOutByHandStaysFollowedElsewhere() throws {
    try follow(Self.news, on: laptop)
    _ = try join()
    try server.write(sourcesFile(server), Self.header)
    #expect(try server.run("poll").exit == .status(1))
    try synchronise(server, laptop, server)
    #expect(try server.text(of: sourcesFile(server)) == Self.header)
    #expect(try laptop.run("sources").output.contains("News"))
    #expect(
      try server.run("sync", "status").output.hasSuffix(
        "Not followed here: News: removed from the settings; run reddot add https://news.invalid/feed to follow it\n"
      ))
    // An empty settings file removes no subscription on other machines.
    try laptop.write(laptop.settingsFile, "[sync]\nname = \"laptop\"\nplace = \"\(place)\"\n")
    _ = try laptop.run("poll")
    try synchronise(laptop, server)
    let json = try server.run("sync", "status", "--json").output
    #expect(json.contains("\"not_followed\":[{\"name\":\"News\""))
  }

  @Test func itCanBeSwitchedOff() throws {
    try follow(Self.news, on: laptop)
    try server.write(server.settingsFile, "[sync]\nname = \"server\"\nsources = false\n")
    let said = try join()
    #expect(said.split(separator: "\n").count == 1, "\(said)")
    #expect(!FileManager.default.fileExists(atPath: sourcesFile(server)))
    #expect(try server.run("sync", "status").output.contains("Not followed") == false)
  }

  @Test func aMistakeInTheFileIsNamedWithItsLine() throws {
    try follow(Self.news, on: laptop)
    _ = try join()
    let file = sourcesFile(server)
    try server.write(file, Self.header + "\n[sync]\nname = \"x\"\n")
    let refused = try server.run("list")
    #expect(refused.exit == .status(0))
    #expect(
      refused.errors.hasPrefix("reddot: \(file):3: sync: is not a setting here; known are source"),
      "\(refused.errors)")
    // One name for two sources.
    try server.write(file, Self.header + "\n[[source]]\n\(Self.news)\n")
    try follow("name = \"News\"\nurl = \"https://other.invalid/feed\"", on: server)
    let listed = try server.run("list")
    #expect(listed.exit == .status(0))
    #expect(
      listed.errors.hasPrefix(
        "reddot: \(file):3: name: \"News\" is already the name of a source in the settings next to this file\n"
      ), "\(listed.errors)")
    // The source in the user's settings is still listed.
    #expect(try server.run("sources").output.contains("News"))
  }

  /// Only own changes are undone, and later changes of other machines stay.
  @Test func anUndoSaysWhichMachineHasChangedSomethingSince() throws {
    for machine in [laptop, server] {
      try laptop.write("feed.xml", rss("Feed", (1...5).map { item($0, "Message \($0)") }))
      try follow("name = \"feed\"\nurl = \"\(laptop.home)/feed.xml\"\nsync_as = \"feed\"", on: machine)
      #expect(try machine.run("poll").exit == .status(0))
    }
    _ = try join()
    #expect(try server.run("mark", "--read", "--all").exit == .status(0))
    try synchronise(laptop)
    #expect(try laptop.run("mark", "--unread", "1", "2").exit == .status(0))
    try synchronise(server)
    #expect(try server.run("undo").output == "3 undone, 2 changed since on laptop\n")
    try synchronise(laptop)
    #expect(try laptop.run("list", "--unread").output.split(separator: "\n").count == 5)
  }

  @Test func aBackupHoldsTheKeyAndTheSourcesOfOthers() throws {
    try follow(Self.news, on: laptop)
    _ = try join()
    let made = try server.run("backup", "\(server.home)/all")
    #expect(made.output.contains("the settings, the key of the synchronisation"), "\(made.output)")
    let new = try Household()
    #expect(try new.run("restore", "--yes", "\(server.home)/all").exit == .status(0))
    #expect(try new.text(of: sourcesFile(new)) == server.text(of: sourcesFile(server)))
    try synchronise(new)
    #expect(try new.run("sources").output.contains("News"))
  }
}
