import Foundation
import TerminalHarness
import Testing

/// Lists of ids in arguments and in standard input.
@Suite struct ManyIDsTests {
  private let household: Household

  init() throws {
    household = try Household()
    for title in ["One", "Two", "Three"] { #expect(try household.run("push", title).exit == .status(0)) }
  }

  private func unread() throws -> [String] {
    try household.messages("--unread").compactMap { $0["title"] as? String }
  }

  @Test func tenThousandsAreMarkedInAMoment() throws {
    let start = ContinuousClock.now
    let many = Array(repeating: "2", count: 20_000)
    for words in [["mark", "--read"] + many, ["mark"] + many + ["--star"], ["mark", "--read", "--"] + many] {
      let ran = try household.run(words)
      #expect(ran.exit == .status(0), "\(ran.errors)")
    }
    // The argument parser alone took minutes for these.
    #expect(ContinuousClock.now - start < .seconds(30))
    #expect(try unread() == ["Three", "One"])
    #expect(try household.messages("--query", "is:starred").compactMap { $0["title"] as? String } == ["Two"])
    let wrong = try household.run(["mark", "--read"] + many + ["4"] + many)
    #expect(wrong.exit == .status(1) && wrong.errors.contains("message 4 does not exist"), "\(wrong.errors)")
  }

  @Test func aNumberThatIsTheValueOfAnOptionStaysOne() throws {
    #expect(try household.run("push", "Of a year", "--source", "2026").exit == .status(0))
    let many = Array(repeating: "2", count: 100)
    let ran = try household.run(["mark", "--read", "--all", "--source", "2026"] + many)
    #expect(ran.exit == .status(64) && ran.errors.contains("give either ids or --all"), "\(ran.errors)")
    #expect(try household.run("mark", "--read", "--all", "--source", "2026").exit == .status(0))
    #expect(try unread() == ["Three", "Two", "One"])
  }

  @Test func listsAndStandardInput() throws {
    #expect(try household.run("mark", "--read", "1,3").exit == .status(0))
    #expect(try unread() == ["Two"])
    #expect(try household.run(["mark", "--unread", "-"], input: "1\n 3,1\r\n").exit == .status(0))
    #expect(try unread() == ["Three", "Two", "One"])
    #expect(try household.run(["mark", "--read", "-", "2"], input: "").exit == .status(0))
    #expect(try unread() == ["Three", "One"])
    let wrong = try household.run(["mark", "--read", "-"], input: "1\nthree\n")
    #expect(wrong.exit == .status(64) && wrong.errors.contains("\"three\" is not the id of a message"))
    for words in ["1,", "1,x", "x", ""] {
      #expect(try household.run("mark", "--read", words).exit == .status(64))
    }
    #expect(try household.run("show", "1,2").exit == .status(64))
    #expect(try household.run("show", "--enclosures", "1,2").exit == .status(0))
    #expect(try unread() == ["Three", "One"])
  }
}
