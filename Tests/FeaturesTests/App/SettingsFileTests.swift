import Foundation
import Messages
import Storage
import Sync
import Synchronization
import Testing

@testable import Settings

struct SettingsFileTests {
  /// A settings file in its own folder, which is deleted with the object.
  final class Folder {
    let url: URL
    init() throws {
      url = FileManager.default.temporaryDirectory.appending(path: "reddot-settings-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    var path: String { url.appending(path: "config.toml").path }
    var file: SettingsFile { SettingsFile(path: path, home: "/home/ada") }
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    /// Every byte, a byte order mark too.
    func text() throws -> String {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }
  }

  /// In an earlier version each table searched the whole text, and an import of 16,000 feeds took half a minute.
  @Test func twentyThousandTablesAreAppendedAtOnce() {
    let elements = (1...20_000).map { ["name = \"\($0)\"", "url = \"https://host\($0).example/feed\""] }
    let text = SettingsEdit.appending("source", elements, to: "language = \"en\"")
    #expect(text.hasPrefix("language = \"en\"\n\n[[source]]\nname = \"1\"\n"))
    #expect(text.hasSuffix("\n\n[[source]]\nname = \"20000\"\nurl = \"https://host20000.example/feed\"\n"))
    #expect(SettingsEdit.appending("source", [], to: "a = 1\n") == "a = 1\n")
  }

  static let kept = """
    # my feeds, do not sort
    language = "en"   # for now

    [[source]]
    name = "a"   # the first
    url = "https://a.example/"

    # below: work
    [[source]]
    name = "b"
    kind = "native"
    url = "https://b.example/"
    [source.types]
    1 = "others"

    # the end
    """

  @Test func addingKeepsEveryByteThatStoodThere() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    let text = try folder.text()
    #expect(text.hasPrefix(Self.kept))
    #expect(try folder.file.load().sources.map(\.name) == ["a", "b", "c"])
  }

