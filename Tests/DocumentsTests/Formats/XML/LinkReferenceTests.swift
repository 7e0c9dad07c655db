import Testing

@testable import Formats

@Suite struct LinkReferenceTests {
  /// RFC 3986 section 5.4, and what feeds add.
  @Test(arguments: [
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("\n g h\n", "http://a/b/c/g%20h"), ("/À", "http://a/À"), ("a\nb", "http://a/b/c/ab"),
    ("HTTP://X/", "HTTP://X/"),
    // A combining mark does not change the character before it.
    ("?\u{301}y", "http://a/b/c/d;p?\u{301}y"), ("g#\u{301}/../s", "http://a/b/c/g#\u{301}/../s"),
    ("/\u{301}g", "http://a/\u{301}g"), ("x/\u{301}/../g", "http://a/b/c/x/g"),
    ("../\u{301}g", "http://a/b/\u{301}g"),
  ])
  func referencesStandOnTheirBase(reference: String, expected: String) {
    #expect(LinkReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
  }

  @Test func withoutABaseTheyStayAsTheyAre() {
    #expect(LinkReference.resolve("x/y", against: nil) == "x/y")
    #expect(LinkReference.resolve("x/y", against: "no base") == "x/y")
    #expect(LinkReference.resolve("x", against: "http://a/b/\u{301}c") == "http://a/b/x")
    #expect(LinkReference.resolve("x", against: "http://host") == "http://host/x")
    #expect(LinkReference.resolve("x", against: "file:///dir/feed.xml") == "file:///dir/x")
  }
}
