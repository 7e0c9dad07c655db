import Foundation
import Testing

struct CommandSourcesTests {
  /// A command with a name that ArgumentParser derives from the type makes every start slower, because it looks through
  /// all types of the program.
  @Test func everyCommandSaysItsName() throws {
    let folder = LayeringTests.root.appending(path: "Sources/Programs/reddot")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var count = 0
    for case let path as String in files where path.hasSuffix(".swift") {
      let text = try LayeringTests.text("Sources/Programs/reddot/\(path)")
      for configuration in text.components(separatedBy: "CommandConfiguration(").dropFirst() {
        count += 1
        #expect(configuration.drop(while: \.isWhitespace).hasPrefix("commandName:"), "\(path)")
      }
    }
    #expect(count > 30)
  }
}

struct DrawnSignsTests {
  /// Files with non-ASCII characters that are compared with text, or are text themselves; none of them is drawn as a
  /// symbol.
  private static let compared: Set<String> = [
    "Inbox/Interface/Render/StyledText+Parts.swift", "Inbox/Interface/State/CommonWords.swift",
    "Inbox/Interface/Reader/ReaderPage.swift",
    "Features/Words/Commands/KeyboardLayout.swift",
    "Base/Screen/LineBreaker.swift", "Documents/Markup/Article/PageTree.swift",
    "Documents/Markup/HTML/HTMLBuilder.swift",
    "Documents/Markup/HTML/HTMLBuilder+Raised.swift", "Documents/Markup/HTML/HTMLBuilder+Formula.swift",
  ]

  /// A symbol elsewhere would not change if symbols are ASCII.
  @Test func onlyTheTableHasSigns() throws {
    var seen: Set<String> = []
    for target in [
      "Inbox/Interface", "Features/Words", "Base/Screen", "Inbox/Terminal", "Documents/Markup",
      "Inbox/Session/Pictures",
    ] {
      let folder = LayeringTests.root.appending(path: "Sources/\(target)")
      let files = try #require(FileManager.default.enumerator(atPath: folder.path))
      for case let name as String in files where name.hasSuffix(".swift") {
        let path = "\(target)/\(name)"
        let lines = try LayeringTests.text("Sources/\(path)").split(separator: "\n").filter { line in
          !line.drop(while: { $0 == " " }).hasPrefix("//") && !line.allSatisfy(\.isASCII)
        }
        guard let line = lines.first else { continue }
        seen.insert(path)
        #expect(
          Self.compared.contains(path) || path == "Base/Screen/Sign.swift",
          "\(path) draws what is not in the table of signs: \(line)")
      }
    }
    #expect(seen.subtracting(["Base/Screen/Sign.swift"]) == Self.compared, "the list of files is as it is")
  }
}

/// The comparison of text in Sources.
struct ComparedTextTests {
  /// The standard library compares characters, and a quotation mark with a combining mark differs from the quotation
  /// mark. Escaping in that way is open to injection, and text with CR LF has one line.
  @Test func signsAreReplacedAndSplitByBytes() throws {
    let folder = LayeringTests.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    let byCharacter =
      /replacingOccurrences|\.split\(separator: "(\\?.)"[,)]|\.replacing\((?!exactly:|word\)|$)/
    var count = 0
    for case let path as String in files where path.hasSuffix(".swift") {
      count += 1
      let text = try LayeringTests.text("Sources/\(path)")
      guard text.contains("split(") || text.contains("replacing") else { continue }
      for line in text.split(separator: "\n")
      where line.contains(byCharacter) && !line.contains(/(utf8|unicodeScalars)\.split/) {
        Issue.record("\(path) compares characters; use `exactly:`: \(line)")
      }
    }
    #expect(count > 500)
  }

  /// The work after an arrival cannot be forgotten, because nothing else stores messages.
  @Test func onlyAnArrivalStoresMessages() throws {
    let folder = LayeringTests.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    var storing: Set<String> = []
    for case let path as String in files
    where path.hasSuffix(".swift") && !path.hasPrefix("Store/Storage/")
      && !path.hasPrefix("Programs/Benchmarks/")
    {
      let text = try LayeringTests.text("Sources/\(path)")
      if text.contains(/\.pushes\.|\.polls\.record\((?!attempt|stream)|\.readAll\(ofPane|\.readLocal\(/) {
        storing.insert(path)
      }
    }
    #expect(
      storing == [
        "Features/Notifications/Arrival/MessageArrival.swift", "Features/Polling/Rounds/PollBatches.swift",
      ])
  }
}

/// The tests' own sources: no test sleeps, and each has an expectation.
struct TestSourcesTests {
  /// Swift files under Tests, by path; without the torture program, which depends on time and isn't a test.
  private static func files() throws -> [(path: String, text: String)] {
    let folder = LayeringTests.root.appending(path: "Tests")
    let files = try #require(FileManager.default.enumerator(atPath: folder.path))
    return try files.compactMap { $0 as? String }.filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("Support/Torture/") && !$0.hasSuffix("TestSourcesTests.swift")
    }.map {
      ($0, try LayeringTests.text("Tests/\($0)"))
    }
  }

  private static func sleeps(_ line: String) -> Bool {
    let sleep = /\b(Task\s*\.\s*sleep|u?sleep|nanosleep)\s*\(|Thread\.sleep/
    // A test's own clock has to define these.
    return line.contains("sleep") && !line.contains("func sleep(") && line.contains(sleep)
  }

  @Test func noTestSleeps() throws {
    let files = try Self.files()
    #expect(files.count > 100)
    for (path, text) in files {
      // Few files do, and checking lines is slow.
      guard text.contains("sleep") else { continue }
      for line in text.split(separator: "\n").map(String.init) where Self.sleeps(line) {
        Issue.record("\(path) sleeps; wait for what is to happen: \(line)")
      }
    }
  }

  @Test func onlyOneConstantEndsHangs() throws {
    for (path, text) in try Self.files() {
      for match in text.matches(of: /\.timeLimit\(([^)]*\)?)\)/) {
        #expect(match.1 == ".minutes(HangLimit.minutes)", "\(path)")
      }
    }
  }

  @Test func everyTestExpectsSomething() throws {
    let words =
      /#expect|#require|[eE]xpect|confirmation|Issue\.record|[cC]heck\w*\(|readAll\(|\.wait\(|\.visit\(/
    var count = 0
    for (path, text) in try Self.files() {
      // Up to the next test, or to the file's end.
      for test in text.split(separator: "@Test").dropFirst() {
        count += 1
        let name = test.firstMatch(of: /func (\w+)/).map { String($0.1) } ?? ""
        #expect(test.contains(words), "\(path): \(name) expects nothing")
      }
    }
    #expect(count > 1000)
  }

  @Test(arguments: [
    ("try await Task.sleep(for: .seconds(1))", true), ("  usleep(20)", true), ("sleep(1)", true),
    ("Thread.sleep(forTimeInterval: 1)", true), ("nanosleep(&wait, nil)", true),
    ("func sleep(until deadline: Instant) {", false), ("program(\"sleep\", \"600\")", false),
    ("await clock.sleeper(until: .seconds(1))", false),
  ])
  func aSleepIsSeen(_ line: String, isOne: Bool) {
    #expect(Self.sleeps(line) == isOne)
  }
}