  @Test func changingASourceKeepsEverythingElse() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    #expect(try folder.file.change(source: "a", [.init("name", "\"new\""), .init("interval", "\"1h\"")]))
    #expect(
      try folder.text()
        == Self.kept.replacing("name = \"a\"   # the first", with: "name = \"new\"   # the first")
        .replacing(
          "url = \"https://a.example/\"\n", with: "url = \"https://a.example/\"\ninterval = \"1h\"\n"))
    #expect(try folder.file.change(source: "new", [.init("interval", nil), .init("name", "\"a\"")]))
    #expect(try folder.text() == Self.kept)
    #expect(try folder.file.change(source: "b", [.init("folder", "\"Dev\"")]))
    #expect(try folder.file.load().sources[1].source.folder == Messages.Folder("Dev"))
    #expect(try folder.file.load().sources[1].source.typeNames == [1: "others"])
    #expect(try !folder.file.change(source: "none", [.init("folder", "\"Dev\"")]))
  }

  @Test func aRemovedSourceComesBackWhereItWas() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    let removal = try #require(try folder.file.removal(of: .source, named: "b"))
    #expect(removal.edit.changes.map(\.before.text).joined().hasPrefix("[[source]]\nname = \"b\""))
    #expect(removal.edit.changes.map(\.before.text).joined().contains("[source.types]"))
    #expect(try folder.file.putBack(removal) == .isBack)
    #expect(try folder.text() == Self.kept)
    #expect(try folder.file.putBack(removal) == .wasSo)
    // Other lines of the file have changed since.
    let again = try #require(try folder.file.removal(of: .source, named: "a"))
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    #expect(try folder.file.putBack(again) == .isBack)
    #expect(try folder.file.load().sources.map(\.name) == ["a", "b", "c"])
    #expect(try folder.text().hasPrefix(Self.kept))
  }

  @Test func aRemovedSourceComesBackAfterTheOneBeforeItWithItsComments() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    let removal = try #require(try folder.file.removal(of: .source, named: "b"))
    let changes = [SettingsFile.Change("interval", "\"1h\""), SettingsFile.Change("folder", "\"Dev\"")]
    #expect(try folder.file.change(source: "a", changes))
    #expect(try folder.file.putBack(removal) == .isBack)
    let url = "url = \"https://a.example/\"\n"
    let wanted = Self.kept.replacing(url, with: url + "interval = \"1h\"\nfolder = \"Dev\"\n")
    #expect(try folder.text() == wanted)
    // If the table before it is missing, the table is added at the end.
    let last = try #require(try folder.file.removal(of: .source, named: "b"))
    #expect(try folder.file.removal(of: .source, named: "a") != nil)
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    #expect(try folder.file.putBack(last) == .isBack)
    #expect(try folder.file.load().sources.map(\.name) == ["c", "b"])
    #expect(try folder.file.load().sources[1].source.typeNames == [1: "others"])
  }

  @Test func aRemovedSourceWhoseNameIsTakenStaysAway() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    let removal = try #require(try folder.file.removal(of: .source, named: "a"))
    try folder.file.append(sources: [["name = \"a\"", "url = \"https://other.example/\""]])
    let before = try folder.text()
    #expect(try folder.file.putBack(removal).isRefused)
    #expect(try folder.text() == before)
  }

  /// The sources of `sources.toml` come after those of the settings, and are changed in their own file.
  @Test func whatOtherMachinesFollowIsChangedInItsOwnFile() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    let own = folder.url.appending(path: "sources.toml")
    let text = "# theirs\n\n[[source]]\nname = \"c\"\nurl = \"https://c.example/\"  # a comment\n"
    try Data((text + "\n[[source]]\nname = \"also a\"\nurl = \"https://a.example\"\n").utf8).write(to: own)
    // If both files contain a source, the settings take precedence.
    #expect(try folder.file.load().sources.map(\.name) == ["a", "b", "c"])
    #expect(try folder.file.change(source: "c", [SettingsFile.Change("paused", "true")]))
    #expect(throws: SettingsFile.Failure.self) {
      try folder.file.change(source: "c", [SettingsFile.Change("name", "\"b\"")])
    }
    #expect(throws: SettingsFile.Failure.self) {
      try folder.file.change(source: "b", [SettingsFile.Change("name", "\"c\"")])
    }
    let refused = #expect(throws: SettingsFile.Failure.self) { try folder.file.swap("b", with: "c") }
    #expect(
      refused?.sentence
        == "\(own.path) holds \"c\", and its sources come after those of \(folder.path)")
    let removal = try folder.file.removal(of: .source, named: "c")
    #expect(try folder.file.load().sources.map(\.name) == ["a", "b"])
    #expect(try folder.file.putBack(#require(removal)) == .isBack)
    #expect(try String(contentsOf: own, encoding: .utf8).contains("# a comment\npaused = true\n"))
    #expect(try folder.text() == Self.kept)
    // A name may be given only once.
    try folder.file.append { settings in
      #expect(settings.sources.map(\.name) == ["a", "b", "c"])
      return []
    }
  }

  /// A password that the address has is needed at the next synchronisation too.
  @Test(arguments: [
    ("/home/ada/Sync/reddot", "\"~/Sync/reddot\""), ("ssh:box:reddot", "\"ssh:box:reddot\""),
    (
      "postgresql://ann:s3cret@box/reddot?sslmode=require",
      "\"postgresql://ann:s3cret@box/reddot?sslmode=require\""
    ),
  ])
  func thePlaceIsWrittenAndTakenOut(_ place: String, written: String) throws {
    let folder = try Folder()
    let address = try PlaceAddress(place)
    for rest in [
      "", "[sync]\n", "[sync]\nname = \"laptop\"   # mine\n",
      "[sync]\nsources = false\n\n[[list]]\nname = \"l\"\nquery = \"is:unread\"\n",
    ] {
      try folder.write("# top\n" + rest)
      try folder.file.setPlace(address, as: place.hasPrefix("/") ? "~/Sync/reddot" : "")
      #expect(try folder.file.load().sync.place == address)
      #expect(try folder.text().contains("place = \(written)\n"))
      try folder.file.setPlace(nil)
      #expect(try folder.file.load().sync.place == nil)
      #expect(try folder.text().hasPrefix("# top\n"))
      if rest.contains("=") { #expect(try folder.text() == "# top\n" + rest) }
    }
  }

  /// Only tables that contain no more than a shared source's name, URL, title and folder are moved.
  @Test func sourcesOfCommandsAreMovedIntoTheFileThatOtherMachinesReach() throws {
    let folder = try Folder()
    let rest =
      "[sync]\nplace = \"/p\"\n\n[[source]]\nname = \"slow\"\nurl = \"https://b.example/\"\ninterval = \"2h\"\n"
    let moved = "\n[[source]]\nname = \"a\"\nurl = \"https://a.example/\"\nfolder = \"Dev\"\n"
    let own = "\n[[source]]\nname = \"file\"\nurl = \"/home/ada/x.xml\"\n"
    try folder.write(rest + moved + own)
    #expect(try folder.file.travelling() == ["a"])
    try folder.file.moveTravelling()
    func lines() throws -> [Substring] { try folder.text().split(separator: "\n") }
    #expect(try lines() == (rest + own).split(separator: "\n"))
    #expect(try folder.file.load().sources.map(\.name) == ["slow", "file", "a"])
    #expect(try folder.file.load().sources.last?.source.folder?.path == "Dev")
    #expect(try folder.file.travelling() == [])
    // Further sources are added there directly. Without a sync location, they are added to this file.
    try folder.file.append(sources: [
      ["name = \"c\"", "url = \"https://c.example/\""], ["name = \"d\"", "kind = \"local\""],
    ])
    #expect(
      try lines() == (rest + own + "[[source]]\nname = \"d\"\nkind = \"local\"\n").split(separator: "\n"))
    #expect(try folder.file.load().sources.map(\.name) == ["slow", "file", "d", "a", "c"])
    try folder.file.setPlace(nil)
    try folder.file.append(sources: [["name = \"e\"", "url = \"https://e.example/\""]])
    #expect(try folder.text().contains("name = \"e\""))
  }

  @Test func twoSourcesChangePlacesAndCommentsStay() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    try folder.file.swap("b", with: "a")
    #expect(try folder.file.load().sources.map(\.name) == ["b", "a"])
    #expect(try folder.file.load().sources[0].source.typeNames == [1: "others"])
    let text = try folder.text()
    #expect(text.contains("name = \"a\"   # the first") && text.contains("\n# below: work\n"))
    #expect(text.hasSuffix("\n# the end"))
    try folder.file.swap("b", with: "a")
    #expect(try folder.text() == Self.kept)
    try folder.write("[[source]]\nname = \"a\"\nkind = \"local\"\n[[source]]\nname = \"b\"\nkind = \"local\"")
    try folder.file.swap("a", with: "b")
    #expect(try folder.file.load().sources.map(\.name) == ["b", "a"])
  }

  @Test func aChangeThatIsAMistakeIsNotWritten() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    for value in ["\"never\"", "\"1h", "3 = 4"] {
      #expect(throws: SettingsFile.Failure.self) {
        try folder.file.change(source: "a", [.init("interval", value)])
      }
      #expect(throws: SettingsFile.Failure.self) {
        try folder.file.change(source: "a", [.init("name", "\"b\"")])
      }
    }
    #expect(try folder.text() == Self.kept)
    let inline = "source = [{ name = \"a\", url = \"https://a.example/\" }]\n"
    try folder.write(inline)
    #expect(throws: SettingsFile.Failure.self) {
      try folder.file.change(source: "a", [.init("interval", "\"1h\"")])
    }
    #expect(try folder.text() == inline)
  }

  @Test func aFileWithoutALastLineEndOrWithThoseOfWindowsCanBeChanged() throws {
    let folder = try Folder()
    try folder.write("[[source]]\r\nname = 'a'\r\nurl = \"https://a.example/\"")
    #expect(try folder.file.change(source: "a", [.init("title", "\"T\""), .init("name", "\"b\"")]))
    #expect(
      try folder.text() == "[[source]]\r\nname = \"b\"\r\nurl = \"https://a.example/\"\r\ntitle = \"T\"\r\n")
  }

  @Test func addingToNoFileMakesOneThatOthersCannotRead() throws {
    let folder = try Folder()
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
  }

  @Test func whatCouldNotBeReadAgainIsNotWritten() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    let failure = #expect(throws: SettingsFile.Failure.self) {
      try folder.file.append(sources: [["name = \"a\"", "url = \"https://c.example/\""]])
    }
    #expect(failure?.reason.hasPrefix("was not changed: name: \"a\" is already the name of") == true)
    #expect(try folder.text() == Self.kept)
  }

  @Test func removingTakesTheSourceWithItsSubTablesAndNothingElse() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    #expect(try folder.file.removal(of: .source, named: "b") != nil)
    let text = try folder.text()
    #expect(text.contains("# below: work"))
    #expect(text.contains("# the end"))
    #expect(!text.contains("types"))
    #expect(try folder.file.load().sources.map(\.name) == ["a"])
    #expect(try folder.file.removal(of: .source, named: "b") == nil)
  }

  @Test func aLinkToAFileKeptElsewhereStaysALink() throws {
    let folder = try Folder()
    let real = folder.url.appending(path: "dotfiles.toml").path
    try Data(Self.kept.utf8).write(to: URL(fileURLWithPath: real))
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: real)
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path) == real)
    #expect(try String(contentsOfFile: real, encoding: .utf8).contains("c.example"))
  }

  @Test func quotedTextReadsBack() throws {
    let folder = try Folder()
    let name = "a \"quoted\" \\ name 消息"
    try folder.file.append(sources: [
      [
        "name = \(TOMLText.quoted(name))", "url = \"https://c.example/\"",
      ]
    ])
    #expect(try folder.file.load().sources.map(\.name) == [name])
  }

  // MARK: Only the requested change

  static let laidOut = """
    language = "en"\t# for now
    open_command = [ "open", # [[source]]
      "--new" ]
    [poll]
    interval = "30m"

    [keys]
    next_unread = ["n"]
    [[source]]
    name = "a"
    url = \'\'\'https://a.example/?[[source]]\'\'\'
    app_version = \"""
    [[source]]
    name = "b"
    \"""
    \t# about types

    \t[ source . types ]\t# of a
    \t7 = "downtime"
    # the second
    [[source]]
    name = "b"
    url = "https://b.example/"
    types = { 7 = "festive" } # inline
    [[categories.A]]
    label = "[[source]]"
    url = "https://c.example/"
    [[source]]
    name = "c"
    url = "https://c.example/"
    """

  struct Layout: Sendable, CustomTestStringConvertible {
    var end: String
    var mark: String
    var last: String
    var testDescription: String {
      "\(end.debugDescription) \(mark.debugDescription) \(last.debugDescription)"
    }
    func text(_ text: String) -> String {
      mark + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end) + last
    }
  }

  static let layouts = ["\n", "\r\n"].flatMap { end in
    ["", "\u{FEFF}"].flatMap { mark in
      ["", end, end + end + "# the end"].map { Layout(end: end, mark: mark, last: $0) }
    }
  }

  /// All lines of the source are removed, every other byte of the file is kept.
  @Test(arguments: layouts, ["a", "b", "c"])
  func removingTakesOneTableAndNothingElse(_ layout: Layout, _ name: String) throws {
    let lines = Self.laidOut.split(separator: "\n", omittingEmptySubsequences: false)
    let gone: [Range<Int>] =
      switch name {
      case "a": [8..<15, 17..<19]
      case "b": [20..<24]
      case _: [27..<30]
      }
    let folder = try Folder()
    let text = layout.text(Self.laidOut)
    try folder.write(text)
    var wanted = try folder.file.load().withoutLines
    wanted.sources.removeAll { $0.name == name }
    #expect(wanted.sources.count == 2)

    let removal = try #require(try folder.file.removal(of: .source, named: name))
    let rest = lines.indices.filter { line in !gone.contains { $0.contains(line) } }.map { lines[$0] }
    // Taken from the end, a table leaves the line end before it.
    let end = name == "c" ? layout.end + layout.last.dropFirst() : layout.last
    #expect(try folder.text() == layout.mark + rest.joined(separator: layout.end) + end)
    #expect(try folder.file.load().withoutLines == wanted)
    #expect(try folder.file.putBack(removal) == .isBack)
    #expect(try folder.text() == text)
  }

  @Test(arguments: layouts)
  func addingKeepsEveryByteAndTheLineEnds(_ layout: Layout) throws {
    let folder = try Folder()
    let text = layout.text(Self.laidOut)
    try folder.write(text)
    let before = try folder.file.load()
    try folder.file.append(sources: [["name = \"d\"", "url = \"https://d.example/\""]])
    let longer = try folder.text()
    #expect(longer.utf8.starts(with: text.utf8))
    let added = String(decoding: longer.utf8.dropFirst(text.utf8.count), as: UTF8.self)
    let gap = layout.last.hasSuffix("\n") || layout.last.hasSuffix("\r\n") ? "" : layout.end
    let block = ["[[source]]", "name = \"d\"", "url = \"https://d.example/\"", ""].joined(
      separator: layout.end)
    #expect(added == gap + layout.end + block)
    var after = try folder.file.load()
    #expect(after.sources.popLast()?.name == "d")
    #expect(after == before)
  }

  @Test(arguments: [
    "source = [\n  { name = \"a\", url = \"https://a.example/\" },\n  { name = \"b\", url = \"https://b.example/\" },\n]\n",
    "source = [{ name = \"a\", url = \"https://a.example/\" }]\n[poll]\ninterval = \"5m\"",
  ])
  func whatIsWrittenInlineIsRefusedAndStays(_ text: String) throws {
    let folder = try Folder()
    try folder.write(text)
    let failure = #expect(throws: SettingsFile.Failure.self) {
      try folder.file.removal(of: .source, named: "a")
    }
    #expect(
      failure?.reason == "has a form that reddot cannot edit; edit it yourself: remove the source \"a\" there"
    )
    #expect(throws: SettingsFile.Failure.self) {
      try folder.file.append(sources: [["name = \"d\"", "url = \"https://d.example/\""]])
    }
    #expect(try folder.text() == text)
  }

  // MARK: Permissions

  @Test(arguments: [0o600, 0o640, 0o664, 0o755])
  func theModeStays(_ mode: Int) throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    chmod(folder.path, mode_t(mode))
    #expect(try folder.file.removal(of: .source, named: "a") != nil)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(attributes[.posixPermissions] as? NSNumber == NSNumber(value: mode))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["config.toml"])
  }

  @Test(.enabled("needs to give files away") { geteuid() == 0 })
  func theOwnerStays() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    #expect(chown(folder.path, 65534, 65533) == 0)
    #expect(try folder.file.removal(of: .source, named: "a") != nil)
    var status = stat()
    #expect(stat(folder.path, &status) == 0)
    #expect(status.st_uid == 65534 && status.st_gid == 65533)
  }

  @Test func aLinkToAFileThatIsNotThereYetStaysALink() throws {
    let folder = try Folder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path, withDestinationPath: "dotfiles/reddot.toml")
    try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path) == "dotfiles/reddot.toml")
    #expect(try folder.file.load().sources.map(\.name) == ["c"])
  }

  @Test func aLinkToItselfIsSaid() throws {
    let folder = try Folder()
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: "config.toml")
    #expect(throws: SettingsFile.Failure.self) {
      try folder.file.append(sources: [["name = \"c\"", "url = \"https://c.example/\""]])
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path) == "config.toml")
  }

  /// The permissions of a link's target count, not those of the link.
  @Test func thePermissionsOfALinksTargetCount() throws {
    let folder = try Folder()
    let real = folder.url.appending(path: "real.toml").path
    let text = "[[source]]\nname = \"a\"\nurl = \"https://a.example/\"\ntoken = \"s3cret\"\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: real))
    chmod(real, 0o600)
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: real)
    #expect(try folder.file.load().sources.map(\.credential) == [.plain("s3cret")])
    chmod(real, 0o644)
    #expect(throws: SettingsMistakes.self) { try folder.file.load() }
  }

  /// Each writer adds its source to the changes that others have made meanwhile.
  @Test func whoAddsAtTheSameTimeLosesNothing() async throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    let file = folder.file
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask {
          try file.append(sources: [["name = \"n\(number)\"", "url = \"https://n.example/\(number)\""]])
        }
      }
      try await group.waitForAll()
    }
    #expect(
      Set(try file.load().sources.map(\.name)) == Set((0..<24).map { "n\($0)" } + ["a", "b"]))
    #expect(try folder.text().hasPrefix(Self.kept))
  }

  /// An editor's change between reading and renaming is kept.
  @Test func whatAnEditorSavesMeanwhileStays() throws {
    let folder = try Folder()
    try folder.write(Self.kept)
    var times = 0
    try folder.file.append { settings in
      times += 1
      if times == 1 { try folder.write("language = \"hi\"\n") }
      return [["name = \"c\(settings.sources.count)\"", "url = \"https://c.example/\""]]
    }
    #expect(times == 2)
    let settings = try folder.file.load()
    #expect(settings.language == "hi")
    #expect(settings.sources.map(\.name) == ["c0"])
  }
}

