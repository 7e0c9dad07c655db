import Foundation
import Messages
import Testing

@testable import Profile

struct SourceLookupTests {
  private func source(_ id: Int64, _ name: String, _ title: String, in folder: String? = nil) -> (
    Source, String
  ) {
    var source = Source(id: SourceID(id), name: name, kind: .feed, address: "https://\(id).example/")
    source.folder = folder.flatMap(Folder.init)
    return (source, title)
  }

  private var lookup: SourceLookup {
    SourceLookup([
      source(1, "team", "The Team", in: "Work"), source(2, "Team", "Other", in: "Work/Boards"),
      source(3, "blog", "Überblick"), source(4, "x", "blog", in: "Work/Boards"),
    ])
  }

  @Test(arguments: [
    ("team", 1), ("Team", 2), ("the team", 1), ("blog", 3), ("BLOG", 3), ("uberblick", 3), ("X", 4),
  ])
  func aSourceIsFoundByNameOrTitle(text: String, id: Int64) throws {
    #expect(try lookup.source(text).id == SourceID(id))
  }

  @Test func aNameThatSeveralMayHaveIsAskedFor() {
    #expect(
      throws: SourceLookup.Failure(sentence: "\"TEAM\" may be \"team\", \"Team\"; give one of these names")
    ) {
      try lookup.source("TEAM")
    }
  }

  @Test func nothingOfThatNameIsNotAMistakeWhereTwoOfItAre() throws {
    #expect(try lookup.known("17") == nil)
    #expect(try lookup.known("x")?.id == SourceID(4))
    #expect(throws: SourceLookup.Failure.self) { try lookup.known("TEAM") }
  }

  @Test func aFolderStandsForItsSources() throws {
    #expect(try lookup.sources("work").map(\.id.rawValue) == [1, 2, 4])
    #expect(try lookup.sources(" Work / Boards ").map(\.id.rawValue) == [2, 4])
    #expect(try lookup.sources("blog").map(\.id.rawValue) == [3])
    #expect(lookup.folders.map(\.path) == ["Work", "Work/Boards"])
  }

  @Test func amongManyTheNearestNameIsOffered() {
    let many = SourceLookup(
      (1...9).map { source($0, "source \($0)", "Title \($0)") } + [source(10, "weather", "W")])
    #expect(
      throws: SourceLookup.Failure(
        sentence: "no source named \"wether\"; did you mean weather? reddot sources lists them")
    ) { try many.scope("wether") }
  }
}
