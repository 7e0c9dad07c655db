import QuerySamples
import Testing

@testable import Queries

@Suite struct QueryFormsTests {
  private func parsed(_ text: String) throws -> Query { try Query.parse(text, .strict).get() }

  @Test(arguments: [
    ("-(a OR -b)", "-a b"), ("-(a b)", "-a OR -b"), ("NOT NOT a", "a"), ("-(a (b OR -c))", "-a OR -b c"),
    ("a", "a"),
  ])
  func notsMoveToTheConditions(_ text: String, normal: String) throws {
    #expect(try parsed(text).negationNormalForm.text == normal)
  }

  @Test(arguments: [
    ("a -b title:c,/d/ from:e -(-f)", ["a", "c@title", "/d/@title", "e@author", "f"]), ("is:unread", []),
    ("a* OR \"b c\"", ["a*", "b c"]),
  ])
  func whatIsMarkedIsNotNegated(_ text: String, marks: [String]) throws {
    let found = try parsed(text).marks.map { mark in
      let term =
        switch mark.term {
        case .words(let words, let isPrefix): words.text + (isPrefix ? "*" : "")
        case .pattern(let pattern): "/\(pattern.pattern)/"
        }
      return term + (mark.field.map { "@\($0.rawValue)" } ?? "")
    }
    #expect(found == marks)
  }

  @Test func queriesAreJoinedInNormalForm() throws {
    let (a, b, either) = (try parsed("a"), try parsed("b c"), try parsed("d OR e"))
    #expect(Query.all(of: [a, .everything, b, either]).text == "a b c (d OR e)")
    #expect(Query.any(of: [a, b, either]).text == "a OR b c OR d OR e")
    #expect(Query.all(of: []) == .everything)
    #expect(Query.any(of: [a, .everything]) == .everything)
    #expect(Query.all(of: [a, .nothing]) == .nothing)
    #expect(Query.any(of: [.nothing, a]) == a)
  }

  // MARK: - Completions

  private func completions(_ text: String) -> (part: String, texts: [String]) {
    let names: [Query.NameField: [String]] = [
      .source: ["ci", "Build server", "server 2", "a,b", "x*y"], .tag: ["swift", "Südtirol"],
      .folder: ["Dev/Swift"],
    ]
    let cursor = text.unicodeScalars.firstIndex(of: "|") ?? text.endIndex
    let offset = text.utf8.distance(from: text.startIndex, to: cursor)
    let found = Query.completions(in: text, at: offset, names: names)
    return (String(decoding: Array(text.utf8)[found.range], as: UTF8.self), found.texts)
  }

  static let completed: [(String, String, [String])] = [
    ("ti|", "ti", ["title:"]), ("a so|urce", "so", ["source:"]), ("-(TA|", "TA", ["tag:"]),
    ("is:un|", "un", ["unread"]),
    ("is:read,st|", "st", ["starred"]), ("is:d|", "d", ["dismissed", "done"]),
    ("has:|", "", ["link", "actions", "picture", "html", "tag", "enclosure"]),
    ("in:|", "", ["all"]), ("priority:h|", "h", ["high"]), ("after:y|", "y", ["yesterday"]),
    ("source:|", "", ["ci", "\"Build server\"", "\"server 2\"", "\"a,b\"", "\"x\\*y\""]),
    ("source:ser|", "ser", ["\"server 2\"", "\"Build server\""]),
    ("source:\"build s|", "\"build s", ["\"Build server\""]),
    ("é tag:sü|", "sü", ["Südtirol"]), ("tag:a,SW|x", "SW", ["swift"]), ("folder:dev|", "dev", ["Dev/Swift"]),
    ("\"so|", "\"so", []), ("zzz|", "zzz", []), ("title:a|", "a", []), ("lang:|", "", []),
    ("foo:b|", "foo:b", []),
    ("tag:a ki|", "ki", ["kind:"]), ("\"a b\" r|", "r", ["rule:"]),
  ]

  @Test(arguments: completed)
  func whatIsBeingTypedIsCompleted(_ text: String, part: String, texts: [String]) {
    let found = completions(text)
    #expect(found.part == part)
    #expect(found.texts == texts)
  }

  @Test func allFieldsAreOfferedWhereNothingIsTyped() {
    #expect(completions("a |").texts.count == Query.Field.allCases.count)
    #expect(completions("").part == "")
  }

  @Test func aCompletionIsTheValue() throws {
    for name in RandomQueries.names where !name.isEmpty {
      let found = Query.completions(in: "source:", at: 7, names: [.source: [name]])
      let text = try #require(found.texts.first)
      #expect(try parsed("source:" + text) == .test(.name(.source, [.glob(Glob(pieces: [name]))])))
    }
  }
}
