import Basics
import Queries
import Testing

@testable import Settings

/// `[[list]]`, read and written.
struct ListSettingsTests {
  private func read(_ text: String) throws(SettingsMistakes) -> Settings {
    try SettingsReader(file: "config.toml", home: "/home/ada", isReadableByOthers: false).read(text)
  }

  @Test func listsStandInTheOrderOfTheFile() throws {
    let settings = try read(
      """
      [[list]]
      name = "Important today"
      query = "is:unread  priority>=4 newer:1d"
      [[list]]
      name = "Everything"
      query = ""
      """)
    #expect(settings.problems.isEmpty)
    #expect(settings.lists.map(\.name) == ["Important today", "Everything"])
    #expect(settings.lists.map { $0.query?.text } == ["is:unread priority>=4 newer:1d", ""])
    #expect(settings.lists.map(\.written) == ["is:unread  priority>=4 newer:1d", ""])
    #expect(settings.lists.map(\.line) == [1, 4])
  }

  @Test(arguments: [
    ("titel:x", "titel is not a field; did you mean title?"),
    ("a (b", "the parenthesis is not closed, at character 3"),
    ("title:/(/", "at character"),
    ("priority>9", "at character"),
  ])
  func oneWithAMistakeShowsNothingAndIsNamed(query: String, problem: String) throws {
    let settings = try read(
      "# mine\n[[list]]\nname = \"bad\"\nquery = \"\(query)\"\n[[list]]\nname = \"good\"\nquery = \"b\"\n")
    #expect(settings.lists.map { $0.query == nil } == [true, false])
    #expect(settings.lists[0].problem?.contains(problem) == true, "\(settings.lists[0].problem ?? "")")
    let sentence = try #require(settings.problems.first?.sentence)
    #expect(sentence.hasPrefix("config.toml:4: query: ") && sentence.contains(problem), "\(sentence)")
    #expect(sentence.hasSuffix("; the list shows nothing"))
  }

  @Test func ofTwoWithOneNameTheSecondIsLeftOut() throws {
    let list = "[[list]]\nname = \"a\"\nquery = \"b\"\n"
    let settings = try read(list + list + "[[list]]\nname = \" \"\nquery = \"c\"\n")
    #expect(settings.lists.map(\.line) == [1])
    #expect(settings.problems.map(\.line) == [5, 8])
    #expect(settings.problems[0].problem.contains("already the name of the list on line 1"))
  }

  @Test func thereMayBeOnlySoMany() throws {
    let text = (0...Limits.savedLists).map { "[[list]]\nname = \"\($0)\"\nquery = \"b\"\n" }.joined()
    let settings = try read(text)
    #expect(settings.lists.count == Limits.savedLists)
    #expect(settings.problems.map(\.line) == [3 * Limits.savedLists + 1])
  }

  @Test func whatIsMissingOrUnknownIsAMistakeOfTheFile() throws {
    let mistakes = try #require(throws: SettingsMistakes.self) {
      try read("[[list]]\nname = \"a\"\nqery = \"b\"\n")
    }
    #expect(mistakes.mistakes.map(\.sentence).contains { $0.contains("qery: is not a setting here") })
    #expect(mistakes.mistakes.map(\.sentence).contains { $0.contains("a list needs query") })
  }

  // MARK: - Writing

  private static let file = """
    # mine
    language = "en"  # or not

    [[list]]
    # the first
    name = "a"
    query = "title:a"  # short
    # about b
    [[list]]
    name = "b"
    query = "title:b"

    [[source]]
    name = "s"
    url = "https://s.example/"

    """

  @Test func aListIsAppendedAndAllElseStays() throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write(Self.file)
    try folder.file.append(list: "Büro \"1\"", query: "title:/a\\.b/ OR \"c d\"")
    let text = try folder.text()
    #expect(text.hasPrefix(Self.file))
    let lists = try folder.file.load().lists
    #expect(lists.map(\.name) == ["a", "b", "Büro \"1\""])
    #expect(lists[2].written == "title:/a\\.b/ OR \"c d\"")
    #expect(throws: SettingsFile.Failure.self) { try folder.file.append(list: "a", query: "x") }
    #expect(try folder.text() == text)
  }

  @Test func aListIsChangedInItsPlace() throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write(Self.file)
    let changes = [
      SettingsFile.Change("name", TOMLText.quoted("c")),
      SettingsFile.Change("query", TOMLText.quoted("title:c")),
    ]
    #expect(try folder.file.change(list: "a", changes))
    let wanted = Self.file.replacing("\"a\"", with: "\"c\"").replacing("\"title:a\"", with: "\"title:c\"")
    #expect(try folder.text() == wanted)
    #expect(try folder.file.change(list: "nobody", changes) == false)
    #expect(throws: SettingsFile.Failure.self) {
      try folder.file.change(list: "b", [SettingsFile.Change("name", TOMLText.quoted("c"))])
    }
    #expect(try folder.text() == wanted)
  }

  @Test func listsChangePlaces() throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write(Self.file)
    try folder.file.swapLists("b", "a")
    #expect(try folder.file.load().lists.map(\.name) == ["b", "a"])
    #expect(try folder.text().contains("query = \"title:a\"  # short\n"))
    try folder.file.swapLists("b", "a")
    #expect(try folder.text() == Self.file)
  }

  @Test func aListIsRemovedAndComesBackWhereItWas() throws {
    let folder = try SettingsFileTests.Folder()
    try folder.write(Self.file)
    let removal = try #require(try folder.file.removal(of: .list, named: "a"))
    #expect(try folder.file.load().lists.map(\.name) == ["b"])
    #expect(try folder.text().contains("# about b"))
    #expect(try folder.file.putBack(removal) == .isBack)
    #expect(try folder.text() == Self.file)
    #expect(try folder.file.removal(of: .list, named: "nobody") == nil)
  }
}
