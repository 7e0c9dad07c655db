import TestBasics

extension HostileCase {
  /// The whole list.
  static let all = markup + feeds + json + bodies + files + services

  /// Files that a command reads: control files, schedules, payloads, subscriptions.
  static let files: [HostileCase] = [
    .command("a banner of 500 KB with 50,000 unknown conditions", ["banner", "explain", "FILE"]) { document in
      try document.put("{\"")
      try document.put("b", times: 500_000)
      try document.put("\":{\"entry\":\"v\",\"conditions\":{\"all\":{\"x\":1")
      try document.put(0..<50_000) { ",\"c\($0)\":1" }
      try document.put("}}}}")
    },
    .command("100,000 banners", ["banner", "explain", "FILE"]) { document in
      try document.put("{\"a\":{}")
      try document.put(0..<100_000) {
        ",\"b\($0)\":{\"entry\":\"v\",\"conditions\":{\"all\":{\"neverDisplayed\":true}},\"views\":{}}"
      }
      try document.put("}")
    },
    .command("100,000 views and an entry that names none", ["banner", "explain", "FILE"]) { document in
      try document.put("{\"a\":{\"entry\":\"none\",\"views\":{\"v\":{\"file\":\"x\"}")
      try document.put(0..<100_000) { ",\"v\($0)\":{\"file\":\"http://e.example/\($0)\"}" }
      try document.put("}}}")
    },
    .command("a version of 20 MB", ["banner", "explain", "FILE"]) { document in
      try document.put("{\"a\":{\"entry\":\"v\",\"conditions\":{\"all\":{\"appVersionLessThan\":\"")
      try document.put("1.", times: 10_000_000)
      try document.put("\"}}}}")
    },
    .poll("a control file of 64 MB of banners", "banners") { document in
      try document.put("{\"a\":{}")
      try document.put(0..<1_000_000) { ",\"b\($0)\":{\"entry\":\"v\",\"views\":{}}" }
      try document.put("}")
    },
    .command("100,000 entries of a schedule that are all wrong", ["schedule", "check", "FILE"]) { document in
      try document.put("[0")
      try document.put(0..<100_000) { ",{\"id\":\($0),\"time\":\"24:00\",\"day\":\"x\",\"date\":32}" }
      try document.put("]")
    },
    .command("a schedule of every second since the year 1", ["schedule", "preview", "FILE"]) { document in
      try document.put("[{\"id\":0,\"data\":{\"start\":\"0001/01/01 0:00\",\"interval\":\"second\"}}")
      try document.put(1..<20_000) {
        ",{\"id\":\($0),\"data\":{\"start\":\"0001/01/01 0:00\",\"interval\":\"second\"}}"
      }
      try document.put("]")
    },
    .command("schedules far away and very often", ["schedule", "preview", "FILE"]) { document in
      try document.put("[{\"data\":{\"start\":\"9999/12/31 23:59\",\"interval\":\"year\"}}")
      try document.put(
        ",{\"time\":\"0:00\",\"date\":31,\"repeat\":\"interval\",\"interval\":9000000000000000000}")
      try document.put(
        ",{\"data\":{\"start\":\"2026/1/1 0:00\",\"interval\":9223372036854775807,\"occurrence\":9223372036854775807}}"
      )
      try document.put(
        ",{\"time\":\"0:00\",\"repeat\":\"yearly\",\"endRepeat\":{\"months\":9223372036854775807}}]")
    },
    .command("100,000 texts that are JSON inside JSON", ["schedule", "check", "FILE"]) { document in
      try document.put("[0")
      try document.put(0..<100_000) { _ in
        ",{\"time\":\"1:00\",\"repeat\":\"daily\",\"title\":\"t\",\"msg\":\"{\\\"en\\\":\\\"x\\\"}\"}"
      }
      try document.put("]")
    },
    .command("a payload of 200,000 keys", ["apns", "show", "FILE"]) { document in
      try document.put("{\"aps\":{\"alert\":\"x\"")
      try document.put(0..<200_000) { ",\"k\($0)\":1" }
      try document.put("}}")
    },
    .command("20,000 marks for an argument of 100 KB", ["apns", "show", "FILE"]) { document in
      try document.put("{\"aps\":{\"alert\":{\"loc-key\":\"")
      try document.put("%1$@", times: 20_000)
      try document.put("\",\"loc-args\":[\"")
      try document.put("x", times: 100_000)
      try document.put("\"]}}}")
    },
    .command("500,000 subscriptions", ["inspect", "FILE"]) { document in
      try document.put("<opml version='2.0'><body>")
      try document.put(0..<500_000) { "<outline text='\($0)' xmlUrl='http://e.example/\($0)'/>" }
      try document.put("</body></opml>")
    },
    .command("importing 500,000 subscriptions", ["import", "FILE"]) { document in
      try document.put("<opml version='2.0'><body>")
      try document.put(0..<500_000) { "<outline text='\($0)' xmlUrl='http://e.example/\($0)'/>" }
      try document.put("</body></opml>")
    },
    .command("subscriptions in a folder of 1 MB", ["import", "FILE"]) {
      document in
      try document.put("<opml version='2.0'><body><outline text='")
      try document.put("f", times: 1_000_000)
      try document.put("'>")
      try document.put(0..<20_000) { "<outline text='\($0)' xmlUrl='http://e.example/\($0)'/>" }
      try document.put("</outline></body></opml>")
    },
    .command("inspecting 60 MB of one title", ["inspect", "FILE"]) { document in
      try document.put("<rss version='2.0'><channel><item><title>")
      try document.put("x", times: 60_000_000)
      try document.put("</title></item></channel></rss>")
    },
    .command("inspecting 64 MB of random bytes", ["inspect", "FILE"]) { document in
      var numbers = SeededRandom(seed: 20_261_121)
      let piece = (0..<65_536).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
      try document.put(piece, times: 1000)
    },
  ]
}
