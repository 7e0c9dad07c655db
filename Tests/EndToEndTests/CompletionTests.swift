import Foundation
import TerminalHarness
import Testing

/// Shells' completions, in the shells.
@Suite struct CompletionTests {
  private static let areInstalled = ConditionTrait.enabled(
    if: Shell.Name.allCases.allSatisfy(\.isInstalled), "Resources/install-packages installs the shells.")

  /// Names of sources that contain syntax of shells, in the middle, at the beginning and at the end.
  private static let hostile = [
    "News $(touch made) today, back`touch made`quotes, dollar$x",
    "semi;touch made pipe|touch made and&touch made to>made from<made",
    "glob* glob?x set[a-z] brace{a,b} not #comment caret^x percent%x",
    "equals=1 colon: x at@host two  spaces", "Ünïcode 中文 \u{1F6A8}🏳️‍🌈", "${IFS}x $((1+1))", "a:b", "it's",
    "say \"hi\"", "both ' and \"", "back\\slash", "end\\", "\\", "<(touch made)", "(paren)", "~", "~root",
    "~/made", "#comment", "wow! nice bang!", "!!", "!touch", "=ls", "-dash", "--all", "$'touch\\nmade'", "\"",
    "'",
  ]

  @Test func aShellIsOfferedSourcesAndIDs() throws {
    let household = try householdWithTwoSources()
    try household.run("names", "sources").expect("team\nboard\n")
    try household.run("names", "ids").expect("5\n4\n3\n2\n1\n")
    #expect(try !household.run("--help").output.contains("\n  names"))
  }

  @Test func namesArePrintedAsTheyAre() throws {
    let household = try Household()
    try household.settings(
      sources: Self.hostile.map { name in
        let text = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return (name: text, url: "\(household.home)/feed.xml", more: "")
      })
    // Joining characters are not printed, and the name is understood without them.
    let names = Self.hostile.map { name in
      String(String.UnicodeScalarView(name.unicodeScalars.filter { $0 != "\u{FE0F}" && $0 != "\u{200D}" }))
    }
    try household.run("names", "sources").expect(names.map { $0 + "\n" }.joined())
    for (number, name) in names.enumerated() where name != Self.hostile[number] || name.hasPrefix("-") {
      #expect(try household.run("why", "--", name).exit == .status(0), "\(name)")
    }
  }

  @Test(areInstalled, arguments: Shell.Name.allCases)
  func aNameIsCompletedAsItIsAndRunsNothing(shell name: Shell.Name) throws {
    let household = try Household()
    let shell = try Shell(name, household, program: standIn(household))
    let before = try files(household)
    for source in Self.hostile {
      try offer(source, household)
      // fish would insert it so that it is a folder.
      let isOffered = name != .fish || !source.hasPrefix("~")
      // After -- a hyphen begins no option. The program fails if the name is another, or missing.
      #expect(try shell.status(after: "reddot why -- \t") == (isOffered ? 0 : 64), "\(source)")
      #expect(try files(household) == before, "\(source)")
    }
  }

  @Test(areInstalled, arguments: Shell.Name.allCases)
  func anOptionsValueAndABeginningAreCompleted(shell name: Shell.Name) throws {
    let household = try Household()
    let shell = try Shell(name, household)
    try household.settings(
      sources: [
        (
          name: "Big News: $(touch made)", url: "\(household.home)/a.xml",
          more: "folder = \"Dev/Swift & more\""
        ),
        (name: "other", url: "\(household.home)/b.xml", more: ""),
      ])
    for line in [
      "reddot list --source Bi\t", "reddot list --source D\t", "reddot why Big\\ News\t",
      "reddot list --source 'Big N\t",
      "reddot list --source \"Big N\t",
    ] {
      #expect(try shell.status(after: line) == 0, "\(line)")
    }
    // fish also finds letters that stand apart.
    #expect(try shell.status(after: "reddot why Bg\t") == (name == .fish ? 0 : 1))
    #expect(!FileManager.default.fileExists(atPath: "\(household.home)/made"))
  }

  @Test(areInstalled) func bashOffersNamesInTheQuotesThatWereBegun() throws {
    let household = try Household()
    let shell = try Shell(.bash, household, program: standIn(household))
    let before = try files(household)
    for source in Self.hostile where !source.hasPrefix("-") {
      try offer(source, household)
      // Others are offered without quotes only.
      for (quote, others) in [("'", "'"), ("\"", "\"\\!")] where !source.contains(where: others.contains) {
        #expect(try shell.status(after: "reddot why \(quote)\t") == 0, "\(quote)\(source)")
      }
      #expect(try files(household) == before, "\(source)")
    }
  }

  /// Writes a stand-in for `reddot` that completes one name, and fails if it is then started with another name. The real program
  /// would be started twice for each name and shell, which would take most of the time.
  private func standIn(_ household: Household) throws -> String {
    let program = try household.write(
      ".stand-in/reddot",
      """
      #!/bin/sh
      [ "$1" = names ] && exec cat ~/.offered
      while [ $# -gt 1 ]; do shift; done
      [ "$1" = "$(cat ~/.offered)" ] || exit 64
      """)
    chmod(program, 0o755)
    return program
  }

  private func offer(_ name: String, _ household: Household) throws {
    try household.write(".offered", name + "\n")
  }

  private func files(_ household: Household) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: household.home).filter { !$0.hasPrefix(".") })
  }
}