/// Edits as the journal would have them.
final class RecordedEdits: EditRecorder {
  typealias Edit = (edit: FileEdit, secrets: Secrets, act: SettingsAct, step: Int64?)

  private let edits = Mutex<[Edit]>([])

  var all: [Edit] { edits.withLock { $0 } }

  func inTurn(_ edit: () throws -> Void) throws { try edit() }

  func record(
    _ edit: FileEdit, lacking secrets: Secrets, rules: [RuleChange], as act: SettingsAct, joining step: Int64?
  ) -> Int64 {
    edits.withLock { edits in
      edits.append((edit, secrets, act, step))
      return Int64(edits.count)
    }
  }

  func discard(_ edit: Int64) { edits.withLock { _ = $0.removeLast() } }
}

extension SettingsFile {
  /// Removes something; returns `nil` if nothing has the name.
  func removal(of table: NamedTable, named name: String) throws -> RecordedEdits.Edit? {
    let recorded = RecordedEdits()
    var file = self
    file.recorder = recorded
    let isThere = try file.remove(table, named: name, as: SettingsAct(.removed, name))
    #expect(isThere == (recorded.all.count == 1))
    return recorded.all.first
  }

  func putBack(_ edit: RecordedEdits.Edit, lacksSecret: Bool = false) throws -> Turning {
    try turn([(edit.edit, lacksSecret ? Secrets() : edit.secrets)], isUndone: true)
  }
}

extension SettingsFile.Turning {
  static let isBack = SettingsFile.Turning.isDone(lacksSecret: false)

  var isRefused: Bool { if case .refused = self { true } else { false } }
}
