import TestBasics

extension HostileCase {
  /// A feed with one message whose body is this HTML.
  private static func body(
    _ name: String, _ write: @escaping @Sendable (HostileDocument) throws -> Void
  ) -> HostileCase {
    .poll(name) { document in
      try document.put(
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><title>t</title><content type='html'>")
      try write(document)
      try document.put("</content></entry></feed>")
    }
  }

  /// HTML that is hard to parse, escaped in a feed.
  static let markup: [HostileCase] = [
    body("nested CDATA marks, 270 KB") { try $0.put("&lt;![CDATA[", times: 30_000) },
    body("nested CDATA marks, 5 MB") { try $0.put("&lt;![CDATA[", times: 500_000) },
    body("CDATA marks inside CDATA marks") { document in
      try document.put("&lt;![CD", times: 30_000)
      try document.put("ATA[", times: 30_000)
      try document.put("x")
      try document.put("]]>", times: 30_000)
    },
    body("200,000 attributes without values") { document in
      try document.put("&lt;p ")
      try document.put(0..<200_000) { "a\($0) " }
      try document.put("&gt;x")
    },
    body("200,000 attributes behind a quoted mark") { document in
      try document.put("&lt;p x='&gt;' ")
      try document.put(0..<200_000) { "a\($0)=1 " }
      try document.put("&gt;x")
    },
    body("190 attributes in each of 5,000 tags") { document in
      let attributes = (0..<190).map { "a\($0) " }.joined()
      try document.put("&lt;p \(attributes)&gt;x", times: 5000)
    },
    body("20 MB of words that are all different") { document in
      var numbers = SeededRandom(seed: 20_261_121)
      while document.count < 20 << 20 { try document.put(numbers.word() + " ") }
    },
    body("20 MB of one word") { try $0.put("x", times: 20_000_000) },
    body("20 MB of ideographs") { try $0.put("会议室改期", times: 1_400_000) },
    body("20 MB of joined emoji") { try $0.put("👨‍👩‍👧‍👦", times: 800_000) },
    body("20 MB of combining marks") { try $0.put("e\u{301}\u{489}", times: 4_000_000) },
    body("20 MB of bidirectional controls") { try $0.put("\u{202E}\u{2066}", times: 3_300_000) },
    body("a million links") { try $0.put("&lt;a href=x>y&lt;/a> ", times: 1_000_000) },
    body("a million pictures") { try $0.put("&lt;img src=x alt=y>", times: 1_000_000) },
    body("a million divisions inside each other") { try $0.put("&lt;div>", times: 1_000_000) },
    body("a million bold words that are not closed") { try $0.put("&lt;p>&lt;b>x ", times: 1_000_000) },
    body("300,000 tables inside each other") { try $0.put("&lt;table>&lt;tr>&lt;td>", times: 300_000) },
    body("300,000 lists inside each other") { try $0.put("&lt;ul>&lt;li>", times: 300_000) },
    body("300,000 quotations inside each other") { try $0.put("&lt;blockquote>", times: 300_000) },
    body("cells of 64 columns and 1,000 rows, 50,000 times") { document in
      try document.put("&lt;table>")
      try document.put("&lt;tr>&lt;td colspan=64 rowspan=1000>x", times: 50_000)
    },
    body("cells of 10^9 columns and rows") { document in
      try document.put("&lt;table>")
      try document.put("&lt;tr>&lt;td colspan=1000000000 rowspan=1000000000>x", times: 10_000)
    },
    body("a row of a million cells") { document in
      try document.put("&lt;table>&lt;tr>")
      try document.put("&lt;td>x", times: 1_000_000)
    },
    body("a million rows") { document in
      try document.put("&lt;table>")
      try document.put("&lt;tr>&lt;td>x&lt;td>y", times: 1_000_000)
    },
    body("a list of a million entries from 10^18") { document in
      try document.put("&lt;ol start=999999999999999999>")
      try document.put("&lt;li>x", times: 1_000_000)
    },
    body("2,000,000 line breaks") { try $0.put("&lt;br>", times: 2_000_000) },
    body("a preformatted line of 20 MB") { document in
      try document.put("&lt;pre>")
      try document.put("x\t", times: 10_000_000)
    },
    body("2,000,000 references to characters") { try $0.put("&amp;#x1F600;", times: 2_000_000) },
    body("a reference of 10 MB of digits") { document in
      try document.put("&amp;#")
      try document.put("9", times: 10_000_000)
    },
    body("styles of 10 MB") { document in
      try document.put("&lt;p style='")
      try document.put("color:red;", times: 1_000_000)
      try document.put("'>x")
    },
    body("a million tags that have no end") { try $0.put("&lt;a b=", times: 1_000_000) },
    body("500,000 scripts that are not closed") { try $0.put("&lt;script>", times: 500_000) },
    body("base addresses, 300,000 times") {
      try $0.put("&lt;base href=a/>&lt;a href=b>x&lt;/a>", times: 300_000)
    },
    body("options, forms and frames") {
      try $0.put("&lt;select>&lt;option>x&lt;form>&lt;iframe>&lt;svg>&lt;math>", times: 200_000)
    },
  ]
}
