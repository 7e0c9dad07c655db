extension HostileCase {
  private static func rss(_ document: HostileDocument, _ items: () throws -> Void) throws {
    try document.put("<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>T</title>")
    try items()
    try document.put("</channel></rss>")
  }

  private static func item(_ document: HostileDocument, _ name: String, _ content: () throws -> Void) throws {
    try rss(document) {
      try document.put("<item><guid>1</guid><\(name)>")
      try content()
      try document.put("</\(name)></item>")
    }
  }

  /// XML that is hard to parse.
  static let feeds: [HostileCase] = [
    .poll("200,000 attributes") { document in
      try rss(document) {
        try document.put("<item ")
        try document.put(0..<200_000) { "a\($0)=\"1\" " }
        try document.put("><title>x</title></item>")
      }
    },
    .poll("200,000 attributes with quoted marks") { document in
      try rss(document) {
        try document.put("<item ")
        try document.put(0..<200_000) { "a\($0)='>' " }
        try document.put("><title>x</title></item>")
      }
    },
    .poll("1,000 attributes in each of 2,000 tags") { document in
      try rss(document) {
        for _ in 0..<2000 {
          try document.put("<item ")
          try document.put(0..<1000) { "a\($0)='1' " }
          try document.put("><title>x</title></item>")
        }
      }
    },
    .poll("xml:base of 500 KB, 20,000 relative links") { document in
      try document.put("<rss version='2.0' xml:base='http://e.example/")
      try document.put("a", times: 500_000)
      try document.put("/'><channel>")
      try document.put(0..<20_000) { "<item><guid>\($0)</guid><link>x\($0)</link></item>" }
      try document.put("</channel></rss>")
    },
    .poll("xml:base that grows with each of 900 levels") { document in
      try document.put("<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://e.example/'>")
      let step = String(repeating: "a", count: 500)
      try document.put(0..<900) { _ in "<x xml:base='\(step)/'>" }
      try document.put(0..<900) { "<entry><id>\($0)</id><link href='b'/></entry></x>" }
      try document.put("</feed>")
    },
    .poll("channel link of 500 KB, 20,000 relative links") { document in
      try rss(document) {
        try document.put("<link>http://e.example/")
        try document.put("a", times: 500_000)
        try document.put("/</link>")
        try document.put(0..<20_000) { "<item><guid>\($0)</guid><link>x\($0)</link></item>" }
      }
    },
    .poll("base of 100 KB, 50,000 links in one body") { document in
      try document.put("<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://e.example/")
      try document.put("a", times: 100_000)
      try document.put("/'><entry><id>1</id><content type='html'>")
      try document.put("&lt;a href=x&gt;y&lt;/a&gt; ", times: 50_000)
      try document.put("</content></entry></feed>")
    },
    .poll("one path of 10,000,000 dots and slashes") { document in
      try item(document, "link") { try document.put("../", times: 10_000_000) }
    },
    .poll("title of 60 MB") { document in
      try item(document, "title") { try document.put("words ", times: 10_000_000) }
    },
    .poll("guid of 60 MB") { document in
      try rss(document) {
        try document.put("<item><guid>")
        try document.put("x", times: 60_000_000)
        try document.put("</guid></item>")
      }
    },
    .poll("link of 60 MB") { document in
      try item(document, "link") { try document.put("http://e.example/", times: 3_500_000) }
    },
    .poll("author of 30 MB") { document in
      try item(document, "author") { try document.put("a@b (c) ", times: 4_000_000) }
    },
    .poll("date of 30 MB") { document in
      try item(document, "pubDate") { try document.put("Sat, 21 ", times: 4_000_000) }
    },
    .poll("1,000,000 categories in one item") { document in
      try rss(document) {
        try document.put("<item><guid>1</guid>")
        try document.put(0..<1_000_000) { "<category>c\($0)</category>" }
        try document.put("</item>")
      }
    },
    .poll("500,000 enclosures in one item") { document in
      try rss(document) {
        try document.put("<item><guid>1</guid>")
        try document.put(0..<500_000) { "<enclosure url='http://e.example/\($0)' type='audio/mpeg'/>" }
        try document.put("</item>")
      }
    },
    .poll("5,000,000 empty items") { document in
      try rss(document) { try document.put("<item/>", times: 5_000_000) }
    },
    .poll("400,000 items of one guid") { document in
      try rss(document) {
        try document.put(0..<400_000) { "<item><guid>1</guid><link>http://e.example/\($0)</link></item>" }
      }
    },
    .poll("entities that grow tenfold, ten times") { document in
      try document.put("<!DOCTYPE r [<!ENTITY e0 'aaaaaaaaaa'>")
      try document.put(1..<10) { "<!ENTITY e\($0) '" + String(repeating: "&e\($0 - 1);", count: 10) + "'>" }
      try document.put("]><rss version='2.0'><channel><item><title>&e9;</title></item></channel></rss>")
    },
    .poll("an entity of 1 MB, 100,000 times") { document in
      try document.put("<!DOCTYPE r [<!ENTITY e '")
      try document.put("a", times: 1_000_000)
      try document.put("'>]><rss version='2.0'><channel><item><title>")
      try document.put("&e;", times: 100_000)
      try document.put("</title></item></channel></rss>")
    },
    .poll("an entity of 100 KB in 10,000 attributes") { document in
      try document.put("<!DOCTYPE r [<!ENTITY e '")
      try document.put("a", times: 100_000)
      try document.put("'>]><rss version='2.0'><channel>")
      try document.put("<item x='&e;'/>", times: 10_000)
      try document.put("</channel></rss>")
    },
    .poll("500,000 entities declared") { document in
      try document.put("<!DOCTYPE r [")
      try document.put(0..<500_000) { "<!ENTITY n\($0) 'x'>" }
      try document.put("]><rss version='2.0'><channel><item><title>&n1;</title></item></channel></rss>")
    },
    .poll("5,000,000 unknown entities") { document in
      try item(document, "title") { try document.put("&who;", times: 5_000_000) }
    },
    .poll("1,000,000 elements inside each other") { document in
      try item(document, "x") { try document.put("<a>", times: 1_000_000) }
    },
    .poll("500,000 names of elements") { document in
      try rss(document) { try document.put(0..<500_000) { "<n\($0)/>" } }
    },
    .poll("200,000 namespaces on one element") { document in
      try rss(document) {
        try document.put("<item ")
        try document.put(0..<200_000) { "xmlns:n\($0)='u' " }
        try document.put("/>")
      }
    },
    .poll("900 namespaces on each of 900 levels") { document in
      try rss(document) {
        for level in 0..<900 {
          try document.put("<x ")
          try document.put(0..<100) { "xmlns:n\(level)x\($0)='u' " }
          try document.put(">")
        }
      }
    },
    .poll("a comment of 60 MB without end") { document in
      try rss(document) {
        try document.put("<!-- ")
        try document.put("- ", times: 30_000_000)
      }
    },
    .poll("2,000,000 comments that are not closed") { document in
      try rss(document) { try document.put("<!-- x ", times: 2_000_000) }
    },
    .poll("1,000,000 CDATA sections that are not closed") { document in
      try rss(document) { try document.put("<![CDATA[", times: 1_000_000) }
    },
    .poll("1,000,000 end tags that close nothing") { document in
      try rss(document) {
        try document.put("<item>", times: 1000)
        try document.put("</nothing>", times: 1_000_000)
      }
    },
    .poll("64 MB of <") { document in try document.put("<", times: 64_000_000) },
    .poll("64 MB of <rss and <") { document in
      try document.put("<rss>")
      try document.put("<", times: 64_000_000)
    },
    .poll("64 MB of &") { document in try item(document, "title") { try document.put("&", times: 64_000_000) }
    },
    .poll("64 MB of spaces") { document in try document.put(" ", times: 64_000_000) },
    .poll("64 MB of line ends in a title") { document in
      try item(document, "title") { try document.put("\n", times: 64_000_000) }
    },
    .poll("64 MB of zero bytes") { document in try document.put([0], times: 64_000_000) },
    .poll("64 MB of 0xFF in a feed") { document in
      try item(document, "title") { try document.put([0xFF], times: 64_000_000) }
    },
    .poll("30 MB of bad GB18030", headers: ["Content-Type: text/xml; charset=gb18030"]) { document in
      try item(document, "title") { try document.put([0x81, 0x20, 0xFF], times: 10_000_000) }
    },
    .poll("30 MB of UTF-16 with lone surrogates", headers: ["Content-Type: text/xml; charset=utf-16"]) {
      document in
      try document.put([0xFF, 0xFE])
      try document.put([0x00, 0xD8, 0x41, 0x00], times: 7_500_000)
    },
    .poll("an XML declaration of 30 MB") { document in
      try document.put("<?xml version='1.0' encoding='")
      try document.put("x", times: 30_000_000)
      try document.put("'?><rss/>")
    },
    .poll("a page with 500,000 feeds") { document in
      try document.put("<!doctype html><html><head>")
      try document.put(0..<500_000) { "<link rel=alternate type='application/rss+xml' href='f\($0)'>" }
    },
    .poll("300,000 broken items that are repaired") { document in
      try rss(document) { try document.put("<item><title>a & b <br></titel><link>x?a&b", times: 300_000) }
    },
  ]
}
