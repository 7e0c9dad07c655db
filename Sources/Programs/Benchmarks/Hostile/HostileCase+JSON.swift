extension HostileCase {
  private static func items(
    _ document: HostileDocument, _ count: Int, _ item: (Int) -> String
  ) throws {
    try document.put("{\"list\":[")
    try document.put(0..<count) { ($0 == 0 ? "" : ",") + item($0) }
    try document.put("]}")
  }

  private static func features(_ count: Int) -> HostileCase {
    .poll("\(count) features", "native") { document in
      try items(document, count) {
        "{\"id\":\($0),\"type\":\"enable-feature\",\"data\":{\"feature\":\"f\($0)\"}}"
      }
    }
  }

  /// Native feeds, JSON Feeds and JSON itself.
  static let json: [HostileCase] = [
    features(10_000), features(30_000), features(100_000),
    .poll("one notification with 10,000 features", "native") { document in
      try namesOfFeatures(10_000, document)
    },
    .poll("one notification with 30,000 features", "native") { document in
      try namesOfFeatures(30_000, document)
    },
    .poll("30,000 features beside data of 1 MB", "native") { document in
      try document.put("{\"list\":[{\"id\":1,\"type\":\"enable-feature\",\"data\":{\"x\":\"")
      try document.put("y", times: 1_000_000)
      try document.put("\",\"features\":[\"f\"")
      try document.put(0..<30_000) { ",\"f\($0)\"" }
      try document.put("]}}]}")
    },
    .poll("200,000 translations of one notification", "native") { document in
      try document.put(
        "{\"list\":[{\"id\":1,\"type\":4,\"actiondata\":{\"translations\":{\"en\":{\"msg\":\"x\"}")
      try document.put(0..<200_000) { ",\"l\($0)\":{\"title\":\"t\",\"msg\":\"m\"}" }
      try document.put("}}}]}")
    },
    .poll("the application's name a million times", "native") { document in
      try document.put("{\"list\":[{\"id\":1,\"type\":4,\"actiondata\":{\"translations\":{\"en\":{\"msg\":\"")
      try document.put("{{%s}}", times: 1_000_000)
      try document.put("\"}}}}]}")
    },
    .poll("20,000 arguments of 100 KB each", "native") { document in
      try document.put("{\"list\":[{\"id\":1,\"aps\":{\"alert\":{\"loc-key\":\"")
      try document.put("%1$@", times: 20_000)
      try document.put("\",\"loc-args\":[\"")
      try document.put("x", times: 100_000)
      try document.put("\"]}}}]}")
    },
    .poll("1,000,000 items that are not objects", "native") { document in
      try items(document, 1_000_000) { _ in "0" }
    },
    .poll("300,000 items without ids and with long keys", "native") { document in
      let key = String(repeating: "k", count: 100)
      try items(document, 300_000) { "{\"\(key)\($0)\":1}" }
    },
    .poll("500,000 unknown keys in one item", "native") { document in
      try document.put("{\"list\":[{\"id\":1")
      try document.put(0..<500_000) { ",\"k\($0)\":\($0)" }
      try document.put("}]}")
    },
    .poll("500,000 keys at the top", "native") { document in
      try document.put("{\"list\":[]")
      try document.put(0..<500_000) { ",\"k\($0)\":\($0)" }
      try document.put("}")
    },
    .poll("1,000,000 equal keys", "native") { document in
      try document.put("{\"list\":[]")
      try document.put(",\"title\":\"x\"", times: 1_000_000)
      try document.put("}")
    },
    .poll("50 ids of 1 MB of digits", "native") { document in
      let digits = String(repeating: "9", count: 1_000_000)
      try items(document, 50) { "{\"id\":\(digits)\($0),\"title\":\"x\"}" }
    },
    .poll("an id with an exponent of 10 MB of digits", "native") { document in
      try document.put("{\"list\":[{\"id\":1e")
      try document.put("9", times: 10_000_000)
      try document.put("}]}")
    },
    .poll("300,000 actions of one item", "native") { document in
      try document.put("{\"list\":[{\"id\":1,\"actions\":[{}")
      try document.put(0..<300_000) { ",{\"label\":\"l\($0)\",\"url\":\"http://e.example/\($0)\"}" }
      try document.put("]}]}")
    },
    .poll("60 MB of HTML in a title", "native") { document in
      try document.put("{\"list\":[{\"id\":1,\"title\":\"")
      try document.put("<b>&amp;x", times: 6_000_000)
      try document.put("\"}]}")
    },
    .poll("pages without end", "native") { document in
      try document.put("{\"has_more\":true,\"list\":[{\"id\":1,\"title\":\"x\"}]}")
    },
    .poll("64 MB of [") { document in try document.put("[", times: 64_000_000) },
    .poll("64 MB of [ in a native feed", "native") { document in
      try document.put("{\"list\":")
      try document.put("[", times: 64_000_000)
    },
    .poll("60 MB of objects inside each other", "native") { document in
      try document.put("{\"a\":", times: 12_000_000)
    },
    .poll("a text of 10,000,000 escapes", "native") { document in
      try document.put("{\"list\":[{\"id\":1,\"body\":\"")
      try document.put("\\u0000", times: 10_000_000)
      try document.put("\"}]}")
    },
    .poll("a million bad elements", "native") { document in
      try document.put("{\"list\":[")
      try document.put("{\"id\":tru,", times: 1_000_000)
    },
    .poll("a JSON Feed of 2,000,000 empty items") { document in
      try document.put("{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{}")
      try document.put(",{}", times: 2_000_000)
      try document.put("]}")
    },
    .poll("a JSON Feed with 300,000 attachments") { document in
      try document.put(
        "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":1,\"attachments\":[{}")
      try document.put(0..<300_000) { ",{\"url\":\"\($0)\",\"mime_type\":\"a/b\"}" }
      try document.put("]}]}")
    },
    .poll("a JSON Feed with a title of 60 MB") { document in
      try document.put("{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":1,\"title\":\"")
      try document.put("words ", times: 10_000_000)
      try document.put("\"}]}")
    },
    .poll("a JSON Feed with a home of 500 KB and 20,000 links") { document in
      try document.put(
        "{\"version\":\"https://jsonfeed.org/version/1\",\"home_page_url\":\"http://e.example/")
      try document.put("a", times: 500_000)
      try document.put("/\",\"items\":[{}")
      try document.put(0..<20_000) { ",{\"id\":\"\($0)\",\"url\":\"x\($0)\"}" }
      try document.put("]}")
    },
  ]

  private static func namesOfFeatures(_ count: Int, _ document: HostileDocument) throws {
    try document.put("{\"list\":[{\"id\":1,\"type\":\"enable-feature\",\"data\":{\"features\":[\"f\"")
    try document.put(0..<count) { ",\"feature-number-\($0)\"" }
    try document.put("]}}]}")
  }
}
