import Testing

@Suite struct CompletionTests {
  @Test func aShellIsOfferedSourcesAndIDs() throws {
    let household = try householdWithTwoSources()
    try household.run("names", "sources").expect("team\nboard\n")
    try household.run("names", "ids").expect("5\n4\n3\n2\n1\n")
    #expect(try !household.run("--help").output.contains("\n  names"))
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func theScriptsAskForThem(shell: String) throws {
    let household = try householdWithTwoSources()
    let script = try household.run("--generate-completion-script", shell).output
    #expect(script.contains("reddot names sources 2>/dev/null"))
    #expect(script.contains("reddot names ids 2>/dev/null"))
  }
}
