import Foundation
import Testing

@testable import Platform

struct SavedFileTests {
  private let home: String

  init() throws {
    home = NSTemporaryDirectory() + "reddot-saved-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(home)/\(name)", encoding: .utf8)
  }

  @Test func aFileThatIsThereStaysUnlessItIsToBeReplaced() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    let file = SavedFile(typed: "~/a.md", home: home)
    #expect(file.path == "\(home)/a.md")
    #expect(try file.write(Data("one".utf8), replacing: false))
    #expect(try !file.write(Data("two".utf8), replacing: false))
    #expect(try text("a.md") == "one")
    #expect(try file.write(Data("two".utf8), replacing: true))
    #expect(try text("a.md") == "two")
  }

  @Test func aLinkThatLeadsNowhereIsNotFollowed() throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    try FileManager.default.createSymbolicLink(atPath: "\(home)/a", withDestinationPath: "\(home)/b")
    #expect(try !SavedFile(typed: "\(home)/a", home: home).write(Data(), replacing: false))
    #expect(!FileManager.default.fileExists(atPath: "\(home)/b"))
  }

  @Test(arguments: [("", "is a folder"), ("pipe", "is not a regular file"), ("no/a", "No such file")])
  func whatIsNotAFileIsRefused(name: String, reason: String) throws {
    defer { try? FileManager.default.removeItem(atPath: home) }
    #expect(mkfifo("\(home)/pipe", 0o600) == 0)
    for replacing in [false, true] {
      let failure = #expect(throws: ReplacedFile.Failure.self) {
        try SavedFile(typed: "\(home)/\(name)", home: home).write(Data("x".utf8), replacing: replacing)
      }
      #expect(failure?.reason.contains(reason) == true)
    }
  }
}
